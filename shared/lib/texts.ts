/** Texts: ordered, cut, tagged, and as a terminal or Markdown may show them.
 */
/** Orders strings by code units: the same everywhere, whatever the locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A length as JSON Schema counts it: code points, not UTF-16 units. */
function codePointLength(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** True without counting a text that is plainly short enough or plainly too long. */
export function isAtMostCodePoints(text: string, limit: number): boolean {
  if (text.length <= limit) return true;
  return text.length <= limit * 2 && codePointLength(text) <= limit;
}

/** At most so many code points from the start. */
export function firstCodePoints(text: string, limit: number): string {
  return isAtMostCodePoints(text, limit) ? text : [...text].slice(0, limit).join("");
}

/**
 * A text that somebody else wrote, as a terminal may show it: one line, every control and bidirectional character a visible stand-in: nothing in it moves the cursor, changes colours
 * or hides what stands beside it.
 */
export function printable(text: string): string {
  return text.replace(/\t/g, " ").replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "\uFFFD");
}

/** Text that Markdown shows as it is, on one line. */
export function markdownText(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim().replace(
    /[\\`*_{}[\]<>()#+!|~&-]/g,
    "\\$&",
  );
}

/**
 * A short tag of a text: equal for equal texts, and all but never for others. Fast rather than safe from forgery: two
 * independent lanes of 32 bits and the length.
 */
export function textTag(text: string): string {
  let one = 0xdeadbeef;
  let other = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    one = Math.imul(one ^ unit, 0x9e3779b1);
    other = Math.imul(other ^ unit, 0x5f356495);
  }
  return [mixed(one, other), mixed(other, one), text.length].map((part) => part.toString(36)).join(
    "-",
  );
}

/** Spreads every bit of both lanes over the result. */
function mixed(lane: number, beside: number): number {
  const spread = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b) ^
    Math.imul(beside ^ (beside >>> 13), 0xc2b2ae35);
  return (spread ^ (spread >>> 16)) >>> 0;
}

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

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text that HTML shows as it is, in an element or in a quoted attribute. */
export function htmlText(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? "");
}

const UTF8 = new TextEncoder();

/**
 * A short tag of a text: equal for equal texts, and all but never for others. Fast rather than safe from forgery: two
 * independent lanes of 32 bits over four bytes at a time, and the length.
 */
export function textTag(text: string): string {
  const bytes = UTF8.encode(text);
  const words = new Int32Array(bytes.buffer, 0, bytes.length >>> 2);
  let rest = 0;
  for (const byte of bytes.subarray(words.length << 2)) rest = rest << 8 | byte;
  let one = 0xdeadbeef;
  let other = 0x41c6ce57;
  for (let at = 0; at <= words.length; at += 1) {
    const word = words[at] ?? rest;
    one = Math.imul(one ^ word, 0x9e3779b1);
    one ^= one >>> 15;
    other = Math.imul(other ^ word, 0x5f356495);
    other ^= other >>> 13;
  }
  const tag = `${mixed(one, other).toString(36)}-${mixed(other, one).toString(36)}`;
  return `${tag}-${bytes.length.toString(36)}`;
}

/** Spreads every bit of both lanes over the result. */
function mixed(lane: number, beside: number): number {
  const spread = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b) ^
    Math.imul(beside ^ (beside >>> 13), 0xc2b2ae35);
  return (spread ^ (spread >>> 16)) >>> 0;
}

/** With a full stop, where no sentence ends. */
export function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** The text that percent-encoding stands for; null for what nobody encodes so. */
export function uriDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/** `1 error`, `2 errors`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

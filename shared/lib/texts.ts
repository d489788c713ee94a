/** Texts: comparing, cutting, tagging, and escaping for terminals and markup. */
/** Compares strings by code units, which is independent of the locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns the length in code points, as JSON Schema counts, and not in UTF-16 units. */
function codePointLength(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** True for a text of at most this many code points. It counts only when the length in units does not decide. */
export function isAtMostCodePoints(text: string, limit: number): boolean {
  if (text.length <= limit) return true;
  return text.length <= limit * 2 && codePointLength(text) <= limit;
}

/** Returns at most this many code points from the start. */
export function firstCodePoints(text: string, limit: number): string {
  return isAtMostCodePoints(text, limit) ? text : [...text].slice(0, limit).join("");
}

/**
 * Makes somebody else's text safe for a terminal: one line, with a visible replacement for every control and bidirectional
 * character. Nothing in it can move the cursor, change colours or hide its surroundings.
 */
export function printable(text: string): string {
  return text.replace(/\t/g, " ").replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "\uFFFD");
}

/** Escapes a text for Markdown, on one line. */
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

/** Escapes a text for HTML, in an element or in a quoted attribute. */
export function htmlText(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? "");
}

const UTF8 = new TextEncoder();

/**
 * Returns a short hash of a text. It is fast and not safe from forgery: two independent lanes of 32 bits over four bytes at a
 * time, and the length.
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

/** Adds a full stop unless the text ends as a sentence. */
export function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Decodes percent-encoding; null for an invalid text. */
export function uriDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/** Returns `1 error` or `2 errors`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

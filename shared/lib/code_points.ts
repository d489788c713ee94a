/** Lengths as JSON Schema counts them: code points, not UTF-16 units. */

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

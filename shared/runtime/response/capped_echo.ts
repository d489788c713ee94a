/** Keeps the copy of a request's body in a problem document small (contract 2.7, 8). */
import { PROBLEM_BODY_MAX_BYTES } from "../../contract/limits.ts";
import type { JsonValue } from "../../model/column.ts";

const ELLIPSIS = "…";

/** The value as it is, or, when its JSON is longer than 4 KB, the beginning of that JSON as a text that is not. */
export function cappedEcho(value: JsonValue): JsonValue {
  const json = JSON.stringify(value);
  if (byteLength(json) <= PROBLEM_BODY_MAX_BYTES) return value;
  let kept = json.slice(0, PROBLEM_BODY_MAX_BYTES);
  // Quotes and escapes grow when the text becomes a JSON string itself: shorten until it fits.
  while (byteLength(JSON.stringify(shortened(kept))) > PROBLEM_BODY_MAX_BYTES) {
    kept = kept.slice(0, Math.floor(kept.length * 0.9));
  }
  return shortened(kept);
}

/** The cut may fall inside a surrogate pair. */
function shortened(text: string): string {
  return text.toWellFormed().replace(/\uFFFD$/, "") + ELLIPSIS;
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

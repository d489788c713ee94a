/** Takes secrets out of what a problem document echoes (contract 2.7, definitions 7): at any depth, whatever the case. */
import { PROBLEM_BODY_MAX_BYTES } from "../../contract/limits.ts";
import { isSensitiveKey, REDACTED } from "../../contract/masks.ts";
import { JSON_DEPTH_MAX } from "../../lib/json.ts";
import type { JsonValue } from "../../model/table.ts";

/** A body may be refused for its depth alone and is echoed all the same: no copy goes deeper than any body may. */
const LEVELS_COPIED = JSON_DEPTH_MAX;
const ELLIPSIS = "…";

/**
 * A copy without the values of sensitive keys, and without what lies deeper than the levels that are copied. It ends where
 * its JSON has more than `charactersMax` characters: what would follow is not looked at.
 */
export function redacted(value: unknown, charactersMax = Infinity): JsonValue {
  return copyOf(value, LEVELS_COPIED, { left: charactersMax });
}

/** Characters of JSON that may still be copied; never fewer than the copy really has. */
interface Budget {
  left: number;
}

function copyOf(value: unknown, levels: number, budget: Budget): JsonValue {
  if (typeof value === "string") {
    budget.left -= value.length + QUOTES;
    return value;
  }
  if (typeof value !== "object" || value === null) {
    budget.left -= 1;
    return typeof value === "number" || typeof value === "boolean" ? value : null;
  }
  if (levels === 0) return ELLIPSIS;
  return Array.isArray(value)
    ? copyOfItems(value, levels - 1, budget)
    : copyOfMembers(value, levels - 1, budget);
}

const QUOTES = 2;

function copyOfItems(items: readonly unknown[], levels: number, budget: Budget): JsonValue {
  const copy: JsonValue[] = [];
  for (const item of items) {
    if (budget.left < 0) break;
    copy.push(copyOf(item, levels, budget));
  }
  return copy;
}

function copyOfMembers(members: object, levels: number, budget: Budget): JsonValue {
  const copy: [string, JsonValue][] = [];
  for (const key of Object.keys(members)) {
    if (budget.left < 0) break;
    budget.left -= key.length + QUOTES;
    const member: unknown = Reflect.get(members, key);
    copy.push([key, copyOf(isSensitiveKey(key) ? REDACTED : member, levels, budget)]);
  }
  return Object.fromEntries(copy);
}

/**
 * Keeps the copy of a request's body in a problem document small (contract 2.7, 8). The value as it is, or, when its
 * JSON is longer than 4 KB, the beginning of that JSON as a text that is not.
 */
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

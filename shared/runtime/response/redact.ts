/** Takes secrets out of what a problem document echoes (contract 2.7, definitions 7): at any depth, whatever the case. */
import { isSensitiveKey, REDACTED } from "../../contract/sensitive_keys.ts";
import { JSON_DEPTH_MAX } from "../../lib/json_faults.ts";
import type { JsonValue } from "../../model/column.ts";

/** A body may be refused for its depth alone and is echoed all the same: no copy goes deeper than any body may. */
const LEVELS_COPIED = JSON_DEPTH_MAX;
const ELLIPSIS = "…";

/** A copy without the values of sensitive keys, and without what lies deeper than the levels that are copied. */
export function redacted(value: unknown, levels = LEVELS_COPIED): JsonValue {
  if (typeof value !== "object" || value === null) return isScalar(value) ? value : null;
  if (levels === 0) return ELLIPSIS;
  if (Array.isArray(value)) return value.map((member) => redacted(member, levels - 1));
  return Object.fromEntries(
    Object.entries(value).map((
      [key, member],
    ) => [key, isSensitiveKey(key) ? REDACTED : redacted(member, levels - 1)]),
  );
}

function isScalar(value: unknown): value is string | number | boolean | null {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

/** Takes secrets out of what a problem document echoes (contract 2.7, definitions 7): at any depth, whatever the case. */
import { REDACTED, REDACTED_KEYS } from "../../contract/sensitive_keys.ts";
import { JSON_DEPTH_MAX } from "../../lib/json_faults.ts";
import type { JsonValue } from "../../model/column.ts";

/** Endings that name a credential in compound names; bare words such as `code` are only matched whole. */
const SENSITIVE_ENDINGS = ["password", "token", "secret", "apikey", "signature", "jwt"] as const;

/** True for the well-known names and for compounds of the unmistakable ones, with or without separators. */
export function isSensitiveKey(key: string): boolean {
  const name = key.toLowerCase().replace(/[-_\s]/g, "");
  return REDACTED_KEYS.has(name) || SENSITIVE_ENDINGS.some((ending) => name.endsWith(ending));
}

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

/** A query string without the values of sensitive parameters, `token.eq` and `fields[token]` included. */
export function redactedSearch(search: string): string {
  if (search === "" || search === "?") return "";
  const pairs = search.slice(1).split("&").map((pair) => {
    const equals = pair.indexOf("=");
    const name = equals === -1 ? pair : pair.slice(0, equals);
    return equals !== -1 && isSensitiveParameter(name) ? `${name}=${REDACTED}` : pair;
  });
  return `?${pairs.join("&")}`;
}

function isSensitiveParameter(name: string): boolean {
  const words = formDecoded(name).split(/[.[\]]/);
  return words.some(isSensitiveKey);
}

/** As `URLSearchParams` reads a name, which never fails. */
function formDecoded(name: string): string {
  const [first] = new URLSearchParams(`${name}=`).keys();
  return first ?? name;
}

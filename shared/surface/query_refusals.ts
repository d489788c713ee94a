/** The words with which a query string is refused (contract 4.3 rule 1, definitions 7): they name parameter and way out. */
import { QUERY_VALUE_MAX_BYTES } from "../contract/limits.ts";
import { nearest } from "../lib/nearest.ts";
import type { QueryRefusal } from "./query.ts";

export function parameterRefusal(parameter: string, message: string): QueryRefusal {
  return { kind: "refused", parameter: clipped(parameter), message };
}

export function formRefusal(parameter: string, form: string): QueryRefusal {
  return parameterRefusal(parameter, `Parameter "${parameter}" needs ${form}`);
}

/** The same for everyone who may not ask: it says nothing about any value. */
export function maskRefusal(parameter: string, column: string): QueryRefusal {
  return parameterRefusal(
    parameter,
    `Column "${column}" is masked for this caller and cannot be asked by`,
  );
}

export function tooLong(name: string, text: string): QueryRefusal | null {
  // A UTF-16 unit is at most three bytes of UTF-8, so most texts need no encoding to be measured.
  if (text.length * 3 <= QUERY_VALUE_MAX_BYTES) return null;
  return new TextEncoder().encode(text).length <= QUERY_VALUE_MAX_BYTES
    ? null
    : parameterRefusal(name, `Parameter "${name}" is longer than ${QUERY_VALUE_MAX_BYTES} bytes`);
}

export function suggestion(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === null ? "" : `; did you mean "${near}"?`;
}

/** Names come from the caller; a message quotes only so much of one. */
export function clipped(name: string): string {
  return name.length <= 64 ? name : `${name.slice(0, 64)}…`;
}

/** All errors of a compile as one text: the `message` of a failed compile (contract 4.8, "hit list"). */
import { DIAGNOSTICS_LISTED_MAX } from "../../contract/limits.ts";
import type { Diagnostic } from "./diagnostic.ts";

/** A numbered line per error under a count line; a single error is its line alone. */
export function hitList(errors: readonly Diagnostic[]): string {
  const [first] = errors;
  if (first === undefined) return "";
  if (errors.length === 1) return hit(first);
  const listed = errors.slice(0, DIAGNOSTICS_LISTED_MAX);
  const left = errors.length - listed.length;
  return [
    `Found ${errors.length} independent errors`,
    ...listed.map((error, index) => `${index + 1}. ${hit(error)}`),
    ...(left > 0 ? [`… and ${left} more`] : []),
  ].join("\n");
}

/** `file:line:column message (hint)` on one line. */
function hit({ place, message, hint }: Diagnostic): string {
  const text = `${place.file}:${place.line}:${place.column} ${message}`;
  return (hint === null ? text : `${text} (${hint})`).replace(/[\r\n]+/g, " ");
}

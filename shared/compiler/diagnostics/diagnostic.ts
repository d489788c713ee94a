/**
 * Represents an author's mistake as a value with a place. Only the program's edges format it (definitions 7, `/compile`
 * failure).
 */
import { DIAGNOSTICS_LISTED_MAX } from "../../contract/mod.ts";

/** Project-relative path, 1-based line and column of the first offending character. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Characters to underline; at least 1. */
  readonly length: number;
}

export type Severity = "error" | "warning";

export interface Diagnostic {
  readonly code: string;
  readonly severity: Severity;
  /** The mistake and the expected form, in one line with a capital letter and no final period. */
  readonly message: string;
  readonly place: Place;
  /** A hint how to fix the mistake; null if the message is enough. */
  readonly hint: string | null;
}

/** Defines one row of the catalogue, which contains everything about a diagnostic code. */
export interface CatalogueRow<Details> {
  readonly severity: Severity;
  /** Section with the rule: `contract 4.8`, `definitions 4.3`. */
  readonly section: string;
  /** The mistake in general, as one sentence for the documentation page. */
  readonly title: string;
  readonly message: (details: Details) => string;
  readonly hint?: (details: Details) => string | null;
}

/** Checks a row's types where it is written: `row<{ key: string }>({ … })`. */
export function row<Details>(value: CatalogueRow<Details>): CatalogueRow<Details> {
  return value;
}

/** Formats one numbered line per error below a count line; a single error is one line. */
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

/** Formats `file:line:column message (hint)` on one line. */
function hit({ place, message, hint }: Diagnostic): string {
  const text = `${place.file}:${place.line}:${place.column} ${message}`;
  return (hint === null ? text : `${text} (${hint})`).replace(/[\r\n]+/g, " ");
}

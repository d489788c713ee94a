/** An author's mistake as a value with a place; formatted only at the edges (definitions 7, `/compile` failure). */
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
  /** One line: what is wrong and what was expected. Capital, no final period. */
  readonly message: string;
  readonly place: Place;
  /** The way out, or null where the message says it all. */
  readonly hint: string | null;
}

/** The shape of one catalogue row: everything about a diagnostic code in one place. */
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

/** `file:line:column message (hint)` on one line. */
function hit({ place, message, hint }: Diagnostic): string {
  const text = `${place.file}:${place.line}:${place.column} ${message}`;
  return (hint === null ? text : `${text} (${hint})`).replace(/[\r\n]+/g, " ");
}

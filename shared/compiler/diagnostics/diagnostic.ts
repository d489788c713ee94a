/** An author's mistake as a value with a place; formatted only at the edges (definitions 7, `/compile` failure). */

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

/** The shape of one catalogue row: everything about a diagnostic code in one place. */
import type { Severity } from "./diagnostic.ts";

export interface CatalogueRow<Details> {
  readonly severity: Severity;
  /** Section that states the rule: `contract 4.8`, `definitions 4.3`. */
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

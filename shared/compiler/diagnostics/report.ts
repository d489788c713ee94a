/** Collects the diagnostics of one compile. Only this module makes them, so every code is in the catalogue. */
import { compareText } from "../../lib/texts.ts";
import { CATALOGUE, type DetailsOf, type DiagnosticCode } from "./catalogue/mod.ts";
import type { CatalogueRow, Diagnostic, Place, Severity } from "./diagnostic.ts";

/** Rows of the catalogue by code. A row found by its code accepts that code's details. */
const ROWS: { readonly [Code in DiagnosticCode]: CatalogueRow<DetailsOf<Code>> } = CATALOGUE;

export class Report {
  readonly #diagnostics = new Map<string, Diagnostic>();
  readonly #errorsByFile = new Map<string, Diagnostic[]>();
  #errorCount = 0;

  /** Adds a diagnostic. A second one with the same code, place and message is dropped. */
  add<Code extends DiagnosticCode>(code: Code, place: Place, details: DetailsOf<Code>): void {
    const row: CatalogueRow<DetailsOf<Code>> = ROWS[code];
    const message = row.message(details);
    const finding = JSON.stringify([code, place.file, place.line, place.column, message]);
    if (this.#diagnostics.has(finding)) return;
    const hint = row.hint?.(details) ?? null;
    const diagnostic = { code, severity: row.severity, message, place, hint };
    this.#diagnostics.set(finding, diagnostic);
    if (row.severity === "error") this.#count(diagnostic);
  }

  #count(error: Diagnostic): void {
    this.#errorCount += 1;
    const ofFile = this.#errorsByFile.get(error.place.file);
    if (ofFile) ofFile.push(error);
    else this.#errorsByFile.set(error.place.file, [error]);
  }

  get hasErrors(): boolean {
    return this.#errorCount > 0;
  }

  get errorCount(): number {
    return this.#errorCount;
  }

  /** Returns the diagnostics of one file, unsorted. */
  errorsIn(file: string): readonly Diagnostic[] {
    return this.#errorsByFile.get(file) ?? [];
  }

  get filesWithErrors(): readonly string[] {
    return [...this.#errorsByFile.keys()];
  }

  /** Errors, sorted by file, line and column. */
  get errors(): readonly Diagnostic[] {
    return this.#sorted("error");
  }

  /** Warnings, sorted by file, line and column. */
  get warnings(): readonly Diagnostic[] {
    return this.#sorted("warning");
  }

  #sorted(severity: Severity): readonly Diagnostic[] {
    // Ties end in code and message, so the order never depends on which rule ran first.
    return [...this.#diagnostics.values()]
      .filter((diagnostic) => diagnostic.severity === severity)
      .sort((a, b) =>
        compareText(a.place.file, b.place.file) || a.place.line - b.place.line ||
        a.place.column - b.place.column || compareText(a.code, b.code) ||
        compareText(a.message, b.message)
      );
  }
}

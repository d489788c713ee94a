/** Collects the diagnostics of one compile. The only place where one is made, so every code is in the catalogue. */
import { CATALOGUE, type DetailsOf, type DiagnosticCode } from "./catalogue/mod.ts";
import type { Diagnostic, Place } from "./diagnostic.ts";

export class Report {
  readonly #diagnostics: Diagnostic[] = [];

  /** Adds one; a second with the same code, place and message is dropped. */
  add<Code extends DiagnosticCode>(code: Code, place: Place, details: DetailsOf<Code>): void {
    const row = CATALOGUE[code] as unknown as {
      readonly severity: Diagnostic["severity"];
      readonly message: (details: DetailsOf<Code>) => string;
      readonly hint?: (details: DetailsOf<Code>) => string | null;
    };
    const diagnostic: Diagnostic = {
      code,
      severity: row.severity,
      message: row.message(details),
      place,
      hint: row.hint?.(details) ?? null,
    };
    if (!this.#diagnostics.some((other) => sameFinding(other, diagnostic))) {
      this.#diagnostics.push(diagnostic);
    }
  }

  get hasErrors(): boolean {
    return this.#diagnostics.some((diagnostic) => diagnostic.severity === "error");
  }

  /** Errors, sorted by file, line and column. */
  get errors(): readonly Diagnostic[] {
    return this.#sorted("error");
  }

  /** Warnings, sorted by file, line and column. */
  get warnings(): readonly Diagnostic[] {
    return this.#sorted("warning");
  }

  #sorted(severity: Diagnostic["severity"]): readonly Diagnostic[] {
    return this.#diagnostics.filter((diagnostic) => diagnostic.severity === severity).sort(byPlace);
  }
}

function sameFinding(a: Diagnostic, b: Diagnostic): boolean {
  return a.code === b.code && a.message === b.message && byPlace(a, b) === 0;
}

function byPlace(a: Diagnostic, b: Diagnostic): number {
  if (a.place.file !== b.place.file) return a.place.file < b.place.file ? -1 : 1;
  return a.place.line - b.place.line || a.place.column - b.place.column;
}

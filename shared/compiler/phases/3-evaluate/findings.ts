/**
 * Collects diagnostics of one value. They are kept until something uses the value, because an unused constant may be anything.
 */
import type { DetailsOf, DiagnosticCode } from "../../diagnostics/catalogue/mod.ts";
import type { Place } from "../../diagnostics/diagnostic.ts";
import type { Report } from "../../diagnostics/report.ts";

interface Finding {
  readonly code: DiagnosticCode;
  /** Identity of a mistake that appears at many places and is reported once. */
  readonly about: string | null;
  readonly reportTo: (report: Report) => void;
}

/** `tolerant`: a value that cannot be read statically is no error here (definitions 5, `input`). */
type Strictness = "strict" | "tolerant";

export class Findings {
  readonly #own: Finding[] = [];
  readonly #used: Record<Strictness, Set<Findings>> = { strict: new Set(), tolerant: new Set() };

  add<Code extends DiagnosticCode>(code: Code, place: Place, details: DetailsOf<Code>): void {
    this.#own.push({ code, about: null, reportTo: (report) => report.add(code, place, details) });
  }

  /** Adds a mistake that appears at many places. Only its first place is reported. */
  addOnce<Code extends DiagnosticCode>(
    code: Code,
    place: Place,
    { about, ...details }: { readonly about: string; readonly details: DetailsOf<Code> },
  ): void {
    const reportTo = (report: Report) => report.add(code, place, details.details);
    this.#own.push({ code, about: `${code} ${place.file} ${about}`, reportTo });
  }

  /** Adds the findings of a constant to those of a value that uses it. */
  use(other: Findings, strictness: Strictness = "strict"): void {
    this.#used[strictness].add(other);
  }

  /** Reports each finding once; `told` contains the reported ones over all values of a project. */
  reportTo(report: Report, told: Set<string>): void {
    for (const { about, reportTo } of this.#all()) {
      if (about !== null && told.has(about)) continue;
      if (about !== null) told.add(about);
      reportTo(report);
    }
  }

  /** Returns each set once, however many values share it. It does not recurse, because chains of constants may be long. */
  #all(): readonly Finding[] {
    const found: Finding[] = [];
    const visited = { strict: new Set<Findings>(), tolerant: new Set<Findings>() };
    const pending: { findings: Findings; strictness: Strictness }[] = [
      { findings: this, strictness: "strict" },
    ];
    for (let next = pending.pop(); next; next = pending.pop()) {
      const { findings, strictness } = next;
      if (visited[strictness].has(findings)) continue;
      visited[strictness].add(findings);
      for (const finding of findings.#own) {
        if (strictness === "strict" || finding.code !== "NOT_STATIC") found.push(finding);
      }
      for (const used of [...findings.#used.tolerant].reverse()) {
        pending.push({ findings: used, strictness: "tolerant" });
      }
      for (const used of [...findings.#used.strict].reverse()) {
        pending.push({ findings: used, strictness });
      }
    }
    return found;
  }
}

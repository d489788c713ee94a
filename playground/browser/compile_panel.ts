/** Shows the compile while it runs: phases with their times, files as they arrive, and findings that link to their places. */
import { counted } from "../../shared/lib/texts.ts";
import type { CompileRun } from "./compile_run.ts";
import type { Finding } from "./compile_stream.ts";
import { button, element, show } from "./dom.ts";

const BRIEF_MILLISECONDS = 400;

export class CompilePanel {
  readonly element = element("section", { class: "panel compile-panel" });
  readonly #open: (finding: Finding) => void;
  /** Run that is drawn next. */
  #next: CompileRun | null = null;

  constructor(open: (finding: Finding) => void) {
    this.#open = open;
  }

  /** Draws at most once per animation frame, because files arrive by the hundred. */
  show(run: CompileRun): void {
    const isBrief = !run.isComplete && run.outcome === "running" &&
      run.milliseconds < BRIEF_MILLISECONDS;
    // The earlier findings stay until the run has a result, so that they do not flicker with each key.
    if (isBrief) return;
    if (this.#next === null) requestAnimationFrame(() => this.#draw());
    this.#next = run;
  }

  #draw(): void {
    const run = this.#next;
    this.#next = null;
    if (run === null) return;
    const stages = run.isComplete ? STAGES : VALIDATION_STAGES;
    const rows = stages.map((stage) => {
      const phase = run.phases.find((one) => one.stage === stage) ?? null;
      const state = phase === null
        ? "waiting"
        : phase.ended !== null
        ? "done"
        : run.outcome === "failed"
        ? "refused"
        : "running";
      return element(
        "li",
        { class: `phase ${state}` },
        element("span", { class: "phase-name" }, stage),
        element("span", { class: "phase-message" }, phase?.message ?? ""),
        element(
          "span",
          { class: "phase-time" },
          phase?.ended
            ? `${(phase.ended - phase.begun).toFixed(0)} ms`
            : state === "refused"
            ? "stopped here"
            : state === "running"
            ? "…"
            : "",
        ),
      );
    });
    const what = run.isComplete ? "Full compile of what is saved" : "Validation of what is typed";
    show(
      this.element,
      element(
        "div",
        { class: `verdict ${run.outcome}` },
        element("strong", {}, verdictOf(run)),
        element(
          "span",
          { class: "dim" },
          ` ${run.outcome === "running" ? what : `${what}, ${Math.round(run.milliseconds)} ms`}`,
        ),
      ),
      run.message === null ? null : element("p", { class: "refusal" }, run.message),
      this.#findings(run.findings),
      element("ol", { class: "phases", "aria-label": "Phases" }, ...rows),
      filesOf(run),
    );
  }

  #findings(findings: readonly Finding[]): HTMLElement | null {
    if (findings.length === 0) return null;
    const items = findings.map((finding) => element("li", {}, this.#finding(finding)));
    return element("ul", { class: "findings", "aria-label": "Findings" }, ...items);
  }

  #finding(finding: Finding): HTMLButtonElement {
    const { severity, code, message, hint, file, line, column } = finding;
    const made = button("", () => this.#open(finding), { class: `finding ${severity}` });
    made.append(
      element("span", { class: "finding-message" }, message),
      hint === null ? "" : element("span", { class: "finding-hint" }, hint),
      element(
        "span",
        { class: "finding-place" },
        element("span", { class: "finding-code" }, code),
        ` ${file.split("/").at(-1)}:${line}${column === null ? "" : `:${column}`}`,
      ),
    );
    return made;
  }
}

export function verdictOf({ outcome, findings, message }: CompileRun): string {
  const errors = findings.filter(({ severity }) => severity === "error").length;
  if (outcome === "running") return "Compiling…";
  if (outcome === "failed") {
    return errors === 0 && message ? "Not compiled" : counted(errors, "error");
  }
  return findings.length === 0 ? "No mistakes" : counted(findings.length, "warning");
}

/** Stages of a validation, which ends before the plan. */
const VALIDATION_STAGES = ["read", "parse", "evaluate", "analyze"];
const STAGES = [...VALIDATION_STAGES, "plan", "emit"];

function filesOf({ isComplete, fileCount, files }: CompileRun): HTMLElement | null {
  if (!isComplete || fileCount === null) return null;
  return element(
    "div",
    { class: "arrival" },
    element("label", { for: "arrival" }, `${files.length} of ${fileCount} files written`),
    element("progress", { id: "arrival", max: String(fileCount), value: String(files.length) }),
    element("p", { class: "dim" }, files.at(-1)?.path ?? ""),
  );
}

/** Lists all problems by file: those of the compiler and those of the types, each with its place and its known fixes. */
import type { Finding } from "./compile_stream.ts";
import { button, element, show } from "./dom.ts";
import type { OfferedFix } from "./editor.ts";

interface ProblemActions {
  readonly open: (finding: Finding) => void;
  readonly fixes: (finding: Finding) => readonly OfferedFix[];
}

/** Maximum number of problems shown; nobody reads more. */
const SHOWN_MAX = 100;

export class ProblemsPanel {
  readonly element = element("section", { class: "panel problems-panel" });
  readonly #actions: ProblemActions;

  constructor(actions: ProblemActions) {
    this.#actions = actions;
    this.show([]);
  }

  show(findings: readonly Finding[]): void {
    if (findings.length === 0) {
      return show(this.element, element("p", { class: "dim" }, "No problems"));
    }
    const groups = Map.groupBy(findings.slice(0, SHOWN_MAX), ({ file }) => file);
    show(
      this.element,
      ...[...groups].map(([file, own]) => this.#group(file, own)),
      findings.length > SHOWN_MAX
        ? element("p", { class: "dim" }, `and ${findings.length - SHOWN_MAX} more`)
        : null,
    );
  }

  #group(file: string, findings: readonly Finding[]): HTMLElement {
    return element(
      "section",
      { class: "problems-group" },
      element("h3", {}, file),
      element("ul", { class: "problems" }, ...findings.map((finding) => this.#problem(finding))),
    );
  }

  #problem(finding: Finding): HTMLElement {
    const { severity, message, hint, line, code } = finding;
    const opener = button("", () => this.#actions.open(finding), { class: "problem-open" });
    opener.append(
      element("span", { class: "finding-message" }, message),
      hint === null ? "" : element("span", { class: "finding-hint" }, hint),
      element("span", { class: "finding-place" }, `${severity} ${code}, line ${line}`),
    );
    const fixes = this.#actions.fixes(finding);
    return element(
      "li",
      { class: `problem-row ${severity}` },
      opener,
      fixes.length === 0 ? null : element(
        "div",
        { class: "problem-fixes" },
        ...fixes.map(({ title, apply }) => button(title, apply, { class: "fix" })),
      ),
    );
  }
}

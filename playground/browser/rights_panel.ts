/**
 * Shows the rights of callers: each route for each class of callers, from the compile's own report, and the changes of the last
 * compile.
 */
import { z } from "zod";
import type { OutputFile } from "./compile_stream.ts";
import { button, element, show } from "./dom.ts";

const REPORT = "reports/conformance.manifest.json";

const ENTRY = z.object({
  operationId: z.string(),
  method: z.string(),
  path: z.string(),
  principal: z.string(),
  outcome: z.enum(["admitted", "conditional", "refused"]),
  status: z.number().nullable(),
  code: z.string().nullable(),
  rule: z.object({
    path: z.string().nullable(),
    text: z.string(),
    file: z.string().nullable(),
    line: z.number().nullable(),
  }),
});
/** Entries of the report. An `unscoped` entry is about a table that is read without a scope, and describes no route. */
const ENTRIES = z.array(z.union([ENTRY, z.object({ outcome: z.literal("unscoped") })]));

type Right = z.infer<typeof ENTRY>;
type OpenRule = (file: string, line: number) => void;

const WORDS = { admitted: "yes", conditional: "some", refused: "no" } as const;

export class RightsPanel {
  readonly element = element("section", { class: "panel rights-panel" });
  readonly #open: OpenRule;
  readonly #why = element("div", { class: "why", "aria-live": "polite" });
  #rights: readonly Right[] = [];
  #changes: readonly (readonly [Right, Right])[] = [];

  constructor(open: OpenRule) {
    this.#open = open;
    show(
      this.element,
      element("p", { class: "dim" }, "Nothing yet: rights show after a full compile"),
    );
  }

  /** Shows the rights of a full compile. The changes of the compile before stay if this one changed nothing. */
  show(files: readonly OutputFile[]): void {
    const report = files.find(({ path }) => path === REPORT);
    if (report === undefined) return;
    const entries = ENTRIES.parse(JSON.parse(report.content));
    const rights = entries.filter((entry) => "operationId" in entry);
    const before = new Map(this.#rights.map((right) => [keyOf(right), right]));
    const changes = rights.flatMap((right) => {
      const known = before.get(keyOf(right));
      return known && answerOf(known) !== answerOf(right) ? [[known, right] as const] : [];
    });
    if (changes.length > 0) this.#changes = changes;
    this.#rights = rights;
    this.#draw();
  }

  #draw(): void {
    const principals = [...new Set(this.#rights.map(({ principal }) => principal))];
    const routes = Map.groupBy(this.#rights, ({ method, path }) => `${method} ${path}`);
    const head = element(
      "tr",
      {},
      element("th", { scope: "col" }, "Route"),
      ...principals.map((name) => element("th", { scope: "col", class: "rights-who" }, name)),
    );
    const rows = [...routes].map(([route, own]) =>
      element(
        "tr",
        {},
        element("th", { scope: "row" }, route),
        ...principals.map((name) => this.#cell(own.find(({ principal }) => principal === name))),
      )
    );
    show(
      this.element,
      this.#changesView(),
      this.#why,
      element(
        "div",
        { class: "rights-scroll", tabindex: "0", role: "region", "aria-label": "Rights" },
        element(
          "table",
          { class: "rights" },
          element("thead", {}, head),
          element("tbody", {}, ...rows),
        ),
      ),
    );
  }

  #cell(right: Right | undefined): HTMLTableCellElement {
    if (right === undefined) return element("td", {});
    const { outcome, method, path, principal } = right;
    const isNew = this.#changes.some(([, now]) => keyOf(now) === keyOf(right));
    const label = `${WORDS[outcome]}: ${principal}, ${method} ${path}${isNew ? ", changed" : ""}`;
    const cell = button(WORDS[outcome], () => this.#explain(right), {
      class: `right ${outcome}${isNew ? " changed" : ""}`,
      "aria-label": label,
    });
    return element("td", {}, cell);
  }

  /** Shows the rule that decides, in words, with its line. */
  #explain(right: Right): void {
    const { method, path, principal, rule: { text, file, line, path: key } } = right;
    const place = file === null || line === null
      ? element("span", { class: "dim" }, "a rule of the service itself")
      : button(`${file}:${line}`, () => this.#open(file, line), { class: "link mono" });
    show(
      this.#why,
      element("strong", {}, `${principal}: ${answerOf(right)}`),
      element("p", { class: "mono" }, `${method} ${path}`),
      element("p", {}, key === null ? text : `${key}: ${text}`),
      place,
    );
    this.#why.scrollIntoView({ block: "nearest" });
  }

  #changesView(): HTMLElement | null {
    if (this.#changes.length === 0) return null;
    const items = this.#changes.map(([before, now]) =>
      element(
        "li",
        {},
        `${now.principal}, ${now.method} ${now.path}: ${answerOf(before)} → ${answerOf(now)}`,
      )
    );
    return element(
      "details",
      { class: "rights-changes" },
      element("summary", {}, `The last change of rights: ${this.#changes.length}`),
      element("ul", {}, ...items),
    );
  }
}

function keyOf({ operationId, principal }: Right): string {
  return `${operationId} ${principal}`;
}

function answerOf({ outcome, status, code }: Right): string {
  if (outcome === "admitted") return "let in";
  const refusal = [status, code].filter((part) => part !== null).join(" ");
  if (outcome === "refused") return `refused, ${refusal}`;
  return refusal === "" ? "let in, to the records that fit" : `let in; to other records ${refusal}`;
}

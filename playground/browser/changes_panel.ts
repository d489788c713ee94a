/** Panel of the last compile's changes to the API, as `quickback diff` reports them: rights, clients, migration, files. */
import type { Status } from "../protocol.ts";
import { element, show } from "./dom.ts";

type Changes = NonNullable<Status["changes"]>;

const TITLES: readonly (readonly [Changes["changes"][number]["kind"], string])[] = [
  ["gain", "Who may see or do more"],
  ["loss", "Who may see or do less"],
  ["breaking", "What clients can trip over"],
  ["addition", "What is new for clients"],
];

export class ChangesPanel {
  readonly element = element("section", { class: "panel changes-panel" });
  #shown = "";

  constructor() {
    show(
      this.element,
      element("p", { class: "dim" }, "Nothing has changed since the API first served"),
    );
  }

  follow({ changes }: Pick<Status, "changes">): void {
    const text = JSON.stringify(changes);
    if (changes === null || text === this.#shown) return;
    this.#shown = text;
    const { at, files, migration } = changes;
    const count = files.length === 1 ? "1 generated file" : `${files.length} generated files`;
    show(
      this.element,
      element(
        "p",
        { class: "dim" },
        `The compile of ${new Date(at).toLocaleTimeString()}, against the one before`,
      ),
      ...TITLES.flatMap(([kind, title]) => this.#kind(kind, title, changes)),
      element("h3", {}, "Migration"),
      migration === null
        ? element("p", { class: "dim" }, "None: the schema stays as it is")
        : element(
          "pre",
          { class: "answer-body", tabindex: "0", "aria-label": "Migration" },
          migration,
        ),
      element(
        "details",
        {},
        element("summary", {}, count),
        element(
          "ul",
          { class: "changed-files mono" },
          ...files.map((path) => element("li", {}, path)),
        ),
      ),
    );
  }

  #kind(kind: string, title: string, { changes }: Changes): readonly HTMLElement[] {
    const own = changes.filter((change) => change.kind === kind);
    if (own.length === 0) return [];
    const items = own.map(({ subject, principals, text }) =>
      element(
        "li",
        {},
        element("code", {}, subject),
        principals.length === 0 ? null : element("strong", {}, ` ${principals.join(", ")}:`),
        ` ${text}`,
      )
    );
    return [
      element("h3", {}, `${title} (${own.length})`),
      element("ul", { class: `changes ${kind}` }, ...items),
    ];
  }
}

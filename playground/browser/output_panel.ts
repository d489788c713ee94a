/** Panel with the files of the last full compile, read-only. */
import { syntaxHighlighting } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import type { OutputFile } from "./compile_stream.ts";
import { element, show } from "./dom.ts";
import { languageOf, styleNonce } from "./editor.ts";

/** Folder that every project contains; it is shown on request. */
const CARRIED = "src/quickback/";
/** Folder shown first, since most people look for the tables. */
const FIRST = "src/schema/";

export class OutputPanel {
  readonly element = element("section", { class: "panel output-panel" });
  readonly #select = element("select", { id: "output-file", change: () => this.#show() });
  readonly #carried = element("input", {
    type: "checkbox",
    id: "output-carried",
    change: () => this.#list(),
  });
  readonly #text = element("div", { class: "output-text" });
  readonly #head: HTMLElement;
  readonly #count = element("p", { class: "dim" });
  readonly #view: EditorView;
  #files: readonly OutputFile[] = [];

  constructor() {
    this.#view = new EditorView({ parent: this.#text, extensions: styleNonce() });
    this.#head = element(
      "div",
      { class: "output-head" },
      element("label", { for: "output-file", class: "unseen" }, "Generated file"),
      this.#select,
      element("label", { class: "check" }, this.#carried, " with the runtime"),
    );
    show(this.element, this.#head, this.#count, this.#text);
    this.#list();
  }

  show(files: readonly OutputFile[]): void {
    this.#files = files;
    this.#list();
  }

  #list(): void {
    const chosen = this.#select.value;
    const shown = this.#files.filter(({ path }) =>
      this.#carried.checked || !path.startsWith(CARRIED)
    );
    const folders = Map.groupBy(shown, ({ path }) => path.split("/").slice(0, -1).join("/"));
    show(
      this.#select,
      ...[...folders].map(([folder, files]) => {
        const options = files.map(({ path }) =>
          element("option", { value: path }, path.split("/").at(-1) ?? path)
        );
        return element("optgroup", { label: folder === "" ? "(project)" : folder }, ...options);
      }),
    );
    const first = shown.find(({ path }) => path === chosen) ??
      shown.find(({ path }) => path.startsWith(FIRST)) ?? shown[0];
    if (first) this.#select.value = first.path;
    this.#head.hidden = this.#text.hidden = this.#files.length === 0;
    this.#count.textContent = this.#files.length === 0
      ? "Nothing yet: files show once what is saved has compiled as a whole"
      : `${this.#files.length} files, ${shown.length} of them your project's own`;
    this.#show();
  }

  #show(): void {
    const { value: path } = this.#select;
    const file = this.#files.find((one) => one.path === path);
    this.#view.setState(EditorState.create({
      doc: file?.content ?? "",
      extensions: [
        styleNonce(),
        lineNumbers(),
        EditorState.readOnly.of(true),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({
          tabindex: "0",
          "aria-label": `Generated file ${path}`,
        }),
        languageOf(path),
        syntaxHighlighting(classHighlighter),
      ],
    }));
  }
}

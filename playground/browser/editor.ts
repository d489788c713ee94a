/** The editor of definitions: one document per file, each with its own history, and the compiler's findings in their places. */
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput, indentUnit } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import type { Finding } from "./compile_stream.ts";
import { languageOf, styleNonce } from "./editor_language.ts";
import { markOf } from "./editor_marks.ts";

type OnEdit = (path: string, text: string) => void;

export interface Spot {
  readonly line: number;
  readonly column: number | null;
}

export class Editor {
  readonly #view: EditorView;
  readonly #onEdit: OnEdit;
  /** States of files that are not shown. */
  readonly #states = new Map<string, EditorState>();
  #path: string | null = null;
  #findings: readonly Finding[] = [];

  constructor(parent: Element, onEdit: OnEdit) {
    this.#onEdit = onEdit;
    this.#view = new EditorView({ parent, extensions: styleNonce() });
  }

  get path(): string | null {
    return this.#path;
  }

  open(path: string, text: string): void {
    if (this.#path === path && this.#view.state.doc.toString() === text) return;
    if (this.#path !== null && this.#path !== path) this.#states.set(this.#path, this.#view.state);
    this.#path = path;
    const known = this.#states.get(path);
    this.#view.setState(
      known?.doc.toString() === text
        ? known
        : EditorState.create({ doc: text, extensions: this.#extensions(path) }),
    );
    this.#mark();
  }

  /** The file has another text than the one typed here, because the disk won. */
  replaceText(text: string): void {
    const { doc } = this.#view.state;
    if (doc.toString() === text) return;
    this.#view.dispatch({ changes: { from: 0, to: doc.length, insert: text } });
  }

  renamed(from: string, to: string): void {
    if (this.#path === from) this.#path = to;
  }

  /** Marks what a compile found in the open file. */
  showFindings(findings: readonly Finding[]): void {
    this.#findings = findings;
    this.#mark();
  }

  /** Puts the cursor there. */
  goTo({ line, column }: Spot): void {
    const { doc } = this.#view.state;
    const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
    const anchor = Math.min(from + (column ?? 1) - 1, to);
    this.#view.dispatch({
      selection: { anchor },
      effects: EditorView.scrollIntoView(anchor, { y: "center" }),
    });
    this.#view.focus();
  }

  #mark(): void {
    const { state } = this.#view;
    const own = this.#findings.filter(({ file }) => file === this.#path);
    const marks = own.map((finding) => markOf(finding, state))
      .toSorted((a, b) => a.from - b.from);
    this.#view.dispatch(setDiagnostics(state, marks));
  }

  #extensions(path: string): Extension {
    return [
      styleNonce(),
      lineNumbers(),
      highlightActiveLineGutter(),
      lintGutter(),
      history(),
      drawSelection(),
      dropCursor(),
      indentUnit.of("  "),
      EditorState.tabSize.of(2),
      indentOnInput(),
      bracketMatching(),
      closeBrackets(),
      autocompletion(),
      highlightActiveLine(),
      highlightSelectionMatches(),
      search({ top: true }),
      languageOf(path),
      keymap.of([
        ...closeBracketsKeymap,
        ...defaultKeymap,
        ...searchKeymap,
        ...historyKeymap,
        ...completionKeymap,
        ...lintKeymap,
        indentWithTab,
      ]),
      EditorView.contentAttributes.of({
        "aria-label": "Definition. Press Escape, then Tab to leave the editor",
      }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged && this.#path !== null) {
          this.#onEdit(this.#path, state.doc.toString());
        }
      }),
    ];
  }
}

/** The editor of definitions: one document per file, each with its own history, and the compiler's findings in their places. */
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import {
  bracketMatching,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
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
import { classHighlighter } from "@lezer/highlight";
import type { Finding } from "./compile_stream.ts";
import { element } from "./dom.ts";

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
    const marks = own.map((finding) => ({
      ...rangeOf(finding, state),
      severity: finding.severity,
      source: finding.code,
      message: finding.message,
      renderMessage: () =>
        element(
          "div",
          { class: "finding-hover" },
          element("p", { class: "finding-message" }, finding.message),
          finding.hint === null ? null : element("p", { class: "finding-hint" }, finding.hint),
          element("p", { class: "finding-code" }, finding.code),
        ),
    }))
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

/** Highlighting by a file's name, with classes that the stylesheet colours. */
const CODE = /\.(?:[cm]?[jt]sx?|json)$/;

/** Lets the editor write its style sheet, which the page's policy refuses otherwise. */
export function styleNonce(): Extension {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? "";
  return EditorView.cspNonce.of(nonce);
}

export function languageOf(path: string): Extension {
  return CODE.test(path)
    ? [javascript({ typescript: true }), syntaxHighlighting(classHighlighter)]
    : [];
}

/** Range of the word at the place, or of the whole line where no column is known. */
function rangeOf(
  { line: lineNumber, column }: Finding,
  state: EditorState,
): { readonly from: number; readonly to: number } {
  const line = state.doc.line(Math.min(Math.max(lineNumber, 1), state.doc.lines));
  if (column === null) {
    return { from: line.from + (line.text.length - line.text.trimStart().length), to: line.to };
  }
  const from = Math.min(line.from + column - 1, line.to);
  const [piece = " "] = PIECE.exec(state.sliceDoc(from, line.to)) ?? [];
  return { from, to: Math.min(from + piece.length, line.to) };
}

/** A text, or names joined by dots. */
const PIECE = /^(?:"[^"]*"|'[^']*'|[\w$]+(?:\.[\w$]+)*)/;

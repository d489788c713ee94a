/** The editor of definitions: one document per file, each with its own history, and the compiler's findings in their places. */
import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import {
  bracketMatching,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
import { type Action, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import {
  highlightSelectionMatches,
  openSearchPanel,
  search,
  searchKeymap,
} from "@codemirror/search";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
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
import { actAs, followed, sharedHistory } from "./editor_history.ts";
import type { ProjectEdits } from "./language/language.ts";
import type { LanguageClient } from "./language_client.ts";
import { type LanguageActions, languageExtensions } from "./language_extensions.ts";

interface EditorOptions extends LanguageActions {
  readonly language: LanguageClient;
  readonly onEdit: (path: string, text: string) => void;
  /** Text of a file as it is edited; null for one that is gone. */
  readonly textOf: (path: string) => string | null;
  /** Corrections to offer at a finding, as far as they are known. */
  readonly fixes: (finding: Finding) => readonly OfferedFix[];
}

export interface OfferedFix {
  readonly title: string;
  readonly apply: () => void;
}

export interface Spot {
  readonly line: number;
  readonly column: number | null;
}

const WRAPS = "playground-wraps";

export class Editor {
  readonly #view: EditorView;
  readonly #options: EditorOptions;
  /** States of files that are not shown. */
  readonly #states = new Map<string, EditorState>();
  readonly #wrapping = new Compartment();
  #wraps = localStorage.getItem(WRAPS) === "true";
  #path: string | null = null;
  #findings: readonly Finding[] = [];
  /** Of edits of several files at once. */
  #acts = 0;

  constructor(parent: Element, options: EditorOptions) {
    this.#options = options;
    this.#view = new EditorView({ parent, extensions: styleNonce() });
  }

  /** Offset of the cursor in the open file. */
  get at(): number {
    return this.#view.state.selection.main.head;
  }

  /** Line of the cursor. */
  get line(): number {
    return this.#view.state.doc.lineAt(this.at).number;
  }

  get path(): string | null {
    return this.#path;
  }

  open(path: string, text: string): void {
    if (this.#path === path && this.#view.state.doc.toString() === text) return;
    if (this.#path !== null && this.#path !== path) this.#states.set(this.#path, this.#view.state);
    const state = this.stateOf(path, text);
    this.#path = path;
    this.#view.setState(state);
    this.#states.delete(path);
    this.#showWrapping();
    this.#mark();
  }

  /** State of a file with that text, with its history where it has one. */
  stateOf(path: string, text: string): EditorState {
    const known = path === this.#path ? this.#view.state : this.#states.get(path);
    return known?.doc.toString() === text
      ? known
      : EditorState.create({ doc: text, extensions: this.#extensions(path) });
  }

  /** Edits files as one act, which is undone as one. */
  apply(edits: ProjectEdits): void {
    const act = ++this.#acts;
    for (const [path, changes] of Object.entries(edits)) {
      const state = this.stateOf(path, this.#options.textOf(path) ?? "");
      const transaction = state.update(actAs(changes, act));
      if (path === this.#path) this.#view.dispatch(transaction);
      else this.#keep(path, transaction.state);
    }
  }

  /** True when long lines are wrapped from now on, which is kept for the next visit. */
  toggleWrapping(): boolean {
    this.#wraps = !this.#wraps;
    localStorage.setItem(WRAPS, String(this.#wraps));
    this.#showWrapping();
    return this.#wraps;
  }

  focus(): void {
    this.#view.focus();
  }

  /** Opens the search in the open file. */
  search(): void {
    openSearchPanel(this.#view);
  }

  #keep(path: string, state: EditorState): void {
    this.#states.set(path, state);
    this.#options.onEdit(path, state.doc.toString());
  }

  #showWrapping(): void {
    const effects = this.#wrapping.reconfigure(this.#wraps ? EditorView.lineWrapping : []);
    this.#view.dispatch({ effects });
  }

  /** The file has another text than the one typed here, because the disk won. */
  replaceText(text: string): void {
    const { doc } = this.#view.state;
    if (doc.toString() === text) return;
    this.#view.dispatch({ changes: { from: 0, to: doc.length, insert: text } });
  }

  /** The file has another name; what the editor asks about it goes by that. */
  renamed(from: string, to: string): void {
    const text = this.#view.state.doc.toString();
    if (this.#path !== from) return;
    this.#path = null;
    this.open(to, text);
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
      actions: this.#options.fixes(finding).map(({ title, apply }): Action => ({
        name: title,
        apply,
      })),
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
      sharedHistory(),
      languageExtensions(this.#options.language, path, this.#options),
      this.#wrapping.of([]),
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
        // Said outright, for tools that do not know that a text being edited takes the focus.
        tabindex: "0",
        "aria-label": "Definition. Press Escape, then Tab to leave the editor",
      }),
      EditorView.updateListener.of(({ docChanged, state, transactions }) => {
        if (!docChanged || this.#path === null) return;
        this.#options.onEdit(this.#path, state.doc.toString());
        const known = [...this.#states].filter(([other, one]) =>
          this.#options.textOf(other) === one.doc.toString()
        );
        for (const transaction of transactions) {
          const others = followed(transaction, new Map(known));
          for (const [other, next] of others) this.#keep(other, next);
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
  { line: lineNumber, column, length }: Finding,
  state: EditorState,
): { readonly from: number; readonly to: number } {
  const line = state.doc.line(Math.min(Math.max(lineNumber, 1), state.doc.lines));
  if (column === null) {
    return { from: line.from + (line.text.length - line.text.trimStart().length), to: line.to };
  }
  const from = Math.min(line.from + column - 1, line.to);
  if (length !== undefined) return { from, to: Math.min(from + length, state.doc.length) };
  const [piece = " "] = PIECE.exec(state.sliceDoc(from, line.to)) ?? [];
  return { from, to: Math.min(from + piece.length, line.to) };
}

/** A text, or names joined by dots. */
const PIECE = /^(?:"[^"]*"|'[^']*'|[\w$]+(?:\.[\w$]+)*)/;

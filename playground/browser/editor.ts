/**
 * The editor of definitions: one document per file, each with its own history, and the compiler's findings in their places.
 * It has one pane or two, side by side; a file is open in one of them only.
 */
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
  /** Another pane is used from now on. */
  readonly onPane: () => void;
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

interface Pane {
  readonly host: HTMLElement;
  /** Name of the file, shown where there are two panes. */
  readonly name: HTMLElement;
  readonly view: EditorView;
  path: string | null;
}

export class Editor {
  readonly #parent: Element;
  readonly #options: EditorOptions;
  readonly #panes: Pane[] = [];
  /** The one that is used. */
  #pane: Pane;
  /** States of files that are not shown. */
  readonly #states = new Map<string, EditorState>();
  readonly #wrapping = new Compartment();
  #wraps = localStorage.getItem(WRAPS) === "true";
  #findings: readonly Finding[] = [];
  /** Of edits of several files at once. */
  #acts = 0;

  constructor(parent: Element, options: EditorOptions) {
    this.#parent = parent;
    this.#options = options;
    this.#pane = this.#addPane();
  }

  /** Offset of the cursor in the open file. */
  get at(): number {
    return this.#pane.view.state.selection.main.head;
  }

  /** Line of the cursor. */
  get line(): number {
    return this.#pane.view.state.doc.lineAt(this.at).number;
  }

  get path(): string | null {
    return this.#pane.path;
  }

  /** In the pane where the file is open already, or in the one that is used. */
  open(path: string, text: string): void {
    const pane = this.#paneOf(path) ?? this.#pane;
    this.#use(pane);
    if (pane.path === path && pane.view.state.doc.toString() === text) return;
    if (pane.path !== null && pane.path !== path) this.#states.set(pane.path, pane.view.state);
    const state = this.stateOf(path, text);
    pane.path = path;
    pane.name.textContent = path.split("/").at(-1) ?? path;
    pane.host.setAttribute("aria-label", path);
    showState(pane.view, state);
    this.#states.delete(path);
    this.#showWrapping();
    this.#mark();
  }

  /** Shows a second pane, or one again. False without another file to show in it. */
  split(): boolean {
    const [one, other] = this.#panes;
    if (one && other) {
      this.#close(this.#pane === one ? other : one);
    } else {
      // The file before this one is the last that was put away.
      const [path] = [...this.#states.keys()].filter((own) => this.#textOf(own) !== null).slice(-1);
      if (path === undefined) return false;
      this.#use(this.#addPane());
      this.open(path, this.#textOf(path) ?? "");
    }
    this.focus();
    return true;
  }

  /** Goes to the other pane, where there are two. */
  useOther(): void {
    this.#use(this.#panes.find((pane) => pane !== this.#pane) ?? this.#pane);
    this.focus();
  }

  /** State of a file with that text, with its history where it has one. */
  stateOf(path: string, text: string): EditorState {
    const known = this.#paneOf(path)?.view.state ?? this.#states.get(path);
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
      const pane = this.#paneOf(path);
      if (pane) pane.view.dispatch(transaction);
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
    this.#pane.view.focus();
  }

  /** Opens the search in the open file. */
  search(): void {
    openSearchPanel(this.#pane.view);
  }

  #addPane(): Pane {
    const name = element("p", { class: "editor-name" });
    const host = element("div", { class: "editor-pane", role: "group" }, name);
    this.#parent.append(host);
    const view = new EditorView({ parent: host, extensions: styleNonce() });
    const pane: Pane = { host, name, view, path: null };
    // Before whatever a click does in the pane.
    for (const type of ["focusin", "pointerdown"]) {
      host.addEventListener(type, () => this.#use(pane), { capture: true });
    }
    this.#panes.push(pane);
    return pane;
  }

  #use(pane: Pane): void {
    const isOther = pane !== this.#pane;
    this.#pane = pane;
    for (const one of this.#panes) one.host.classList.toggle("used", one === pane);
    this.#parent.classList.toggle("split", this.#panes.length > 1);
    if (isOther) this.#options.onPane();
  }

  #close(pane: Pane): void {
    if (pane.path !== null) this.#states.set(pane.path, pane.view.state);
    this.#panes.splice(this.#panes.indexOf(pane), 1);
    pane.view.destroy();
    pane.host.remove();
    this.#use(this.#panes.find((one) => one === this.#pane) ?? this.#panes[0] ?? pane);
  }

  #paneOf(path: string): Pane | undefined {
    return this.#panes.find((pane) => pane.path === path);
  }

  #textOf(path: string): string | null {
    return this.#options.textOf(path);
  }

  #keep(path: string, state: EditorState): void {
    const pane = this.#paneOf(path);
    if (pane) showState(pane.view, state);
    else this.#states.set(path, state);
    this.#options.onEdit(path, state.doc.toString());
  }

  #showWrapping(): void {
    const effects = this.#wrapping.reconfigure(this.#wraps ? EditorView.lineWrapping : []);
    for (const { view } of this.#panes) view.dispatch({ effects });
  }

  /** Open files may have another text than the one typed here, because the disk won, or be gone. */
  followTexts(): void {
    for (const pane of [...this.#panes]) {
      const text = pane.path === null ? null : this.#textOf(pane.path);
      if (text === null) {
        if (this.#panes.length > 1) this.#close(pane);
        continue;
      }
      const { doc } = pane.view.state;
      if (doc.toString() === text) continue;
      pane.view.dispatch({ changes: { from: 0, to: doc.length, insert: text } });
    }
  }

  /** The file has another name; what the editor asks about it goes by that. */
  renamed(from: string, to: string): void {
    const pane = this.#paneOf(from);
    if (!pane) return;
    this.#use(pane);
    pane.path = null;
    this.open(to, pane.view.state.doc.toString());
  }

  /** Marks what a compile found in the open file. */
  showFindings(findings: readonly Finding[]): void {
    this.#findings = findings;
    this.#mark();
  }

  /** Puts the cursor there. */
  goTo({ line, column }: Spot): void {
    const { view } = this.#pane;
    const { doc } = view.state;
    const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
    const anchor = Math.min(from + (column ?? 1) - 1, to);
    view.dispatch({
      selection: { anchor },
      effects: EditorView.scrollIntoView(anchor, { y: "center" }),
    });
    view.focus();
  }

  #mark(): void {
    for (const pane of this.#panes) this.#markIn(pane);
  }

  #markIn({ path, view }: Pane): void {
    const { state } = view;
    const own = this.#findings.filter(({ file }) => file === path);
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
    view.dispatch(setDiagnostics(state, marks));
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
        if (!docChanged) return;
        this.#options.onEdit(path, state.doc.toString());
        const shown = this.#panes.map((pane) => [pane.path ?? "", pane.view.state] as const);
        const known = [...this.#states, ...shown].filter(([other, one]) =>
          other !== path && this.#textOf(other) === one.doc.toString()
        );
        for (const transaction of transactions) {
          const others = followed(transaction, new Map(known));
          for (const [other, next] of others) this.#keep(other, next);
        }
      }),
    ];
  }
}

/** Measures first what the old state asked for: the view keeps such requests, and their places may lie behind the new text's end. */
function showState(view: EditorView, state: EditorState): void {
  view.coordsAtPos(0);
  view.setState(state);
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

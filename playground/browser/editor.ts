/**
 * Editor of definitions: each file has its own document and history, and the compiler's findings are marked in place. There are
 * one or two panes side by side; a file is open in only one of them.
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
  /** Returns the current text of a file; null if the file is gone. */
  readonly textOf: (path: string) => string | null;
  /** Called when the user switches to the other pane. */
  readonly onPane: () => void;
  /** Returns the known fixes of a finding. */
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
  /** Element with the file's name, shown when there are two panes. */
  readonly name: HTMLElement;
  readonly view: EditorView;
  path: string | null;
}

export class Editor {
  readonly #parent: Element;
  readonly #options: EditorOptions;
  readonly #panes: Pane[] = [];
  /** Pane that has the focus. */
  #pane: Pane;
  /** States of files that no pane shows. */
  readonly #states = new Map<string, EditorState>();
  readonly #wrapping = new Compartment();
  #wraps = localStorage.getItem(WRAPS) === "true";
  #findings: readonly Finding[] = [];
  /** Counts the edits that change several files at once. */
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

  /** Opens a file, in the pane that shows it already or else in the current one. */
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

  /** Shows two panes, or one again. Returns false if there is no other file to show. */
  split(): boolean {
    const [one, other] = this.#panes;
    if (one && other) {
      this.#close(this.#pane === one ? other : one);
    } else {
      // The last state that was put away belongs to the file opened before this one.
      const [path] = [...this.#states.keys()].filter((own) => this.#textOf(own) !== null).slice(-1);
      if (path === undefined) return false;
      this.#use(this.#addPane());
      this.open(path, this.#textOf(path) ?? "");
    }
    this.focus();
    return true;
  }

  /** Switches to the other pane, if there are two. */
  useOther(): void {
    this.#use(this.#panes.find((pane) => pane !== this.#pane) ?? this.#pane);
    this.focus();
  }

  /** Returns the editor state of a file with this text, with the file's history if it has one. */
  stateOf(path: string, text: string): EditorState {
    const known = this.#paneOf(path)?.view.state ?? this.#states.get(path);
    return known?.doc.toString() === text
      ? known
      : EditorState.create({ doc: text, extensions: this.#extensions(path) });
  }

  /** Edits several files as one step, which one undo reverts. */
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

  /** Switches the wrapping of long lines and keeps the choice for the next visit. Returns true if lines are wrapped now. */
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
    // The pane is chosen before the click takes effect in it.
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

  /** Updates open files whose text differs from the stored one, because the file changed on disk or was removed. */
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

  /** Renames an open file, so that later calls of the editor use the new name. */
  renamed(from: string, to: string): void {
    const pane = this.#paneOf(from);
    if (!pane) return;
    this.#use(pane);
    pane.path = null;
    this.open(to, pane.view.state.doc.toString());
  }

  /** Marks the findings of a compile in the open file. */
  showFindings(findings: readonly Finding[]): void {
    this.#findings = findings;
    this.#mark();
  }

  /** Moves the cursor to the place. */
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
        // The attribute is explicit for tools that do not know that an editable text takes the focus.
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

/**
 * Shows another state. The view first runs its pending measurements: their positions may lie beyond the end of the new text.
 */
function showState(view: EditorView, state: EditorState): void {
  view.coordsAtPos(0);
  view.setState(state);
}

/** Chooses the highlighting by a file's name; its classes are coloured by the style sheet. */
const CODE = /\.(?:[cm]?[jt]sx?|json)$/;

/** Gives the editor the nonce with which the page's policy lets it write its style sheet. */
export function styleNonce(): Extension {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? "";
  return EditorView.cspNonce.of(nonce);
}

export function languageOf(path: string): Extension {
  return CODE.test(path)
    ? [javascript({ typescript: true }), syntaxHighlighting(classHighlighter)]
    : [];
}

/** Returns the range of the word at the place, or of the whole line if no column is known. */
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

/** Matches a quoted text, or names joined by dots. */
const PIECE = /^(?:"[^"]*"|'[^']*'|[\w$]+(?:\.[\w$]+)*)/;

/** The compiler's findings as marks of the editor: underlined, beside the line, and in full on hover. */
import type { Diagnostic } from "@codemirror/lint";
import type { EditorState } from "@codemirror/state";
import type { Finding } from "./compile_stream.ts";
import { element } from "./dom.ts";

export function markOf(finding: Finding, state: EditorState): Diagnostic {
  return {
    ...rangeOf(finding, state),
    severity: finding.severity,
    source: finding.code,
    message: finding.message,
    renderMessage: () => messageOf(finding),
  };
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

function messageOf({ message, hint, code }: Finding): HTMLElement {
  return element(
    "div",
    { class: "finding-hover" },
    element("p", { class: "finding-message" }, message),
    hint === null ? null : element("p", { class: "finding-hint" }, hint),
    element("p", { class: "finding-code" }, code),
  );
}

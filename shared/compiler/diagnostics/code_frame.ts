/** Formats diagnostics for a terminal: message, place, the line with its neighbours, a caret and the hint. */
import { printable } from "../../lib/texts.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { linesOf } from "./lines.ts";

/** Wraps a text in colours, or returns it unchanged if there are none. */
export interface FrameStyle {
  readonly error: (text: string) => string;
  readonly warning: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
}

const same = (text: string): string => text;

export const PLAIN_STYLE: FrameStyle = { error: same, warning: same, strong: same, faint: same };

/** Limit of a line's width. A longer line is cut around the mistake. */
const WIDTH_MAX = 120;

/** Formats one diagnostic. `text` is the file's content; null when it is not available. */
export function codeFrame(
  diagnostic: Diagnostic,
  text: string | null,
  style: FrameStyle = PLAIN_STYLE,
): string {
  const { severity, code, message, place, hint } = diagnostic;
  const mark = severity === "error" ? style.error : style.warning;
  const lines = text === null ? [] : linesAround(diagnostic, text);
  const gutter = String(lines.at(-1)?.number ?? 1).length;
  const pad = " ".repeat(gutter);
  const location = `${place.file}:${place.line}:${place.column}`;
  return [
    `${mark(`${severity}[${printable(code)}]`)} ${style.strong(printable(message))}`,
    `${pad} ${style.faint("┌─")} ${printable(location)}`,
    ...lines.flatMap((line) => frameLine(line, diagnostic, gutter, style)),
    ...(hint === null ? [] : [`${pad} ${style.faint("=")} hint: ${printable(hint)}`]),
  ].join("\n");
}

interface SourceLine {
  readonly number: number;
  readonly text: string;
}

/** Returns the line of the mistake and one before and after it. */
function linesAround({ place }: Diagnostic, text: string): readonly SourceLine[] {
  const all = linesOf(text);
  const first = Math.max(1, place.line - 1);
  const wanted = all.slice(first - 1, place.line + 1);
  return wanted.map((line, index) => ({ number: first + index, text: line }));
}

function frameLine(
  line: SourceLine,
  diagnostic: Diagnostic,
  gutter: number,
  style: FrameStyle,
): string[] {
  const { place, severity } = diagnostic;
  const number = String(line.number).padStart(gutter);
  const isOffending = line.number === place.line;
  // The first visible column of a line that is cut, so that the reported column stays in view.
  const start = isOffending && place.column > WIDTH_MAX - 20 ? place.column - 40 : 0;
  const shown = printable(line.text.slice(start, start + WIDTH_MAX));
  const row = `${style.faint(`${number} │`)} ${shown}`.trimEnd();
  if (!isOffending) return [row];
  const mark = severity === "error" ? style.error : style.warning;
  const before = Math.max(0, place.column - 1 - start);
  const carets = Math.max(1, Math.min(place.length, WIDTH_MAX - before));
  const underline = " ".repeat(before) + mark("^".repeat(carets));
  return [row, `${" ".repeat(gutter)} ${style.faint("│")} ${underline}`];
}

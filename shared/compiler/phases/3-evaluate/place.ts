/** Converts a node of the syntax tree to the author's line and column. */
import type { Place } from "../../diagnostics/diagnostic.ts";
import type { SourceFile } from "../1-read/layout.ts";

/** The part of a parser's node with its position. */
export interface Located {
  readonly start?: number | null;
  readonly end?: number | null;
  readonly loc?: {
    readonly start: { readonly line: number; readonly column: number };
    readonly end: { readonly line: number; readonly column: number };
  } | null;
}

/** Returns a node's place. A node of several lines is underlined to the end of its first line. */
export function placeOf(node: Located, { path, text }: SourceFile): Place {
  const { loc } = node;
  if (!loc) return { file: path, line: 1, column: 1, length: 1 };
  const { start, end } = loc;
  const length = start.line === end.line
    ? end.column - start.column
    : restOfLine(text, node.start ?? 0);
  return { file: path, line: start.line, column: start.column + 1, length: Math.max(1, length) };
}

export function textOf(node: Located, { text }: SourceFile): string {
  return text.slice(node.start ?? 0, node.end ?? 0);
}

function restOfLine(text: string, start: number): number {
  const lineEnd = text.indexOf("\n", start);
  return text.slice(start, lineEnd === -1 ? text.length : lineEnd).trimEnd().length;
}

/** From a place in the output to the author's: carried code has other imports, and tables where declarations stood. */
import { positionAt } from "../../diagnostics/lines.ts";
import type { Place } from "../../diagnostics/diagnostic.ts";
import type { FileOrigin, GeneratedFile } from "../../host.ts";
import type { OutputPlace } from "./bundle_problem.ts";

/** Null: the place is in code that no author wrote. */
export function sourcePlace(
  { content, origin }: GeneratedFile,
  place: OutputPlace,
): Place | null {
  if (origin === undefined) return null;
  const from = offsetOf(content, place.line, place.column);
  const offset = sourceOffset(origin, from);
  const length = offsetOf(content, place.line, place.column + place.length) - from;
  return {
    file: origin.file,
    ...positionAt(origin.text, offset),
    length: Math.max(1, Math.min(length, restOfLine(origin.text, offset))),
  };
}

/** A place inside what was replaced is where the replaced text began. */
function sourceOffset({ pieces, text }: FileOrigin, output: number): number {
  const piece = pieces.findLast((one) => one.output <= output);
  if (piece === undefined) return 0;
  return Math.min(piece.source + Math.min(output - piece.output, piece.length), text.length);
}

const LINE_END = /\r\n|[\n\r\u2028\u2029]/g;

/** Offset of a byte column of a line. */
function offsetOf(text: string, line: number, column: number): number {
  const ends = text.matchAll(LINE_END);
  let start = 0;
  for (let skipped = 1; skipped < line; skipped++) {
    const end = ends.next().value;
    if (end === undefined) break;
    start = end.index + end[0].length;
  }
  const rest = text.slice(start, start + column);
  const bytes = new TextEncoder().encode(rest).subarray(0, column);
  return start + new TextDecoder().decode(bytes).length;
}

function restOfLine(text: string, offset: number): number {
  const end = text.slice(offset).search(/[\n\r\u2028\u2029]/);
  return end === -1 ? text.length - offset : end;
}

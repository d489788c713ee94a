/** Writes rows as a table for a terminal. */
import { printable } from "../shared/lib/texts.ts";

/** Writes columns as wide as their widest cell; no line ends in blanks. */
export function tableText(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(printable));
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0))
  );
  const lines = cells.map((row) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd()
  );
  return lines.join("\n");
}

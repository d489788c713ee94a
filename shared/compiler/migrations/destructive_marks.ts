/** Marks data losses above the SQL of a migration: read by people, and by `quickback diff` (definitions 2). */
import type { SchemaLoss } from "./schema_change.ts";

/** Start of each line that marks a loss. */
export const DESTRUCTIVE_MARK = "-- destructive:";

/** One comment line for each loss, without a closing newline. */
export function destructiveMarks(losses: readonly SchemaLoss[]): readonly string[] {
  return losses.map((loss) => `${DESTRUCTIVE_MARK} ${lossText(loss)}`);
}

function lossText(loss: SchemaLoss): string {
  switch (loss.kind) {
    case "tableDropped":
      return `the table ${quoted(loss.table)} and its rows are gone`;
    case "columnDropped":
      return `the column ${quoted(loss.table)}.${quoted(loss.column)} and its values are gone`;
    case "renameOrDrop":
      return `the column ${quoted(loss.table)}.${quoted(loss.gone)} and its values are gone`;
    case "deletedRowsDropped":
      return `the rows of ${quoted(loss.table)} that ${
        quoted(loss.column)
      } marks as deleted are gone`;
    case "rowsDeleted":
      return `the rows of ${quoted(loss.table)} are gone`;
    case "typeChanged":
      return `the values of ${quoted(loss.table)}.${
        quoted(loss.column)
      } are cast from ${loss.from} to ${loss.to}`;
  }
}

/** A JSON text has no line break, so that no name ends the comment. */
function quoted(name: string): string {
  return JSON.stringify(name);
}

/** Sequences: columns whose default counts up (definitions 3), and the table with their last numbers. */
import type { ProjectModel } from "./project.ts";
import { type SqlTable, textColumn as text } from "./sql_table.ts";
import type { ColumnModel, Sequence, TableModel } from "./table.ts";

/** The last number of each sequence, by organization. */
export const SEQUENCES: SqlTable = {
  name: "qb_sequences",
  columns: [
    // Made by `sequenceId`.
    { ...text("id"), notNull: true, primaryKey: true },
    // `<table>.<column>` in SQL names.
    { ...text("sequence"), notNull: true },
    // Null: the sequence counts the rows of the whole table.
    text("organization_id"),
    { ...text("value"), type: "integer", notNull: true },
  ],
  indexes: [{
    name: "qb_sequences_organization_id_idx",
    columns: ["organization_id"],
    unique: false,
    where: null,
  }],
};

export function hasSequences({ tables }: ProjectModel): boolean {
  return tables.some((table) => table.columns.some((column) => sequenceOf(column) !== null));
}

/** Returns the column's sequence; null when its default is another kind or missing. */
export function sequenceOf({ default: value }: Pick<ColumnModel, "default">): Sequence | null {
  return value?.kind === "made" && value.value.kind === "sequence" ? value.value : null;
}

/** Returns the sequence's name in `SEQUENCES`. */
export function sequenceName(
  table: Pick<TableModel, "sqlName">,
  column: Pick<ColumnModel, "sqlName">,
): string {
  return `${table.sqlName}.${column.sqlName}`;
}

/** Returns the key of a sequence's row. `organizationId` is null when it counts a whole table. */
export function sequenceId(name: string, organizationId: string | null): string {
  return `${name} ${organizationId ?? ""}`;
}

/** Formats a number of a sequence. It is padded to the sequence's digits, and longer once it has outgrown them. */
export function numberedText({ before, digits, after }: Sequence, number: number): string {
  return `${before}${String(number).padStart(digits, "0")}${after}`;
}

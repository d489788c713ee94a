/** Sequences: columns whose default counts up (definitions 3), and the table of the numbers that they have reached. */
import type { ProjectModel } from "./project.ts";
import { type SqlTable, textColumn as text } from "./sql_table.ts";
import type { ColumnModel, Sequence, TableModel } from "./table.ts";

/** Last numbers given, by sequence and organization. */
export const SEQUENCES: SqlTable = {
  name: "qb_sequences",
  columns: [
    // `sequenceId`.
    { ...text("id"), notNull: true, primaryKey: true },
    // `<table>.<column>` by SQL names.
    { ...text("sequence"), notNull: true },
    // Null: it counts the rows of the whole table.
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

/** Null: its default is another one. */
export function sequenceOf({ default: value }: Pick<ColumnModel, "default">): Sequence | null {
  return value?.kind === "made" && value.value.kind === "sequence" ? value.value : null;
}

/** The sequence's name in `SEQUENCES`. */
export function sequenceName(
  table: Pick<TableModel, "sqlName">,
  column: Pick<ColumnModel, "sqlName">,
): string {
  return `${table.sqlName}.${column.sqlName}`;
}

/** The key of its row; `organizationId` is null where it counts a whole table. */
export function sequenceId(name: string, organizationId: string | null): string {
  return `${name} ${organizationId ?? ""}`;
}

/** A number in the form of its sequence: at least so many digits, and more where it has outgrown them. */
export function numberedText({ before, digits, after }: Sequence, number: number): string {
  return `${before}${String(number).padStart(digits, "0")}${after}`;
}

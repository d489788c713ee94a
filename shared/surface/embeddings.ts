/**
 * Finds the rows that wait for a vector which the embeddings service makes of texts (definitions 3). The index and the worker
 * share this condition.
 */
import { sqlIdentifier } from "../lib/sql_text.ts";
import type { ProjectModel, TableModel } from "../model/mod.ts";
import { columnNamed, type VectorColumn, vectorColumnOf } from "./tables.ts";

/** A vector and the text columns that it is made from. */
export interface MadeVector extends VectorColumn {
  readonly table: TableModel;
  readonly sources: readonly string[];
}

/** Returns the table's vector; null: the rows have none, or clients write it. */
export function madeVectorOf(table: TableModel): MadeVector | null {
  const vector = vectorColumnOf(table);
  return vector?.type.from ? { ...vector, table, sources: vector.type.from } : null;
}

export function madeVectorsOf(project: Pick<ProjectModel, "tables">): readonly MadeVector[] {
  return project.tables.flatMap((table) => madeVectorOf(table) ?? []);
}

/** Returns the name of the index of the rows that wait. */
export function waitingIndexName({ table, column }: MadeVector): string {
  return `${table.sqlName}_${column.sqlName}_waiting_idx`;
}

/** Returns SQL that is true for a row with a text whose vector is missing or has other dimensions. */
export function waitingSql({ table, column, type, sources }: MadeVector): string {
  const vector = sqlIdentifier(column.sqlName);
  const texts = sources.map((name) =>
    `trim(${sqlIdentifier(columnNamed(name, table).sqlName)}) <> ''`
  );
  return `(${vector} IS NULL OR length(${vector}) <> ${type.dimensions * 4}) AND (${
    texts.join(" OR ")
  })`;
}

/** The tables of a feature, and the one among them that stands for it (definitions 1). */
import type { TableDraft } from "./draft.ts";

export function tablesOf(feature: string, tables: readonly TableDraft[]): readonly TableDraft[] {
  return tables.filter((table) => table.feature === feature);
}

/** By the name of its file, or its own. */
export function tableNamed(
  name: string,
  tables: readonly TableDraft[],
): TableDraft | undefined {
  return tables.find((table) => baseName(table.file) === name || table.name === name);
}

/** Named like the feature, or its only one; null: the feature has no such table. */
export function primaryTableOf(
  feature: string,
  tables: readonly TableDraft[],
): TableDraft | null {
  const own = tablesOf(feature, tables);
  const [only = null] = own;
  return tableNamed(feature, own) ?? (own.length === 1 ? only : null);
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.ts$/, "");
}

/** `<name>_label` beside `<name>Id`, where the target has a display column (contract 2.4). */
import { rulesOf } from "../../../../column_types/mod.ts";
import type { LabelModel } from "../../../../model/resource.ts";
import { type Analysis, requireColumn } from "../tables/analysis.ts";
import { read } from "../read/read_member.ts";
import type { TableDraft } from "../tables/draft.ts";
import type { ResourceScope } from "./resource_scope.ts";

/** In this order, where nobody says (definitions 4). */
const DISPLAY_NAMES = ["name", "title", "label", "code"];

/** Table → its human-readable column, checked when the author named it. */
export function readDisplayColumns(analysis: Analysis): ReadonlyMap<string, string | null> {
  return new Map(analysis.tables.map((table) => [table.name, readDisplayColumn(table, analysis)]));
}

function readDisplayColumn(table: TableDraft, analysis: Analysis): string | null {
  const word = table.options && read(table.options, "displayColumn");
  if (word) {
    const column = requireColumn(word, table, analysis.report);
    if (column?.type && rulesOf(column.type).isStructured) {
      analysis.report.add("COLUMN_NOT_COMPARABLE", word.place, { column: column.name });
    }
    return column?.name ?? null;
  }
  return table.options?.entries.has("displayColumn") ? null : usualDisplayColumn(table);
}

function usualDisplayColumn(table: TableDraft): string | null {
  return DISPLAY_NAMES.find((name) => {
    const type = table.columns.get(name)?.type;
    return type !== undefined && type !== null && rulesOf(type).isText;
  }) ?? null;
}

/** Labels of a resource; `displayColumns` by table. A table without routes lends no label. */
export function labelsOf(
  { table, relations, analysis }: ResourceScope,
  displayColumns: ReadonlyMap<string, string | null>,
): readonly LabelModel[] {
  return [...relations].flatMap(([column, relation]): LabelModel[] => {
    const display = displayColumns.get(relation.table) ?? null;
    const target = analysis.tables.find((candidate) => candidate.name === relation.table);
    if (!/.Id$/.test(column) || display === null || !target?.options) return [];
    const field = `${column.slice(0, -2)}_label`;
    const taken = table.columns.get(field);
    if (taken) analysis.report.add("LABEL_TAKEN", taken.place, { label: field, column });
    return [{ field, column, table: relation.table, display }];
  });
}

/** Resolves foreign keys, from `.references()` and from `references`, to their tables (definitions 3 and 4). */
import { rulesOf } from "../../../../column_types/mod.ts";
import type { RelationModel } from "../../../../model/mod.ts";
import { type Analysis, requireColumn, requireTable, tableMeant } from "./analysis.ts";
import { read } from "../read/read_member.ts";
import type { ColumnDraft, ReferenceDraft, TableDraft } from "./draft.ts";
import { idStrategyOf, primaryKeyOf } from "./draft.ts";

export type Relations = ReadonlyMap<string, RelationModel>;

/** Returns the foreign keys by column name. */
export function relationsOf(table: TableDraft, analysis: Analysis): Relations {
  // Reads `references: { fkColumn: "table" }`.
  const members = table.options && read(table.options, "references");
  const declared = new Map<string, ReferenceDraft>();
  for (const { key, value } of members ?? []) {
    if (!requireColumn(key, table, analysis.report)) continue;
    declared.set(key.text, {
      target: { kind: "table", name: value.text },
      place: value.place,
      onDelete: null,
      onDeletePlace: null,
    });
  }
  const relations = new Map<string, RelationModel>();
  for (const column of table.columns.values()) {
    const reference = column.references ?? declared.get(column.name) ?? null;
    const relation = reference && resolved(reference, column, analysis);
    if (relation) relations.set(column.name, relation);
  }
  for (const [name, reference] of declared) {
    checkAgreement(name, reference, relations, analysis);
  }
  return relations;
}

function resolved(
  reference: ReferenceDraft,
  column: ColumnDraft,
  analysis: Analysis,
): RelationModel | null {
  const target = targetOf(reference, analysis);
  const primaryKey = target && primaryKeyOf(target);
  if (!target || !primaryKey || !column.type) return null;
  // A resource whose key is not `id` was reported, so a foreign key to `id` is right.
  if (target.options && primaryKey.name !== "id") return null;
  if (!(reference.target.kind === "table" || reference.target.member === primaryKey.name)) {
    const details = { target: target.name, key: primaryKey.name };
    analysis.report.add("REFERENCE_NOT_KEY", reference.place, details);
    return null;
  }
  const wanted = idStrategyOf(target, analysis.config) === "serial" ? "int" : "text";
  if (rulesOf(column.type).key !== wanted) {
    const type = wanted === "int" ? "q.int()" : "q.text()";
    analysis.report.add("REFERENCE_TYPE", column.place, {
      column: column.name,
      target: target.name,
      type,
    });
    return null;
  }
  return { table: target.name, column: primaryKey.name, onDelete: reference.onDelete };
}

function targetOf(reference: ReferenceDraft, analysis: Analysis): TableDraft | undefined {
  const { target, place } = reference;
  if (target.kind === "table") return requireTable({ text: target.name, place }, analysis);
  const { file } = target.binding;
  const table = analysis.tables.find((candidate) => candidate.file === file);
  if (!table && !analysis.brokenFiles.has(file)) {
    analysis.report.add("REFERENCE_NOT_TABLE", place, { name: target.binding.name, file });
  }
  return table;
}

/** Checks that the two spellings of one foreign key name the same table. */
function checkAgreement(
  column: string,
  reference: ReferenceDraft,
  relations: Relations,
  analysis: Analysis,
): void {
  const { target, place } = reference;
  if (target.kind !== "table") return;
  const table = tableMeant({ text: target.name, place }, analysis)?.name ?? target.name;
  const relation = relations.get(column);
  if (relation && relation.table !== table) {
    const details = { column, table, other: relation.table };
    analysis.report.add("REFERENCE_CONFLICT", reference.place, details);
  }
}

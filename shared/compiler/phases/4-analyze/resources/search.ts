/** Reads `search` of a resource: the columns of its full-text index and their weights (definitions 4). */
import { rulesOf } from "../../../../column_types/mod.ts";
import { SEARCH } from "../../../../definition_language/resource.ts";
import type { FullTextModel, MaskRule, ReadModel } from "../../../../model/mod.ts";
import { type At, below, read, readField, readFields, type Token, wrongType } from "../read/mod.ts";
import { type ColumnDraft, searchedColumns } from "../tables/draft.ts";
import { columnTokens, type ResourceScope } from "./resource_scope.ts";
import { admitsOnly } from "./view_roles.ts";

const WEIGHT_MAX = 100;

/** Returns the full-text index; undefined if there is none, or a wrong one, which is reported. */
export function readSearch(
  scope: ResourceScope,
  masks: Readonly<Record<string, MaskRule>>,
  reads: ReadModel | null,
): FullTextModel | undefined {
  const { table, options, relations, analysis: { report } } = scope;
  const entry = options.entries.get("search");
  if (!entry) return undefined;
  const at = below(options.at, "search");
  const fields = readFields(entry.value, SEARCH, at);
  if (!fields || read(fields, "mode") === undefined) return undefined;
  const named = readField(fields, "fields", columnTokens(scope));
  const indexed = named
    ? named.filter((token) => mayBeIndexed(token, scope, { masks, reads }))
      .flatMap(({ text }) => table.columns.get(text) ?? [])
    : searchedColumns(table, relations).filter(({ name, manager }) =>
      !Object.hasOwn(masks, name) && manager !== "computed"
    );
  if (indexed.length === 0 && (!named || named.length === 0)) {
    report.add("SEARCH_EMPTY", entry.keyPlace, { table: table.name });
  }
  const names = indexed.map(({ name }) => name);
  const weights = readWeights(fields.entries.get("weights")?.value, names, below(at, "weights"));
  return indexed.length === 0 ? undefined : {
    mode: "fullText",
    columns: names.map((column) => ({ column, weight: weights.get(column) ?? 1 })),
  };
}

/** Reports columns that a view searches but no index contains. */
export function requireIndexed(
  { options, analysis: { report } }: ResourceScope,
  search: FullTextModel | undefined,
  reads: ReadModel | null,
): void {
  const entry = options.entries.get("search");
  if (!search || !entry) return;
  const indexed = search.columns.map(({ column }) => column);
  for (const { name: view, searchable } of reads?.views ?? []) {
    for (const column of searchable ?? []) {
      if (!indexed.includes(column)) {
        report.add("SEARCH_NOT_INDEXED", entry.keyPlace, { view, column });
      }
    }
  }
}

function mayBeIndexed(
  { text, place }: Token,
  { table, analysis: { report } }: ResourceScope,
  { masks, reads }: {
    readonly masks: Readonly<Record<string, MaskRule>>;
    readonly reads: ReadModel | null;
  },
): boolean {
  const column: ColumnDraft | undefined = table.columns.get(text);
  if (!column?.type) return false;
  // The index contains what statements write, so a computed column cannot be in it.
  if (!rulesOf(column.type).isText || column.manager === "computed") {
    const type = column.manager === "computed" ? "q.computed" : column.type.kind;
    report.add("SEARCH_TYPE", place, { column: text, type });
    return false;
  }
  const mask = Object.hasOwn(masks, text) ? masks[text] : undefined;
  // A caller who has only the view and sees the column masked may not search it.
  const isPlain = mask === undefined ||
    mask.showRows === undefined && reads !== null && admitsOnly(reads.access, mask.showRoles);
  if (isPlain) return true;
  report.add("SEARCH_MASKED", place, { column: text });
  return false;
}

type Value = Parameters<typeof wrongType>[0];

function readWeights(
  value: Value | undefined,
  columns: readonly string[],
  at: At,
): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  if (value === undefined) return weights;
  if (value.kind !== "object") {
    wrongType(value, "an object", at);
    return weights;
  }
  for (const { key, keyPlace, value: weight } of value.entries) {
    if (!columns.includes(key)) {
      at.report.add("SEARCH_WEIGHT", keyPlace, { column: key, columns });
    } else if (weight.kind !== "number" || !(weight.value > 0 && weight.value <= WEIGHT_MAX)) {
      wrongType(weight, `a number above 0, up to ${WEIGHT_MAX}`, below(at, key));
    } else weights.set(key, weight.value);
  }
  return weights;
}

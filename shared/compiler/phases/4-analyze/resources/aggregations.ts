/** `aggregations` of a view (definitions 4.5). */
import { rulesOf } from "../../../../column_types/mod.ts";
import { AGGREGATION, type VIEW } from "../../../../definition_language/resource.ts";
import type { AggregationModel } from "../../../../model/resource.ts";
import type { Value } from "../../values.ts";
import { requireColumn } from "../tables/analysis.ts";
import { type Fields, readField, readFields, requireField } from "../read/fields.ts";
import { type At, type Reader, type Token } from "../read/reader.ts";
import { read } from "../read/read_member.ts";
import { mapOf, readToken } from "../read/scalars.ts";
import type { ColumnDraft } from "../tables/draft.ts";
import type { ResourceScope } from "./resource_scope.ts";

type AggregateFunction = AggregationModel["fn"];

export function readAggregations(
  view: Fields<(typeof VIEW)["members"]>,
  scope: ResourceScope,
): readonly AggregationModel[] {
  const members = readField(view, "aggregations", mapOf(aggregationReader(scope))) ?? [];
  return members.map(({ key, value }) => ({ name: key.text, ...value }));
}

function aggregationReader(scope: ResourceScope): Reader<Omit<AggregationModel, "name">> {
  return (value: Value, at: At) => {
    const fields = readFields(value, AGGREGATION, at);
    const fn = fields && read(fields, "fn");
    if (!fields || !fn) return undefined;
    if (fn === "count" && !fields.entries.has("field")) return { fn, column: null };
    const word = requireField(fields, "field", readToken);
    const column = word && requireColumn(word, scope.table, at.report);
    if (!word || !column || !isApplicable(word, { column, fn }, at)) return undefined;
    return { fn, column: column.name };
  };
}

function isApplicable(
  word: Token,
  { column, fn }: { readonly column: ColumnDraft; readonly fn: AggregateFunction },
  at: At,
): boolean {
  const { type } = column;
  if (!type || fn === "count" || rulesOf(type).aggregates.includes(fn)) return true;
  at.report.add("AGGREGATION_TYPE", word.place, { fn, column: column.name, type: type.kind });
  return false;
}

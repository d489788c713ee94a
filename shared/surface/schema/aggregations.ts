/** A view's aggregations as they answer (definitions 4.5): null over no value, a count always a number. */
import { valuesOf } from "../../column_types/mod.ts";
import type { TableModel } from "../../model/table.ts";
import type { AggregationModel } from "../../model/view.ts";
import type { JsonSchema } from "../parameters.ts";
import { columnNamed } from "../tables.ts";
import { orNull } from "./zod_json.ts";

/** Null: the view declares none, so its pages have no such member. */
export function aggregationsSchema(
  aggregations: readonly AggregationModel[],
  table: TableModel,
): JsonSchema | null {
  if (aggregations.length === 0) return null;
  return {
    type: "object",
    description: "Over every matching record that the caller may see, whatever the page.",
    properties: Object.fromEntries(
      aggregations.map((one) => [
        one.name,
        { ...valueOf(one, table), description: aggregationText(one) },
      ]),
    ),
    required: aggregations.map(({ name }) => name),
    additionalProperties: false,
  };
}

function aggregationText({ fn, column }: AggregationModel): string {
  return column === null ? "Number of records." : `\`${fn}\` of \`${column}\`; null over none.`;
}

function valueOf({ fn, column }: AggregationModel, table: TableModel): JsonSchema {
  if (fn === "count" || column === null) return { type: "integer", minimum: 0 };
  const { schema } = valuesOf(columnNamed(column, table), table);
  switch (fn) {
    case "sum":
      return orNull({ type: schema["type"] ?? null });
    case "avg":
      return orNull({ type: "number" });
    case "min":
    case "max":
      return orNull(schema);
  }
}

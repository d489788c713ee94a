/**
 * `feature` and `defineTable`: a table with routes. The compiler reads the configuration. At run time only the columns count.
 */
import type { ResourceDefinition } from "../definition_language/resource.ts";
import type { ColumnNameOf, Columns, ImpliedColumn, TableOf, TableOptions } from "./table.ts";
import { tableOf } from "./table.ts";

export type FeatureDefinition<Own extends Columns> =
  & { readonly columns: Own }
  & ResourceDefinition<NoInfer<(keyof Own & string) | ImpliedColumn>>;

/** Defines a resource in one call, the preferred form. The result has one reference per column. */
export function feature<Name extends string, Own extends Columns>(
  name: Name,
  definition: FeatureDefinition<Own>,
): TableOf<Name, Own> {
  return tableOf(name, definition.columns);
}

/**
 * Defines a resource over a table of `q.table` or of drizzle's `sqliteTable`, or the options of a table without routes. The
 * result is that table.
 */
export function defineTable<Of extends object>(
  table: Of,
  _definition: ResourceDefinition<NoInfer<ColumnNameOf<Of>>> | TableOptions,
): Of {
  return table;
}

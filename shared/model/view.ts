/** A named projection of a resource's list (contract 4.2, definitions 4.5). */
import type { Access } from "./access.ts";

export interface SortKey {
  readonly column: string;
  readonly descending: boolean;
}

export const AGGREGATE_FUNCTIONS = ["count", "sum", "avg", "min", "max"] as const;

export interface AggregationModel {
  readonly name: string;
  readonly fn: typeof AGGREGATE_FUNCTIONS[number];
  /** Null only for `count`. */
  readonly column: string | null;
}

export interface ViewModel {
  readonly name: string;
  /** URL segment, kebab-case. */
  readonly segment: string;
  readonly fields: readonly string[];
  /** The parent's read access and the view's own, both binding. */
  readonly access: Access;
  readonly include: readonly string[];
  /** Null: every column in `fields`. */
  readonly filterable: readonly string[] | null;
  readonly sortable: readonly string[] | null;
  readonly searchable: readonly string[] | null;
  readonly defaultSort: readonly SortKey[];
  readonly aggregations: readonly AggregationModel[];
}

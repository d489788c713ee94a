/** Defines query parameters of lists by their effect (contract 4.3). */
import type { IdStrategy, JsonSchema } from "../contract/mod.ts";
import type { FilterOperator } from "../column_types/filter_operators.ts";
import type { ValueType } from "../column_types/column_type.ts";

import type { WhereScope } from "./where.ts";
import type { VectorColumn } from "./tables.ts";

export interface Parameter {
  readonly name: string;
  readonly use: ParameterUse;
  readonly description: string;
  /** Schema of the value as OpenAPI reads it: comma-separated lists are arrays. */
  readonly schema: JsonSchema;
}
/** Effect of a parameter. */
export type ParameterUse =
  | { readonly kind: "limit" }
  | { readonly kind: "offset" }
  | { readonly kind: "sort"; readonly columns: readonly string[] }
  | { readonly kind: "order" }
  | {
    readonly kind: "fields";
    readonly columns: readonly string[];
    /** True in contract v2, which refuses an unknown name (contract 4.3 rule 5). */
    readonly strict: boolean;
  }
  | { readonly kind: "total" }
  | {
    readonly kind: "search";
    readonly columns: readonly string[];
    /** True for a search of words in an index, instead of a substring. */
    readonly isFullText: boolean;
  }
  | {
    readonly kind: "filter";
    readonly column: string;
    readonly operator: FilterOperator;
    /** True if the value may be several values, separated by commas. A repeated parameter adds more of them. */
    readonly isList: boolean;
    /** Type of the values after the operator. */
    readonly values: ValueType;
    /** Strategy of the ids in the column; `false`: it contains none, or clients choose them. */
    readonly keyOf: IdStrategy;
  }
  | { readonly kind: "near"; readonly form: "vector" | "text"; readonly vector: VectorColumn }
  | { readonly kind: "where"; readonly scope: WhereScope }
  | { readonly kind: "deleted" }
  | { readonly kind: "download" }
  | { readonly kind: "cursor"; readonly direction: "after" | "before" }
  | { readonly kind: "include"; readonly columns: readonly string[] }
  | {
    readonly kind: "embeddedFields";
    /** The foreign key. */
    readonly column: string;
    /** Columns of its target. */
    readonly fields: readonly string[];
  }
  /** A parameter that identifies the organization; on lists it also filters by `column`. */
  | { readonly kind: "scope"; readonly column: string };
/** The point of reference of distances: a vector in stored form, or words that become one later. */
export interface Near {
  readonly parameter: string;
  readonly vector: VectorColumn;
  readonly to: { readonly kind: "stored" | "words"; readonly text: string };
}

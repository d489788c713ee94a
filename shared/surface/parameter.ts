/** Query parameters of lists, by their effect (contract 4.3). */
import type { IdStrategy, JsonSchema } from "../contract/mod.ts";
import type { FilterOperator } from "../column_types/filter_operators.ts";
import type { ValueType } from "../column_types/column_type.ts";

import type { WhereScope } from "./where.ts";
import type { VectorColumn } from "./tables.ts";

export interface Parameter {
  readonly name: string;
  readonly use: ParameterUse;
  readonly description: string;
  /** Of the value as OpenAPI reads it: comma-separated lists are arrays. */
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
    /** Contract v2: an unknown name is refused (contract 4.3 rule 5). */
    readonly strict: boolean;
  }
  | { readonly kind: "total" }
  | {
    readonly kind: "search";
    readonly columns: readonly string[];
    /** Words by an index instead of a substring. */
    readonly isFullText: boolean;
  }
  | {
    readonly kind: "filter";
    readonly column: string;
    readonly operator: FilterOperator;
    /** Several of them, parted by commas; given again, more of them. */
    readonly isList: boolean;
    /** Behind the operator. */
    readonly values: ValueType;
    /** Strategy of the ids that the column holds; `false`: it holds none, or clients make them. */
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
    /** Of its target. */
    readonly fields: readonly string[];
  }
  /** Names the organization; `column` also filters by it on lists. */
  | { readonly kind: "scope"; readonly column: string };
/** The point that the records are to be near to: a vector in stored form, or words that are yet to become one. */
export interface Near {
  readonly parameter: string;
  readonly vector: VectorColumn;
  readonly to: { readonly kind: "stored" | "words"; readonly text: string };
}

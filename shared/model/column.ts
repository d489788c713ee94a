/** One column, fully resolved (definitions 3). */
import type { ColumnType } from "../column_types/mod.ts";
import type { JsonValue } from "../contract/json_value.ts";
import type { FilterOperator } from "../column_types/mod.ts";

export type { ColumnType, JsonValue };

export type ColumnDefault =
  | { readonly kind: "literal"; readonly value: JsonValue }
  /** The request's time. */
  | { readonly kind: "now" };

/** Writer of a column: `client` through guards, all others only the service (contract 2.2). */
export type ColumnManager = "client" | "id" | "system" | "scope" | "revision";

export interface RelationModel {
  /** Table name. */
  readonly table: string;
  readonly column: string;
  /** As declared; null when the author said nothing. */
  readonly onDelete: "cascade" | "set null" | "restrict" | "no action" | null;
}

export interface ColumnModel {
  /** Name in the API, camelCase. */
  readonly name: string;
  readonly sqlName: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
  readonly default: ColumnDefault | null;
  readonly manager: ColumnManager;
  readonly references: RelationModel | null;
  /** Text-like and part of `search`. */
  readonly searchable: boolean;
  /** Operators that its filters may use; absent: all that its type has. */
  readonly filters?: readonly FilterOperator[];
}

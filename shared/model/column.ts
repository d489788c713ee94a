/** One column, fully resolved (definitions 3). */
import type { FilterOperator } from "../contract/operators.ts";
import type { Scalar } from "./predicate.ts";

export type ColumnType =
  | { readonly kind: "id" }
  | {
    readonly kind: "text";
    /** Code points. */
    readonly maxLength: number | null;
    readonly enum: readonly string[] | null;
  }
  | { readonly kind: "int" }
  | { readonly kind: "real" }
  | { readonly kind: "bool" }
  | { readonly kind: "timestamp" }
  | { readonly kind: "url"; readonly maxLength: number | null }
  | { readonly kind: "enum"; readonly values: readonly string[] }
  | { readonly kind: "json" }
  | { readonly kind: "scope"; readonly scope: "organization" | "owner" | "team" }
  | { readonly kind: "revision" };

export type JsonValue = Scalar | readonly JsonValue[] | { readonly [key: string]: JsonValue };

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

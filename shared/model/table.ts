/** One SQL table, and which callers are isolated from each other in it (definitions 1, 3, 4.1). */
import type { ColumnType, FilterOperator } from "../column_types/mod.ts";
import type { IdStrategy, JsonValue } from "../contract/mod.ts";
import type { Condition, FirewallPredicate } from "./access.ts";
import type { Expression } from "./expression.ts";
export type { ColumnType, JsonValue };

/** Place of a definition in the author's files: project-relative path, 1-based line and column. */
export interface Origin {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** An index over columns, which have their API names. */
export interface IndexModel {
  /** SQL name, unique in the project. */
  readonly name: string;
  readonly columns: readonly string[];
  /** True for uniqueness among live rows, scope column included (definitions 7). */
  readonly unique: boolean;
}

export interface TableModel {
  /** The author's name of the index or table, unique in the project. */
  readonly name: string;
  readonly sqlName: string;
  readonly feature: string;
  readonly origin: Origin;
  /** In declared order: the id first, system columns last. */
  readonly columns: readonly ColumnModel[];
  readonly primaryKey: string;
  readonly idStrategy: IdStrategy;
  /** Prefix of `prefixed` ids, without the underscore. */
  readonly idPrefix: string;
  readonly allowClientIds: boolean;
  /** Columns by scope; null when the table lacks that scope. */
  readonly scope: {
    readonly organization: string | null;
    readonly owner: string | null;
    readonly team: string | null;
  };
  readonly softDelete: boolean;
  readonly revision: string | null;
  /** Column with the row's owner, for masks: the owner scope, else `createdBy` (definitions 4.4). */
  readonly ownerColumn: string;
  /** Predicates that must all hold, in declared order. Empty only with `firewall: { exception: true }`. */
  readonly firewall: readonly FirewallPredicate[];
  readonly indexes: readonly IndexModel[];
  /** The column that names a record for people (contract 2.4); null: none. */
  readonly displayColumn: string | null;
}

export type ColumnDefault =
  | { readonly kind: "literal"; readonly value: JsonValue }
  /** The time of the request. */
  | { readonly kind: "now" }
  /** A value that the service makes for each row it inserts. A PUT that omits the column keeps the value. */
  | { readonly kind: "made"; readonly value: MadeValue };

export type MadeValue =
  /** The time of the request, or its date. */
  | { readonly kind: "now" }
  /** The caller's id; null when nobody is signed in. */
  | { readonly kind: "userId" }
  /** A random text of base64url with this many characters. */
  | { readonly kind: "random"; readonly length: number }
  | ({ readonly kind: "sequence" } & Sequence);

/** Numbers that count up. In a text column `before` and `after` surround the number. */
export interface Sequence {
  readonly before: string;
  /** Least number of digits; shorter numbers get leading zeros. */
  readonly digits: number;
  readonly after: string;
  /** The first number. */
  readonly start: number;
  /** The rows that share a counter. */
  readonly per: "organization" | "table";
}

/**
 * Writer of a column. `client`: requests, through the guards. `computed`: the database. All others: the service (contract
 * 2.2).
 */
export type ColumnManager = "client" | "id" | "system" | "scope" | "revision" | "computed";

/** A total that a parent's column keeps of its children (definitions 3). */
export interface RollupModel {
  /** The child table. */
  readonly table: string;
  /** The child's foreign key. */
  readonly foreignKey: string;
  readonly fn: "count" | "sum" | "min" | "max";
  /** The column that is totalled; null: children are counted. */
  readonly column: string | null;
  /** Conditions that a child must meet to count. Their operands are literals. */
  readonly where: readonly Condition[];
}

export interface RelationModel {
  /** Table name. */
  readonly table: string;
  readonly column: string;
  /** The declared behaviour; null when the author declared none. */
  readonly onDelete: "cascade" | "set null" | "restrict" | "no action" | null;
}

/** One column, fully resolved (definitions 3). */
export interface ColumnModel {
  /** Name in the API, camelCase. */
  readonly name: string;
  readonly sqlName: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
  readonly default: ColumnDefault | null;
  readonly manager: ColumnManager;
  readonly references: RelationModel | null;
  /** True for a text column that takes part in `search`. */
  readonly searchable: boolean;
  /** Operators that filters on the column may use. Absent: all that its type has. */
  readonly filters?: readonly FilterOperator[];
  /** The author's description, for people and models. Absent: there is none. */
  readonly description?: string;
  /** The expression that computes the value from the row's other columns. Absent: the column is stored. */
  readonly computed?: Expression;
  /** The total over referring rows that the column keeps. Absent: the column is not a total. */
  readonly rollup?: RollupModel;
}

/** One SQL table and who is isolated from whom in it (definitions 1, 3, 4.1). */
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

/** Column lists are API names. */
export interface IndexModel {
  /** SQL name, unique in the project. */
  readonly name: string;
  readonly columns: readonly string[];
  /** Unique among live rows, scope column included (definitions 7). */
  readonly unique: boolean;
}

export interface TableModel {
  /** As the author wrote it; unique in the project. */
  readonly name: string;
  readonly sqlName: string;
  readonly feature: string;
  readonly origin: Origin;
  /** Declaration order; the id first, system columns last. */
  readonly columns: readonly ColumnModel[];
  readonly primaryKey: string;
  readonly idStrategy: IdStrategy;
  /** For `prefixed` ids, without the underscore. */
  readonly idPrefix: string;
  readonly allowClientIds: boolean;
  /** Column names by scope; null where the table has none. */
  readonly scope: {
    readonly organization: string | null;
    readonly owner: string | null;
    readonly team: string | null;
  };
  readonly softDelete: boolean;
  readonly revision: string | null;
  /** The row's owner for masks: the owner scope, else `createdBy` (definitions 4.4). */
  readonly ownerColumn: string;
  /** AND-ed, in declared order. Empty only with `firewall: { exception: true }`. */
  readonly firewall: readonly FirewallPredicate[];
  readonly indexes: readonly IndexModel[];
  /** Its human-readable column, if it has one (contract 2.4). */
  readonly displayColumn: string | null;
}

export type ColumnDefault =
  | { readonly kind: "literal"; readonly value: JsonValue }
  /** The request's time. */
  | { readonly kind: "now" }
  /** Made for each row that the service inserts, and kept by a PUT that leaves it out. */
  | { readonly kind: "made"; readonly value: MadeValue };

export type MadeValue =
  /** The request's time, or its day. */
  | { readonly kind: "now" }
  /** The caller's id; null for nobody. */
  | { readonly kind: "userId" }
  /** So many characters of base64url. */
  | { readonly kind: "random"; readonly length: number }
  | ({ readonly kind: "sequence" } & Sequence);

/** Numbers that count up; in a text with `before` and `after` around them. */
export interface Sequence {
  readonly before: string;
  /** Fewest digits of a text: zeros fill them up. */
  readonly digits: number;
  readonly after: string;
  /** The first number. */
  readonly start: number;
  /** Rows that are counted together. */
  readonly per: "organization" | "table";
}

/** Writer of a column: `client` through guards, all others only the service; the database itself those that are computed (contract 2.2). */
export type ColumnManager = "client" | "id" | "system" | "scope" | "revision" | "computed";

/** What a parent's column says of its children (definitions 3). */
export interface RollupModel {
  /** Of the children. */
  readonly table: string;
  /** Their foreign key. */
  readonly foreignKey: string;
  readonly fn: "count" | "sum" | "min" | "max";
  /** Null: their rows are counted. */
  readonly column: string | null;
  /** Only children that meet all of them; their operands are literals. */
  readonly where: readonly Condition[];
}

export interface RelationModel {
  /** Table name. */
  readonly table: string;
  readonly column: string;
  /** As declared; null when the author said nothing. */
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
  /** Text-like and part of `search`. */
  readonly searchable: boolean;
  /** Operators that its filters may use; absent: all that its type has. */
  readonly filters?: readonly FilterOperator[];
  /** Of its author, for people and models; absent: none. */
  readonly description?: string;
  /** Its value, generated from others of the row; absent: it is stored. */
  readonly computed?: Expression;
  /** Its value, kept from rows that refer to the row; absent: it is another one. */
  readonly rollup?: RollupModel;
}

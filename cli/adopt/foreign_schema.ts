/** Model of a foreign schema as its reader found it: in foreign terms, each part with its clause of the ledger. */
import type { ColumnType } from "../../shared/column_types/mod.ts";
import type { JsonValue } from "../../shared/contract/mod.ts";
import { DECIMAL_PRECISION_MAX } from "../../shared/contract/limits.ts";
import type { Clause, Ledger } from "./ledger.ts";
import type { Condition, Expression } from "./conditions.ts";

/** Type of the definition language to which a foreign one is converted. */
export type DraftType = Extract<
  ColumnType,
  {
    readonly kind:
      | "text"
      | "int"
      | "real"
      | "decimal"
      | "bool"
      | "timestamp"
      | "date"
      | "url"
      | "email"
      | "json"
      | "enum"
      | "list";
  }
>;

export const TEXT = { kind: "text", maxLength: null, enum: null } as const;
export const JSON_TYPE = { kind: "json" } as const;

export type OnDelete = "cascade" | "set null" | "restrict" | "no action";

/**
 * Value of a row that leaves the column out. `unknown`: the source's own text, which the definition language cannot express.
 */
export type ForeignDefault =
  | { readonly kind: "value"; readonly value: JsonValue }
  | { readonly kind: "now" | "userId" | "random" }
  | { readonly kind: "sequence"; readonly start: number }
  | { readonly kind: "unknown"; readonly text: string };

export interface ForeignColumn {
  readonly clause: Clause;
  readonly name: string;
  readonly type: DraftType;
  /** Part of the foreign type that the new type cannot express (`interval became text`); null: it expresses all. */
  readonly question: string | null;
  readonly isRequired: boolean;
  /** Maximum number of characters. */
  readonly length: { readonly clause: Clause; readonly max: number } | null;
  readonly fallback: { readonly clause: Clause; readonly value: ForeignDefault } | null;
  /** Generated column; a null expression cannot be read. */
  readonly generated: { readonly clause: Clause; readonly expression: Expression | null } | null;
  readonly comment: { readonly clause: Clause; readonly text: string } | null;
}

/** Columns of a unique set or an index. */
export interface Keyed {
  readonly clause: Clause;
  readonly columns: readonly string[];
  /** Reason why it cannot be kept: a condition, an expression; null: it can. */
  readonly obstacle: string | null;
}

export interface Relation {
  readonly clause: Clause;
  readonly columns: readonly string[];
  /** Name of the table in the foreign schema. */
  readonly table: string;
  /** Referenced columns; null: the key. */
  readonly targets: readonly string[] | null;
  readonly onDelete: OnDelete | null;
  /** Part of its deletion rule that quickback cannot express. */
  readonly question: string | null;
}

export type Operation = "read" | "create" | "update" | "delete";

export interface Policy {
  readonly clause: Clause;
  readonly name: string;
  readonly operations: readonly Operation[];
  /** False: the policy refuses what it describes. */
  readonly isAllowing: boolean;
  /** Condition; null: it cannot be read. */
  readonly condition: Condition | null;
}

export interface ForeignTable {
  readonly clause: Clause;
  readonly name: string;
  readonly columns: readonly ForeignColumn[];
  readonly key: { readonly clause: Clause; readonly columns: readonly string[] } | null;
  readonly unique: readonly Keyed[];
  readonly indexes: readonly Keyed[];
  readonly relations: readonly Relation[];
  readonly checks: readonly { readonly clause: Clause; readonly condition: Condition | null }[];
  readonly policies: readonly Policy[];
  readonly comment: { readonly clause: Clause; readonly text: string } | null;
}

export interface ForeignSchema {
  readonly tables: readonly ForeignTable[];
  readonly ledger: Ledger;
}

/** Returns every clause of a table, its own first. */
export function clausesOf(table: ForeignTable): readonly Clause[] {
  const columns = table.columns.flatMap((
    { clause, length, fallback, generated, comment },
  ) => [clause, ...[length, fallback, generated, comment].flatMap((part) => part?.clause ?? [])]);
  const parts = [table.key, table.comment].flatMap((part) => part ?? []);
  const lists = [table.unique, table.indexes, table.relations, table.checks, table.policies].flat();
  return [table.clause, ...columns, ...[...parts, ...lists].map(({ clause }) => clause)];
}

/**
 * Returns the exact decimal of two numbers, as foreign schemas write them; null: it is wider than quickback's, or unbounded.
 */
export function decimalOf(digits: readonly string[]): DraftType | null {
  const [precision = "", scale = "0"] = digits.map((one) => one.trim());
  const isOurs = /^\d+$/.test(precision) && /^\d+$/.test(scale) && Number(precision) >= 1 &&
    Number(precision) <= DECIMAL_PRECISION_MAX && Number(scale) <= Number(precision);
  return isOurs ? { kind: "decimal", precision: Number(precision), scale: Number(scale) } : null;
}

/** Sentences that several readers use. */
export const SAID = {
  wideDecimal: "a decimal without a precision up to 18 became text",
  bigInt: "a 64-bit number became q.int(), which is exact up to 2^53",
  bytes: "bytes became text",
} as const;

/** Error for a file of another kind than the command expects, or an unreadable one; the message names the place. */
export class DraftError extends Error {
  override readonly name = "DraftError";
}

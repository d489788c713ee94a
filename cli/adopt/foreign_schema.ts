/** A schema as its reader found it: in the foreign words, with the clause of the ledger beside each part. */
import type { ColumnType } from "../../shared/column_types/mod.ts";
import type { JsonValue } from "../../shared/contract/mod.ts";
import { DECIMAL_PRECISION_MAX } from "../../shared/contract/limits.ts";
import type { Clause, Ledger } from "./ledger.ts";
import type { Condition, Expression } from "./conditions.ts";

/** A type of the definition language that a foreign one becomes. */
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

/** Value of a row that leaves the column out; `unknown`: the source's own words, which nothing here can say. */
export type ForeignDefault =
  | { readonly kind: "value"; readonly value: JsonValue }
  | { readonly kind: "now" | "userId" | "random" }
  | { readonly kind: "sequence"; readonly start: number }
  | { readonly kind: "unknown"; readonly text: string };

export interface ForeignColumn {
  readonly clause: Clause;
  readonly name: string;
  readonly type: DraftType;
  /** The part that its type cannot say (`interval became text`); null: it says all. */
  readonly question: string | null;
  readonly isRequired: boolean;
  /** Most characters. */
  readonly length: { readonly clause: Clause; readonly max: number } | null;
  readonly fallback: { readonly clause: Clause; readonly value: ForeignDefault } | null;
  /** Null as an expression: it cannot be read. */
  readonly generated: { readonly clause: Clause; readonly expression: Expression | null } | null;
  readonly comment: { readonly clause: Clause; readonly text: string } | null;
}

/** Columns that a unique set or an index names. */
export interface Keyed {
  readonly clause: Clause;
  readonly columns: readonly string[];
  /** Why it cannot stand as it is: a condition, an expression; null: it can. */
  readonly obstacle: string | null;
}

export interface Relation {
  readonly clause: Clause;
  readonly columns: readonly string[];
  /** The foreign schema's name of the table. */
  readonly table: string;
  /** Columns that it refers to; null: the key. */
  readonly targets: readonly string[] | null;
  readonly onDelete: OnDelete | null;
  /** The part of its rule of deletion that none of ours says. */
  readonly question: string | null;
}

export type Operation = "read" | "create" | "update" | "delete";

export interface Policy {
  readonly clause: Clause;
  readonly name: string;
  readonly operations: readonly Operation[];
  /** False: what it says is refused. */
  readonly isAllowing: boolean;
  /** Null: it cannot be read. */
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

/** Every clause of a table, its own first. */
export function clausesOf(table: ForeignTable): readonly Clause[] {
  const columns = table.columns.flatMap((
    { clause, length, fallback, generated, comment },
  ) => [clause, ...[length, fallback, generated, comment].flatMap((part) => part?.clause ?? [])]);
  const parts = [table.key, table.comment].flatMap((part) => part ?? []);
  const lists = [table.unique, table.indexes, table.relations, table.checks, table.policies].flat();
  return [table.clause, ...columns, ...[...parts, ...lists].map(({ clause }) => clause)];
}

/** The exact decimal of two numbers as foreign schemas write them; null: it is wider than ours, or unbounded. */
export function decimalOf(digits: readonly string[]): DraftType | null {
  const [precision = "", scale = "0"] = digits.map((one) => one.trim());
  const isOurs = /^\d+$/.test(precision) && /^\d+$/.test(scale) && Number(precision) >= 1 &&
    Number(precision) <= DECIMAL_PRECISION_MAX && Number(scale) <= Number(precision);
  return isOurs ? { kind: "decimal", precision: Number(precision), scale: Number(scale) } : null;
}

/** Sentences that more than one reader says. */
export const SAID = {
  wideDecimal: "a decimal without a precision up to 18 became text",
  bigInt: "a 64-bit number became q.int(), which is exact up to 2^53",
  bytes: "bytes became text",
} as const;

/** The file is not what the command was told, or cannot be read: the message names the place. */
export class DraftError extends Error {
  override readonly name = "DraftError";
}

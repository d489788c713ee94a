/** Definitions drafted from somebody else's schema: closed by default, with a list of what a person must decide. */
import { DECIMAL_PRECISION_MAX } from "../../shared/contract/limits.ts";

/** A type of the definition language that a foreign one becomes. */
export type DraftType =
  | { readonly kind: "text" }
  | { readonly kind: "int" }
  | { readonly kind: "real" }
  | { readonly kind: "bool" }
  | { readonly kind: "timestamp" }
  | { readonly kind: "date" }
  | { readonly kind: "url" }
  | { readonly kind: "json" }
  | { readonly kind: "decimal"; readonly precision: number; readonly scale: number }
  | { readonly kind: "enum"; readonly values: readonly string[] };

export type OnDelete = "cascade" | "set null" | "restrict" | "no action";

export interface Reference {
  /** The foreign schema's name of the table. */
  readonly table: string;
  /** The column that it refers to; null: the key. */
  readonly column: string | null;
  readonly onDelete: OnDelete | null;
}

export interface ForeignColumn {
  readonly name: string;
  readonly type: DraftType;
  readonly isRequired: boolean;
  readonly isUnique: boolean;
  /** `now`: the time of writing. */
  readonly fallback: string | number | boolean | { readonly kind: "now" } | null;
  readonly references: Reference | null;
  /** Something that its type cannot say: `Decimal became text`. */
  readonly question: string | null;
}

export interface ForeignTable {
  readonly name: string;
  readonly primaryKey: readonly string[];
  readonly unique: readonly (readonly string[])[];
  readonly columns: readonly ForeignColumn[];
}

/** A schema as it was read, before anything of ours is put in its place. */
export interface ForeignSchema {
  readonly tables: readonly ForeignTable[];
  /** Parts that were left out, one sentence each. */
  readonly questions: readonly string[];
}

/** A column that the service stamps, and that says whose row it is. */
export interface ScopeType {
  readonly kind: "scope";
  readonly of: "organization" | "owner" | "team";
}

export interface DraftColumn {
  readonly name: string;
  readonly type: DraftType | { readonly kind: "id" } | ScopeType;
  readonly isRequired: boolean;
  readonly isUnique: boolean;
  readonly fallback: ForeignColumn["fallback"];
  /** A drafted table's name. */
  readonly references: Reference | null;
}

export interface DraftTable {
  /** In camel case, as definitions spell it. */
  readonly name: string;
  readonly columns: readonly DraftColumn[];
  readonly unique: readonly (readonly string[])[];
  /** No column says whose a row is. */
  readonly isShared: boolean;
}

/** One line of `DECIDE.md`. */
export interface Decision {
  /** Null: it concerns the whole project. */
  readonly table: string | null;
  readonly text: string;
}

export interface Draft {
  readonly tables: readonly DraftTable[];
  readonly decisions: readonly Decision[];
}

/** The exact decimal of two numbers as foreign schemas write them, `10, 2`; null: it is wider than ours, or unbounded. */
export function decimalOf(digits: string): DraftType | null {
  const [, precision = "", scale = "0"] = /^\s*(\d+)\s*(?:,\s*(\d+)\s*)?$/.exec(digits) ?? [];
  const isOurs = precision !== "" && Number(precision) >= 1 &&
    Number(precision) <= DECIMAL_PRECISION_MAX && Number(scale) <= Number(precision);
  return isOurs ? { kind: "decimal", precision: Number(precision), scale: Number(scale) } : null;
}

/** Decimals that became text. */
export const WIDE_DECIMAL =
  "exact decimals without a precision up to 18 became text: q.decimal({ precision, scale }) takes fewer digits";

/** The file is not what the command was told, or cannot be read: the message names the place. */
export class DraftError extends Error {
  override readonly name = "DraftError";
}

/** A column with the facts that most have. */
export function foreignColumn(
  name: string,
  type: DraftType,
  facts: Partial<Omit<ForeignColumn, "name" | "type">> = {},
): ForeignColumn {
  return {
    name,
    type,
    isRequired: false,
    isUnique: false,
    fallback: null,
    references: null,
    question: null,
    ...facts,
  };
}

/** Model of definitions drafted from a foreign schema: closed by default, with a list of decisions for a person. */
import type { JsonValue } from "../../shared/contract/mod.ts";
import type { Clause, Ledger } from "./ledger.ts";
import type { DraftType, OnDelete, Operation } from "./foreign_schema.ts";

export type DraftDefault =
  | { readonly kind: "literal"; readonly value: JsonValue }
  | { readonly kind: "now" | "userId" }
  | { readonly kind: "random"; readonly length: number }
  | { readonly kind: "sequence"; readonly start: number };

export type DraftColumnType =
  | { readonly kind: "id" }
  /** Id of a row of another table. */
  | { readonly kind: "key"; readonly table: string; readonly onDelete: OnDelete | null }
  /** Id of an account. */
  | { readonly kind: "account" }
  /** Owner of the row, which the service stamps. */
  | { readonly kind: "scope"; readonly of: "organization" | "owner" | "team" }
  /** Computed column. `text`: expression of the definition language over `sources`. */
  | {
    readonly kind: "computed";
    readonly of: DraftType;
    readonly text: string;
    readonly sources: readonly string[];
  }
  | { readonly kind: "plain"; readonly of: DraftType };

export interface DraftColumn {
  readonly name: string;
  readonly type: DraftColumnType;
  readonly isRequired: boolean;
  readonly isUnique: boolean;
  readonly isIndexed: boolean;
  readonly fallback: DraftDefault | null;
  readonly description: string | null;
  /** Clause of a part that the compiler may still refuse; null: its outcome is final. */
  readonly clause: Clause | null;
}

/** Conditions of a `record`, as the definition language writes them. */
export type RecordRule = { readonly [member: string]: JsonValue };

export interface DraftRule {
  readonly operation: Operation;
  readonly record: RecordRule;
  /** Policies that the rule replaces. */
  readonly clauses: readonly Clause[];
}

export interface DraftTable {
  /** Name in camel case, as definitions spell it. */
  readonly name: string;
  readonly description: string | null;
  readonly columns: readonly DraftColumn[];
  readonly unique: readonly (readonly string[])[];
  readonly indexes: readonly (readonly string[])[];
  readonly rules: readonly DraftRule[];
}

/** One line of `DECIDE.md`, with the places that it concerns. */
export interface Decision {
  readonly text: string;
  /** Places; empty: the whole project. */
  readonly places: readonly string[];
}

export interface Draft {
  readonly tables: readonly DraftTable[];
  readonly decisions: readonly Decision[];
  readonly ledger: Ledger;
}

/** True when no column contains the owner of a row. */
export function isShared({ columns }: DraftTable): boolean {
  return !columns.some(({ type }) => type.kind === "scope");
}

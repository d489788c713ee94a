/** Access rules in one normal form: hierarchy expanded, shorthands gone (definitions 4.2). */
import type { ColumnType } from "../column_types/mod.ts";
import type { ConditionOperator, IdStrategy, MaskType, Scalar } from "../contract/mod.ts";
export type { MaskType, Scalar };

export type Access =
  /** Admits nobody: what an operation without `access` means. */
  | { readonly kind: "nobody" }
  /** One of these project, pseudo- or platform roles. */
  | { readonly kind: "roles"; readonly roles: readonly string[] }
  /** One of these platform roles in the caller's `userRole`. */
  | { readonly kind: "userRole"; readonly roles: readonly string[] }
  /** Every condition holds on the record. */
  | { readonly kind: "record"; readonly conditions: readonly Condition[] }
  /** The predicate holds on the record: one that follows relations, or that says `or`, `and` or `not`. */
  | { readonly kind: "row"; readonly predicate: RowPredicate }
  | { readonly kind: "all"; readonly of: readonly Access[] }
  | { readonly kind: "any"; readonly of: readonly Access[] };

export function hasRole(...roles: readonly string[]): Access {
  return { kind: "roles", roles };
}

export function hasUserRole(...roles: readonly string[]): Access {
  return { kind: "userRole", roles };
}

export function recordMatches(...conditions: readonly Condition[]): Access {
  return { kind: "record", conditions };
}

export function allOf<Of extends Access | RowPredicate>(
  ...of: readonly Of[]
): { readonly kind: "all"; readonly of: readonly Of[] } {
  return { kind: "all", of };
}

export function anyOf<Of extends Access | RowPredicate>(
  ...of: readonly Of[]
): { readonly kind: "any"; readonly of: readonly Of[] } {
  return { kind: "any", of };
}

/*
 * Record predicates: one shape for firewall, access conditions and transition guards (definitions 4.1, 4.2, 5).
 */

/**
 * Values of the caller that a predicate may compare with. `userId`, `activeOrgId`, `activeTeamId` are single; `roles` is a
 * list.
 */
export const CONTEXT_KEYS = ["userId", "activeOrgId", "activeTeamId"] as const;
export const CONTEXT_LISTS = ["roles"] as const;
export type ContextKey = typeof CONTEXT_KEYS[number];
export type ContextList = typeof CONTEXT_LISTS[number];

export type Operand =
  | {
    readonly kind: "literal";
    readonly value: Scalar;
    /** The column holds decimals: texts with the same digits behind the point, in the order of numbers. */
    readonly isDecimal?: true;
  }
  | { readonly kind: "literals"; readonly values: readonly Scalar[] }
  | { readonly kind: "context"; readonly key: ContextKey }
  | { readonly kind: "contextList"; readonly key: ContextList };

/** `in` and `notIn` take a list operand, every other operator a single one. `equals` literal `null` is IS NULL. */
export interface Condition {
  readonly column: string;
  readonly operator: ConditionOperator;
  readonly operand: Operand;
}

/**
 * A demand on one row: the one tree of every rule that follows relations, unfolded by the compiler (docs/decisions/relations.md).
 * SQL, the judgement in memory, the proofs and the words of a rule are all made from it.
 */
export type RowPredicate =
  /** Every condition holds on the row. */
  | { readonly kind: "conditions"; readonly conditions: readonly Condition[] }
  | { readonly kind: "all"; readonly of: readonly RowPredicate[] }
  | { readonly kind: "any"; readonly of: readonly RowPredicate[] }
  /** True where the other is false: nothing is neither. */
  | { readonly kind: "not"; readonly of: RowPredicate }
  | RelatedPredicate
  /** Is true for a caller who holds one of `roles` (any caller where the list is empty) and none of `exceptRoles`. */
  | {
    readonly kind: "holders";
    readonly roles: readonly string[];
    readonly exceptRoles: readonly string[];
  }
  /** False for a caller who lacks one of these values, or who has no role where `roles` is among them. */
  | {
    readonly kind: "context";
    readonly keys: readonly (ContextKey | ContextList)[];
    readonly of: RowPredicate;
  };

/** Some related row meets the predicate, or none does. A related row of another tenant, or a deleted one, is not there. */
export interface RelatedPredicate {
  readonly kind: "related";
  readonly relation: RowRelation;
  readonly quantifier: "some" | "none";
  readonly of: RowPredicate;
  /** `through` alone: the predicate is the other table's own firewall. */
  readonly isReach?: true;
}

/** The way from a row to others over a foreign key, with all that asking for them needs. */
export interface RowRelation {
  /** As the rule writes it: `workOrder`, `assignments`, `assignments.workOrderId`. */
  readonly name: string;
  /** The one row that the key refers to, or the rows that refer to this one. */
  readonly direction: "parent" | "children";
  /** The related table, and its name in SQL. */
  readonly table: string;
  readonly sqlName: string;
  readonly idStrategy: IdStrategy;
  readonly idPrefix: string;
  /** Columns of the related table that the predicate asks for, its side of the key, its scope and its deletion among them. */
  readonly columns: readonly RelatedColumn[];
  /** Columns of either row whose values are the same: the key, and what it refers to. */
  readonly own: string;
  readonly related: string;
  /** Scope columns, whose values are the same too; null: the tables have no tenants. */
  readonly tenant: { readonly own: string; readonly related: string } | null;
  /** Null: related rows are never soft-deleted. */
  readonly deletedAt: string | null;
}

export interface RelatedColumn {
  readonly name: string;
  readonly sqlName: string;
  readonly type: ColumnType;
}

/** Purpose of a firewall predicate; decides the refusal's code, and whether `unsafe` may lift it. */
export type PredicateKind = "organization" | "owner" | "team" | "notDeleted" | "custom";

/** One member of a table's AND-ed firewall. */
export type FirewallPredicate = ColumnPredicate | RulePredicate;

interface Bound {
  /** Applies only to callers holding one of these; empty: to everyone. */
  readonly roles: readonly string[];
  /** Does not apply to callers holding one of these. */
  readonly exceptRoles: readonly string[];
}

/** A comparison of one column. A context value that is absent matches no row. */
export interface ColumnPredicate extends Condition, Bound {
  readonly kind: PredicateKind;
}

/** `through` or `anyOf`. It isolates no tenant, and nothing lifts it. */
export interface RulePredicate extends Bound {
  readonly kind: "rule";
  readonly predicate: RowPredicate;
}

/** The members of a firewall that compare a column. */
export function columnPredicates(
  firewall: readonly FirewallPredicate[],
): readonly ColumnPredicate[] {
  return firewall.filter((predicate) => predicate.kind !== "rule");
}

/** Fields that a write body may carry (definitions 4.3). Column lists are API names, sorted as declared. */
export interface GuardsModel {
  readonly createable: readonly string[];
  readonly updatable: readonly string[];
  readonly immutable: readonly string[];
  /** Field → the actions that may write it. */
  readonly protected: Readonly<Record<string, readonly string[]>>;
}

/** Redaction of a column in responses (definitions 4.4). */
export interface MaskRule {
  readonly type: MaskType;
  /** Holders of one of these see it plain. */
  readonly showRoles: readonly string[];
  /** The row's owner sees it plain. */
  readonly showOwner: boolean;
  /** On these rows it is plain too, the owner's own among them where `showOwner` says so. Absent: on no others. */
  readonly showRows?: RowPredicate;
  /** Holders of one of these may filter, sort and search by it. */
  readonly queryRoles: readonly string[];
  /** True for a rule that nobody wrote: the column's name is well known. */
  readonly automatic: boolean;
}

/** Access rules in one normal form: hierarchy expanded, shorthands gone (definitions 4.2). */
import type { ColumnType } from "../column_types/mod.ts";
import type { ConditionOperator, IdStrategy, MaskType, Scalar } from "../contract/mod.ts";
export type { MaskType, Scalar };

export type Access =
  /** Admits nobody. An operation without `access` has this rule. */
  | { readonly kind: "nobody" }
  /** Admits holders of one of these project, pseudo- or platform roles. */
  | { readonly kind: "roles"; readonly roles: readonly string[] }
  /** Admits callers whose `userRole` has one of these platform roles. */
  | { readonly kind: "userRole"; readonly roles: readonly string[] }
  /** Admits callers for records on which every condition holds. */
  | { readonly kind: "record"; readonly conditions: readonly Condition[] }
  /** Admits callers for records on which the predicate holds: one that follows relations, or that has `or`, `and` or `not`. */
  | { readonly kind: "row"; readonly predicate: RowPredicate }
  | { readonly kind: "all"; readonly of: readonly Access[] }
  | { readonly kind: "any"; readonly of: readonly Access[] }
  /** The first part that does not refuse the caller binds; later ones are not asked. */
  | { readonly kind: "first"; readonly of: readonly Access[] };

export function hasRole(...roles: readonly string[]): Access {
  return { kind: "roles", roles };
}

export function hasUserRole(...roles: readonly string[]): Access {
  return { kind: "userRole", roles };
}

export function recordMatches(...conditions: readonly Condition[]): Access {
  return { kind: "record", conditions };
}

/** Two signatures instead of a type parameter: nested calls of generated modules would infer it from their place. */
export function allOf(
  ...of: readonly RowPredicate[]
): { readonly kind: "all"; readonly of: readonly RowPredicate[] };
export function allOf(
  ...of: readonly Access[]
): { readonly kind: "all"; readonly of: readonly Access[] };
export function allOf(
  ...of: readonly (Access | RowPredicate)[]
): { readonly kind: "all"; readonly of: readonly (Access | RowPredicate)[] } {
  return { kind: "all", of };
}

export function anyOf(
  ...of: readonly RowPredicate[]
): { readonly kind: "any"; readonly of: readonly RowPredicate[] };
export function anyOf(
  ...of: readonly Access[]
): { readonly kind: "any"; readonly of: readonly Access[] };
export function anyOf(
  ...of: readonly (Access | RowPredicate)[]
): { readonly kind: "any"; readonly of: readonly (Access | RowPredicate)[] } {
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
    /** True when the column holds decimals: texts with a fixed number of digits behind the point, which compare as numbers. */
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
 * A demand on one row. Every rule that follows relations becomes this tree, which the compiler has unfolded
 * (docs/decisions/relations.md). SQL, the judgement in memory, the proofs and the wording of a rule are all made from it.
 */
export type RowPredicate =
  /** Is true when every condition holds on the row. */
  | { readonly kind: "conditions"; readonly conditions: readonly Condition[] }
  | { readonly kind: "all"; readonly of: readonly RowPredicate[] }
  | { readonly kind: "any"; readonly of: readonly RowPredicate[] }
  /** Is true when `of` is false. A predicate is never unknown, as SQL's NULL would be. */
  | { readonly kind: "not"; readonly of: RowPredicate }
  | RelatedPredicate
  /** Is true for a caller who holds one of `roles` (any caller where the list is empty) and none of `exceptRoles`. */
  | {
    readonly kind: "holders";
    readonly roles: readonly string[];
    readonly exceptRoles: readonly string[];
  }
  /** Is false for a caller who lacks one of these values, or who has no role when `roles` is among them. */
  | {
    readonly kind: "context";
    readonly keys: readonly (ContextKey | ContextList)[];
    readonly of: RowPredicate;
  };

/**
 * Is true when some related row meets the predicate, or when none does. A related row of another tenant, or a deleted one,
 * counts as missing.
 */
export interface RelatedPredicate {
  readonly kind: "related";
  readonly relation: RowRelation;
  readonly quantifier: "some" | "none";
  readonly of: RowPredicate;
  /** True for a bare `through`: the predicate is then the related table's own firewall. */
  readonly isReach?: true;
}

/** The way from a row to related rows over a foreign key, with all that a query over it needs. */
export interface RowRelation {
  /** As the rule writes it: `workOrder`, `assignments`, `assignments.workOrderId`. */
  readonly name: string;
  /** `parent`: the one row that the key refers to. `children`: the rows whose key refers to this row. */
  readonly direction: "parent" | "children";
  /** The related table's name, and its name in SQL. */
  readonly table: string;
  readonly sqlName: string;
  readonly idStrategy: IdStrategy;
  readonly idPrefix: string;
  /** Columns of the related table that the predicate compares, with the join column, the scope and the deletion stamp. */
  readonly columns: readonly RelatedColumn[];
  /** The columns that join the two rows: the foreign key, and the column that it refers to. */
  readonly own: string;
  readonly related: string;
  /** The scope columns of both rows, which must be equal; null when the tables have no tenants. */
  readonly tenant: { readonly own: string; readonly related: string } | null;
  /** Column of the related table with the time of its soft deletion; null when its rows are never soft-deleted. */
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

/** A predicate made by `through` or `anyOf`. It isolates no tenant, and `unsafe` cannot lift it. */
export interface RulePredicate extends Bound {
  readonly kind: "rule";
  readonly predicate: RowPredicate;
}

/** Returns the members of a firewall that compare a column. */
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
  /** Maps a field to the actions that may write it. */
  readonly protected: Readonly<Record<string, readonly string[]>>;
}

/** Redaction of a column in responses (definitions 4.4). */
export interface MaskRule {
  readonly type: MaskType;
  /** Roles whose holders see the plain value. */
  readonly showRoles: readonly string[];
  /** True when the row's owner sees the plain value. */
  readonly showOwner: boolean;
  /**
   * Rows on which the value is plain for everybody who reads them. With `showOwner` the owner's rows are included. Absent:
   * there are no such rows.
   */
  readonly showRows?: RowPredicate;
  /** Roles whose holders may filter, sort and search by the column. */
  readonly queryRoles: readonly string[];
  /** True for a mask that nobody wrote: the compiler added it because the column's name is well known. */
  readonly automatic: boolean;
}

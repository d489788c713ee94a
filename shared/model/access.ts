/** Access rules in one normal form: hierarchy expanded, shorthands gone (definitions 4.2). */
import type { ConditionOperator, MaskType, Scalar } from "../contract/mod.ts";
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

export function allOf(...of: readonly Access[]): Access {
  return { kind: "all", of };
}

export function anyOf(...of: readonly Access[]): Access {
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

/** Purpose of a firewall predicate; decides the refusal's code, and whether `unsafe` may lift it. */
export type PredicateKind = "organization" | "owner" | "team" | "notDeleted" | "custom";

/** One member of a table's AND-ed firewall. A context value that is absent matches no row. */
export interface FirewallPredicate extends Condition {
  readonly kind: PredicateKind;
  /** Applies only to callers holding one of these; empty: to everyone. */
  readonly roles: readonly string[];
  /** Does not apply to callers holding one of these. */
  readonly exceptRoles: readonly string[];
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
  /** Holders of one of these may filter, sort and search by it. */
  readonly queryRoles: readonly string[];
  /** True for a rule that nobody wrote: the column's name is well known. */
  readonly automatic: boolean;
}

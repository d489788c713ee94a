/** Record predicates: one shape for firewall, access conditions and transition guards (definitions 4.1, 4.2, 5). */
import type { Scalar } from "../contract/json_value.ts";
import type { ConditionOperator } from "../contract/operators.ts";

export type { Scalar };

/**
 * Values of the caller that a predicate may compare with. `userId`, `activeOrgId`, `activeTeamId` are single; `roles` is a
 * list.
 */
export const CONTEXT_KEYS = ["userId", "activeOrgId", "activeTeamId"] as const;
export const CONTEXT_LISTS = ["roles"] as const;
export type ContextKey = typeof CONTEXT_KEYS[number];
export type ContextList = typeof CONTEXT_LISTS[number];

export type Operand =
  | { readonly kind: "literal"; readonly value: Scalar }
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

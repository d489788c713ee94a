/** Access rules in one normal form: hierarchy expanded, shorthands gone (definitions 4.2). */
import type { Condition } from "./predicate.ts";

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

/** Access rules as authors write them (definitions 4.1, 4.2). `Name` is a column of the table. */
import type { PLATFORM_ROLES } from "../contract/principals.ts";
import type { ContextKey, Scalar } from "../model/predicate.ts";

/** One operator on a record's column; a bare value is `equals`. */
export type ConditionDefinition =
  | Scalar
  | { readonly equals: Scalar }
  | { readonly notEquals: Scalar }
  | { readonly in: readonly Scalar[] }
  | { readonly notIn: readonly Scalar[] }
  | { readonly lessThan: Scalar }
  | { readonly greaterThan: Scalar }
  | { readonly lessThanOrEqual: Scalar }
  | { readonly greaterThanOrEqual: Scalar };

export type RecordDefinition<Name extends string> = {
  readonly [Column in Name]?: ConditionDefinition;
};

/** All that is said binds; nothing said admits nobody. */
export interface AccessDefinition<Name extends string = string> {
  /** A project role, `"<role>+"` for it and every later one in the hierarchy, or a pseudo-role. */
  readonly roles?: readonly string[];
  readonly userRole?:
    | typeof PLATFORM_ROLES[number]
    | readonly (typeof PLATFORM_ROLES[number])[];
  /** Values may be `"$ctx.userId"` and `"$ctx.activeOrgId"`. */
  readonly record?: RecordDefinition<Name>;
  readonly or?: readonly AccessDefinition<Name>[];
  readonly and?: readonly AccessDefinition<Name>[];
}

interface Applies {
  /** Applies only to callers who hold one of these. */
  readonly roles?: readonly string[];
  /** Does not apply to callers who hold one of these. */
  readonly exceptRoles?: readonly string[];
}

export type PredicateDefinition<Name extends string> =
  & Applies
  & { readonly field: Name }
  & (
    | { readonly equals: `ctx.${ContextKey}` | Scalar }
    | { readonly in: readonly Scalar[] | `ctx.${string}` }
    | { readonly isNull: true }
  );

interface ScopeDefinition<Name extends string> {
  readonly column?: Name;
}

/** A list of predicates that all bind, the older named scopes, or an explicit opening. */
export type FirewallDefinition<Name extends string> =
  | readonly PredicateDefinition<Name>[]
  | {
    readonly organization?: ScopeDefinition<Name>;
    readonly owner?: ScopeDefinition<Name> & { readonly mode?: "required" | "optional" };
    readonly team?: ScopeDefinition<Name>;
    readonly softDelete?: ScopeDefinition<Name>;
  }
  | { readonly exception: true };

/** Rules of a table: firewall, access, guards and masks (definitions 4.1 to 4.4). `Name` is a column of the table. */
import { type ConditionOperator, MASK_TYPES, type PLATFORM_ROLES } from "../contract/mod.ts";
import type { ContextKey, Scalar } from "../model/mod.ts";
import type { ActionName, RoleName, TableName } from "./register.ts";
import * as s from "./shape.ts";

/** Either a value of the column's type, or one of the caller. */
const operand = s.ruled<Scalar>('a literal, `"$ctx.userId"` or `"$ctx.activeOrgId"`');
const operands = s.ruled<readonly Scalar[]>("a list of literals");

/** Operators on a record's column: all of them bind. */
export const CONDITION = s.object(
  {
    /** The same value; a bare literal says so too. `null` is a value. */
    equals: operand,
    /** Another value. */
    notEquals: operand,
    /** One of these. */
    in: operands,
    /** None of these. */
    notIn: operands,
    /** Less; only of ordered types. */
    lessThan: operand,
    /** More. */
    greaterThan: operand,
    /** Less, or the same. */
    lessThanOrEqual: operand,
    /** More, or the same. */
    greaterThanOrEqual: operand,
  } satisfies Record<ConditionOperator, s.Kind>,
);

/** One operator on a record's column; a bare value is `equals`. */
export type ConditionDefinition = Scalar | s.Written<typeof CONDITION>;

/** Conditions on a related row: its columns, its relations, `or`, `and` and `not`. */
export interface WhereDefinition {
  readonly [name: string]:
    | ConditionDefinition
    | readonly WhereDefinition[]
    | WhereDefinition;
}

/** A foreign key's name without `Id`, or rows that refer to this one: `"<table>"` or `"<table>.<column>"`. */
type RelationName<Name extends string> =
  | (Name extends `${infer Key}Id` ? Key : never)
  | TableName
  | `${TableName}.${string}`;

/** Conditions on a record and, behind relations, on what it refers to or what refers to it. */
export type RecordDefinition<Name extends string> =
  & { readonly [Column in Name]?: ConditionDefinition }
  & { readonly [Relation in Exclude<RelationName<Name>, Name>]?: WhereDefinition[string] }
  & {
    /** At least one of these. */
    readonly or?: readonly RecordDefinition<Name>[];
    /** All of these. */
    readonly and?: readonly RecordDefinition<Name>[];
    /** Not this. */
    readonly not?: RecordDefinition<Name>;
  };

const roles = s.ruled<readonly RoleName[]>("roles");

/** Callers who may. All that is said binds; nothing said admits nobody. */
export function access<Name extends string>() {
  return s.object({
    /** A role, `"<role>+"` for it and every later one in the hierarchy, or a pseudo-role such as `"PUBLIC"`. */
    roles,
    /** A role on the platform: `"sysadmin"` or `"appmanager"`, or a list of them. */
    userRole: s.ruled<typeof PLATFORM_ROLES[number] | readonly (typeof PLATFORM_ROLES[number])[]>(
      "a platform role, or a list of them",
    ),
    /** Conditions on the record; on a list they become part of the query. */
    record: s.ruled<RecordDefinition<Name>>("columns, each with a value or with operators"),
    /** At least one of these rules. */
    or: s.ruled<readonly AccessDefinition<Name>[]>("rules"),
    /** All of these rules. */
    and: s.ruled<readonly AccessDefinition<Name>[]>("rules"),
  });
}
export const ACCESS = access<string>();

/** All that is said binds; nothing said admits nobody. */
export interface AccessDefinition<Name extends string = string>
  extends s.Written<typeof access<Name>> {}

/** One predicate of a firewall: a comparison of a column, for all callers or for some. */
export function predicate<Name extends string>() {
  return s.object({
    /** The column. */
    field: s.required(s.word<Name>("a column")),
    /** The column has this value. */
    equals: s.ruled<`ctx.${ContextKey}` | Scalar>(
      '`"ctx.userId"`, `"ctx.activeOrgId"`, `"ctx.activeTeamId"` or a literal',
    ),
    /** The column has one of these values. */
    in: s.ruled<readonly Scalar[] | `ctx.${string}`>('a list of literals, or `"ctx.roles"`'),
    /** The column has no value. */
    isNull: s.oneOf([true]),
    /** Binds only callers who hold one of these. */
    roles,
    /** Does not bind callers who hold one of these. */
    exceptRoles: roles,
  });
}
export const PREDICATE = predicate<string>();

const where = s.ruled<WhereDefinition>("conditions on the related row");

/** A predicate of a firewall that follows a relation. */
export const THROUGH = s.object({
  /** The relation: a foreign key without `Id`, or `"<table>.<column>"` for rows that refer to this one. */
  through: s.required(s.word("a relation")),
  /** The row that the key refers to meets these conditions. Left out: it is one that the caller can reach. */
  where,
  /** Some row that refers to this one meets these conditions. */
  some: where,
  /** No row that refers to this one meets them. */
  none: where,
  /** Binds only callers who hold one of these; in `anyOf` it is false for all others. */
  roles,
  /** Does not bind callers who hold one of these; in `anyOf` it is false for them. */
  exceptRoles: roles,
});

/** An item of `anyOf` that asks nothing of the row. */
export const HOLDERS = s.object({
  /** Roles that it lets through. */
  roles: s.required(roles),
});

/** One member of a firewall's list. */
export type PredicateDefinition<Name extends string> =
  | s.Written<typeof predicate<Name>>
  | s.Written<typeof THROUGH>
  | AnyOfDefinition<Name>;

/** One way in of several; a list binds together. */
export type AnyOfItem<Name extends string = string> =
  | PredicateDefinition<Name>
  | s.Written<typeof HOLDERS>
  | readonly (PredicateDefinition<Name> | s.Written<typeof HOLDERS>)[];

/** Predicates of which one is enough. */
export interface AnyOfDefinition<Name extends string = string> {
  readonly anyOf: readonly AnyOfItem<Name>[];
  readonly roles?: readonly RoleName[];
  readonly exceptRoles?: readonly RoleName[];
}

/** The same as a shape. */
export const ANY_OF = s.object({
  /** Predicates, lists of predicates that bind together, or `{ roles }` alone, which lets its holders through. */
  anyOf: s.required(s.ruled<readonly AnyOfItem[]>("predicates, or lists of them")),
  /** Binds only callers who hold one of these. */
  roles,
  /** Does not bind callers who hold one of these. */
  exceptRoles: roles,
});

/** One of the older named scopes of a firewall. */
function scope<Name extends string>() {
  return s.object({
    /** The column that it stands on. */
    column: s.word<Name>("a column"),
  });
}
export const SCOPE = scope<string>();

function ownerScope<Name extends string>() {
  return s.object({
    ...scope<Name>().members,
    /** `optional` does not bind `admin` and `owner`. */
    mode: s.oneOf(["required", "optional"]),
  });
}
export const OWNER_SCOPE = ownerScope<string>();

/** The older spelling of a firewall, and the explicit opening. */
function namedScopes<Name extends string>() {
  return s.object({
    /** Rows of the caller's organization. */
    organization: scope<Name>(),
    /** Rows of the caller. */
    owner: ownerScope<Name>(),
    /** Rows of the caller's team. */
    team: scope<Name>(),
    /** Rows that were not deleted. */
    softDelete: scope<Name>(),
    /** The rows are nobody's in particular: nothing isolates them. */
    exception: s.oneOf([true]),
  });
}
export const NAMED_SCOPES = namedScopes<string>();

/** A list of predicates that all bind, the older named scopes, or an explicit opening. */
export type FirewallDefinition<Name extends string> =
  | readonly PredicateDefinition<Name>[]
  | s.Written<typeof namedScopes<Name>>;

/** Fields that clients may write. A field in no list cannot be written. */
export function guards<Name extends string>() {
  return s.object({
    /** A create may set them. */
    createable: s.words<Name>("columns"),
    /** An update may change them. */
    updatable: s.words<Name>("columns"),
    /** A create sets them, nothing changes them. */
    immutable: s.words<Name>("columns"),
    /** Only these actions write the column. */
    protected: s.map<Name, s.Words<ActionName>>("columns", s.words("actions")),
  });
}
export const GUARDS = guards<string>();

/** Mask of a column. */
export const MASK = s.object({
  /** Form in which a value is still seen. */
  type: s.required(s.oneOf(MASK_TYPES)),
  /** Callers who see the column plain; without it nobody does. */
  show: s.object({
    /** Roles that see it. */
    roles,
    /** Rows on which it is seen; with `roles` both bind. */
    record: s.ruled<WhereDefinition>("columns and relations, each with conditions"),
    /** The row's owner sees it too. */
    or: s.oneOf(["owner"]),
    /** Further callers who see it: one of these is enough. */
    anyOf: s.list(s.object({
      /** Roles that see it. */
      roles,
      /** Rows on which it is seen. */
      record: s.ruled<WhereDefinition>("columns and relations, each with conditions"),
    })),
  }),
  /** Callers who may ask by the column; by default those who see it. */
  query: s.object({
    /** Roles that may filter, sort or search by it. */
    roles,
  }),
});

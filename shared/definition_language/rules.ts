/** Rules of a table: firewall, access, guards and masks (definitions 4.1 to 4.4). `Name` is a column of the table. */
import { type ConditionOperator, MASK_TYPES, type PLATFORM_ROLES } from "../contract/mod.ts";
import type { ContextKey, Scalar } from "../model/mod.ts";
import type { ActionName, ForeignKey, RoleName, TableName } from "./register.ts";
import * as s from "./shape.ts";

/** A value of the column's type, or one of the caller's values. */
const operand = s.ruled<Scalar>('a literal, `"$ctx.userId"` or `"$ctx.activeOrgId"`');
const operands = s.ruled<readonly Scalar[]>("a list of literals");

/** Operators on a column of the record. All of them must hold. */
export const CONDITION = s.object(
  {
    /** Equals this value. A bare literal means the same. `null` is a value. */
    equals: operand,
    /** Differs from this value. */
    notEquals: operand,
    /** Equals one of these. */
    in: operands,
    /** Equals none of these. */
    notIn: operands,
    /** Less than this value. Only for ordered types. */
    lessThan: operand,
    /** Greater than this value. */
    greaterThan: operand,
    /** Less than or equal to this value. */
    lessThanOrEqual: operand,
    /** Greater than or equal to this value. */
    greaterThanOrEqual: operand,
  } satisfies Record<ConditionOperator, s.Kind>,
);

/** Operators on a column of the record, or a bare value for `equals`. */
export type ConditionDefinition = Scalar | s.Written<typeof CONDITION>;

/** Conditions on a related row: its columns, its relations, `or`, `and` and `not`. */
export interface WhereDefinition {
  readonly [name: string]:
    | ConditionDefinition
    | readonly WhereDefinition[]
    | WhereDefinition;
}

type ColumnOf<Key> = Key extends `${string}.${infer Column}` ? Column : never;

/** The row that a foreign key refers to: the key without `Id`, or the whole name of a key that does not end so. */
type ParentName<Name extends string> = Name extends ColumnOf<ForeignKey>
  ? Name extends `${infer Parent}Id` ? Parent : Name
  : never;

/** Name of a relation: the row that a key refers to, or the rows that refer to this one as `"<table>"` or `"<table>.<column>"`. */
type RelationName<Name extends string> = ParentName<Name> | TableName | ForeignKey;

/** Conditions on a record, and through relations on rows that it refers to or that refer to it. */
export type RecordDefinition<Name extends string> =
  & {
    readonly [Column in Name]?:
      | ConditionDefinition
      // A key that does not end in `Id` has one name for column and relation.
      | (Column extends ParentName<Name> ? WhereDefinition[string] : never);
  }
  & { readonly [Relation in Exclude<RelationName<Name>, Name>]?: WhereDefinition[string] }
  & {
    /** At least one of these must hold. */
    readonly or?: readonly RecordDefinition<Name>[];
    /** All of these must hold. */
    readonly and?: readonly RecordDefinition<Name>[];
    /** This must not hold. */
    readonly not?: RecordDefinition<Name>;
  };

const roles = s.ruled<readonly RoleName[]>("roles");

/** A rule about callers. All of its members must hold. An empty rule admits nobody. */
export function access<Name extends string>() {
  return s.object({
    /** A role, `"<role>+"` for it and every higher one in the hierarchy, or a pseudo-role such as `"PUBLIC"`. */
    roles,
    /** A platform role, `"sysadmin"` or `"appmanager"`, or a list of them. */
    userRole: s.ruled<typeof PLATFORM_ROLES[number] | readonly (typeof PLATFORM_ROLES[number])[]>(
      "a platform role, or a list of them",
    ),
    /** Conditions on the record. In a list they become part of the query. */
    record: s.ruled<RecordDefinition<Name>>("columns, each with a value or with operators"),
    /** At least one of these rules must hold. */
    or: s.ruled<readonly AccessDefinition<Name>[]>("rules"),
    /** All of these rules must hold. */
    and: s.ruled<readonly AccessDefinition<Name>[]>("rules"),
  });
}
export const ACCESS = access<string>();

/** All members must hold. An empty rule admits nobody. */
export interface AccessDefinition<Name extends string = string>
  extends s.Written<typeof access<Name>> {}

/** A firewall predicate that compares a column, for all callers or for some. */
export function predicate<Name extends string>() {
  return s.object({
    /** The column. */
    field: s.required(s.word<Name>("a column")),
    /** The column equals this value. */
    equals: s.ruled<`ctx.${ContextKey}` | Scalar>(
      '`"ctx.userId"`, `"ctx.activeOrgId"`, `"ctx.activeTeamId"` or a literal',
    ),
    /** The column equals one of these values. */
    in: s.ruled<readonly Scalar[] | `ctx.${string}`>('a list of literals, or `"ctx.roles"`'),
    /** The column is null. */
    isNull: s.oneOf([true]),
    /** The predicate applies only to callers with one of these roles. */
    roles,
    /** The predicate does not apply to callers with one of these roles. */
    exceptRoles: roles,
  });
}
export const PREDICATE = predicate<string>();

const where = s.ruled<WhereDefinition>("conditions on the related row");

/** A firewall predicate that follows a relation. */
function through<Name extends string>() {
  return s.object({
    /** The relation: a foreign key without `Id`, or `"<table>.<column>"` for rows that refer to this one. */
    through: s.required(s.word<ParentName<Name> | ForeignKey>("a relation")),
    /** Conditions that the referenced row must meet. Default: the caller must be able to reach that row. */
    where,
    /** At least one referring row must meet these conditions. */
    some: where,
    /** No referring row may meet these conditions. */
    none: where,
    /** The predicate applies only to callers with one of these roles. In `anyOf` it is false for all others. */
    roles,
    /** The predicate does not apply to callers with one of these roles. In `anyOf` it is false for them. */
    exceptRoles: roles,
  });
}
export const THROUGH = through<string>();

/** An item of `anyOf` that admits roles to every row. */
export const HOLDERS = s.object({
  /** Roles that it admits. */
  roles: s.required(roles),
});

/** One member of a firewall's list. */
export type PredicateDefinition<Name extends string> =
  | s.Written<typeof predicate<Name>>
  | s.Written<typeof through<Name>>
  | AnyOfDefinition<Name>;

/** One alternative of `anyOf`. The predicates of a list must all hold. */
export type AnyOfItem<Name extends string = string> =
  | PredicateDefinition<Name>
  | s.Written<typeof HOLDERS>
  | readonly (PredicateDefinition<Name> | s.Written<typeof HOLDERS>)[];

/** A list of predicates of which one is enough. */
export interface AnyOfDefinition<Name extends string = string> {
  readonly anyOf: readonly AnyOfItem<Name>[];
  readonly roles?: readonly RoleName[];
  readonly exceptRoles?: readonly RoleName[];
}

/** The same as a shape. */
export const ANY_OF = s.object({
  /**
   * Alternatives: predicates, lists of predicates that must all hold, or `{ roles }` alone, which admits these roles to every
   * row.
   */
  anyOf: s.required(s.ruled<readonly AnyOfItem[]>("predicates, or lists of them")),
  /** The predicate applies only to callers with one of these roles. */
  roles,
  /** The predicate does not apply to callers with one of these roles. */
  exceptRoles: roles,
});

/** One of the older named scopes of a firewall. */
function scope<Name extends string>() {
  return s.object({
    /** The column of the scope. */
    column: s.word<Name>("a column"),
  });
}
export const SCOPE = scope<string>();

function ownerScope<Name extends string>() {
  return s.object({
    ...scope<Name>().members,
    /** With `optional` the scope does not apply to `admin` and `owner`. */
    mode: s.oneOf(["required", "optional"]),
  });
}
export const OWNER_SCOPE = ownerScope<string>();

/** The older spelling of a firewall, and the explicit exception. */
function namedScopes<Name extends string>() {
  return s.object({
    /** Rows of the caller's organization. */
    organization: scope<Name>(),
    /** Rows that the caller owns. */
    owner: ownerScope<Name>(),
    /** Rows of the caller's team. */
    team: scope<Name>(),
    /** Rows that were not deleted. */
    softDelete: scope<Name>(),
    /** Every caller reaches every row. */
    exception: s.oneOf([true]),
  });
}
export const NAMED_SCOPES = namedScopes<string>();

/** Predicates that must all hold, the older named scopes, or the explicit exception. */
export type FirewallDefinition<Name extends string> =
  | readonly PredicateDefinition<Name>[]
  // A list has none of these names, and the type checker would take it for such an object.
  | (s.Written<typeof namedScopes<Name>> & { readonly length?: never });

/** Columns that clients may write. A column in no list cannot be written. */
export function guards<Name extends string>() {
  return s.object({
    /** Columns that a create may set. */
    createable: s.words<Name>("columns"),
    /** Columns that an update may change. */
    updatable: s.words<Name>("columns"),
    /** Columns that a create sets and nothing changes. */
    immutable: s.words<Name>("columns"),
    /** Columns that only these actions may write. */
    protected: s.map<Name, s.Words<ActionName>>("columns", s.words("actions")),
  });
}
export const GUARDS = guards<string>();

/** A mask of a column. */
export function mask<Name extends string>() {
  return s.object({
    /** Form of the masked value. */
    type: s.required(s.oneOf(MASK_TYPES)),
    /** Callers who see the plain value. Without it nobody does. */
    show: s.object({
      /** Roles that see it. */
      roles,
      /** Rows on which it is seen. With `roles` both must hold. */
      record: s.ruled<RecordDefinition<Name>>("columns and relations, each with conditions"),
      /** The row's owner sees it too. */
      or: s.oneOf(["owner"]),
      /** Further alternatives, of which one is enough. */
      anyOf: s.list(s.object({
        /** Roles that see it. */
        roles,
        /** Rows on which it is seen. */
        record: s.ruled<RecordDefinition<Name>>("columns and relations, each with conditions"),
      })),
    }),
    /** Callers who may filter, sort and search by the column. Default: those who see it. */
    query: s.object({
      /** Roles that may filter, sort and search by it. */
      roles,
    }),
  });
}
export const MASK = mask<string>();

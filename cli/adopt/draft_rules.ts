/**
 * Converts policies to conditions of a `record`, which may follow relations (definitions 4.2). A person must name the roles.
 */
import { type ColumnType, rulesOf, valuesOf } from "../../shared/column_types/mod.ts";
import { type Condition, conjuncts } from "./conditions.ts";
import type { DraftColumn, DraftRule, DraftTable, RecordRule } from "./draft.ts";
import type { ForeignTable, Operation, Policy } from "./foreign_schema.ts";
import type { Ledger } from "./ledger.ts";

/** Table of the draft, with its names by those of the source. */
export interface Named {
  readonly foreign: ForeignTable;
  readonly table: DraftTable;
  /** Draft's column names by those of the source in lower case. */
  readonly names: ReadonlyMap<string, string>;
}

interface Around {
  /** Tables by the source's name in lower case. */
  readonly tables: ReadonlyMap<string, Named>;
  /** Tables whose rows are memberships of organizations, in lower case. */
  readonly memberships: ReadonlySet<string>;
  /** Table that organizations replace, in lower case; null: none. */
  readonly tenant: string | null;
  readonly ledger: Ledger;
}

/** Reason of a policy that is left out. */
export const NO_WORDS = "what it says has no words here: its operations stay closed";

const OPERATIONS: readonly Operation[] = ["read", "create", "update", "delete"];

/** Returns the rules of a table; every policy of it has an outcome afterwards. */
export function rulesOfTable(named: Named, around: Around): readonly DraftRule[] {
  const { ledger } = around;
  const readable = named.foreign.policies.flatMap((policy) => {
    const record = policy.condition === null ? null : recordOf(policy.condition, named, around);
    if (record === null) {
      ledger.leaveOut(policy.clause, NO_WORDS);
      return [];
    }
    const reason = typeof record === "boolean"
      ? "it binds no row: the roles of the operation are to be named"
      : "it is a condition of an operation whose roles are to be named";
    ledger.change(policy.clause, reason);
    return [{ policy, record }];
  });
  return OPERATIONS.flatMap((operation) => {
    const said = readable.filter(({ policy }) => policy.operations.includes(operation));
    const allowed = said.filter(({ policy }) => policy.isAllowing).map(({ record }) => record);
    const bound = said.filter(({ policy }) => !policy.isAllowing).map(({ record }) => record);
    const record = all([any(allowed), ...bound]);
    if (allowed.length === 0 || record === true || record === false) return [];
    const clauses = said.map(({ policy }: { readonly policy: Policy }) => policy.clause);
    return [{ operation, record, clauses }];
  });
}

/** Rule, or a constant: true or false for every row. */
type Said = RecordRule | boolean;

/** Converts a condition; null: the definition language cannot express it. */
function recordOf(condition: Condition, named: Named, around: Around): Said | null {
  switch (condition.kind) {
    case "always":
    case "signedIn":
      return true;
    case "never":
      return false;
    case "not": {
      const of = recordOf(condition.of, named, around);
      return of === null ? null : typeof of === "boolean" ? !of : { not: of };
    }
    case "all":
    case "any": {
      const parts = condition.of.map((one) => recordOf(one, named, around));
      const known = parts.filter((part) => part !== null);
      if (known.length < parts.length) return null;
      return condition.kind === "all" ? all(known) : any(known);
    }
    case "compare":
    case "in":
      return comparisonOf(condition, named);
    case "length":
    case "pattern":
      return null;
    case "exists":
      return existsOf(condition, named, around);
  }
}

function all(parts: readonly Said[]): Said {
  if (parts.includes(false)) return false;
  const rest = distinct(parts);
  const [only, ...others] = rest;
  return only === undefined ? true : others.length === 0 ? only : { and: rest };
}

function any(parts: readonly Said[]): Said {
  if (parts.includes(true)) return true;
  const rest = distinct(parts);
  const [only, ...others] = rest;
  return only === undefined ? false : others.length === 0 ? only : { or: rest };
}

function distinct(parts: readonly Said[]): readonly RecordRule[] {
  const rules = parts.filter((part): part is RecordRule => typeof part !== "boolean");
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
}

function comparisonOf(
  condition: Extract<Condition, { readonly kind: "compare" | "in" }>,
  named: Named,
): RecordRule | null {
  const name = ownName(condition.column, named);
  const type = name === undefined ? null : typeOf(name, named.table);
  if (name === undefined || type === null || rulesOf(type).isStructured) return null;
  if (condition.kind === "in") {
    const values = condition.values.filter((value) => value !== null);
    const isFitting = values.length === condition.values.length &&
      values.every((value) => valuesOf({ type }).mismatch(value) === null);
    return isFitting ? { [name]: { in: [...values] } } : null;
  }
  if (condition.with.kind === "userId") {
    return rulesOf(type).holdsIds ? { [name]: { [condition.by]: "$ctx.userId" } } : null;
  }
  const { value } = condition.with;
  if (value === null) {
    const isTest = condition.by === "equals" || condition.by === "notEquals";
    return isTest ? { [name]: { [condition.by]: null } } : null;
  }
  const isOrdered = condition.by === "equals" || condition.by === "notEquals" ||
    rulesOf(type).isOrdered;
  const isFitting = isOrdered && valuesOf({ type }).mismatch(value) === null;
  return isFitting ? { [name]: { [condition.by]: value } } : null;
}

/**
 * Converts an EXISTS over the row to which a key refers, over rows that refer to this one, or over rows that refer to the same
 * row.
 */
function existsOf(
  { table, keys, of }: Extract<Condition, { readonly kind: "exists" }>,
  named: Named,
  around: Around,
): Said | null {
  if (isOrganizations(table, around)) return isMemberAlone({ table, of }, around) ? true : null;
  const other = around.tables.get(table.toLowerCase());
  if (!other) return null;
  const pairs = keys.map(({ theirs, own }) => (
    { theirs: ownName(theirs, other), own: ownName(own, named) }
  )).filter(({ theirs, own }) => !(theirs === "organizationId" && own === "organizationId"));
  const [pair, ...others] = pairs;
  if (pair?.theirs === undefined || pair.own === undefined || others.length > 0) return null;
  const inner = recordOf(of, other, around);
  if (inner === null || inner === false) return inner;
  const target = keyTarget(pair.own, named.table);
  if (pair.theirs === "id" && target === other.table.name) {
    return { [relationName(pair.own)]: inner === true ? { id: { notEquals: null } } : inner };
  }
  const back = keyTarget(pair.theirs, other.table);
  const children = (parent: DraftTable) => ({
    [childrenName(other.table, pair.theirs ?? "", parent)]: {
      some: inner === true ? { id: { notEquals: null } } : inner,
    },
  });
  if (pair.own === "id" && back === named.table.name) return children(named.table);
  const parent = [...around.tables.values()].find((one) => one.table.name === target);
  return parent && target === back ? { [relationName(pair.own)]: children(parent.table) } : null;
}

/** True for the table of the tenant, and for the table of its members. */
function isOrganizations(table: string, { memberships, tenant }: Around): boolean {
  return memberships.has(table.toLowerCase()) || table.toLowerCase() === tenant;
}

/**
 * True when the condition only requires that the caller is a member, as the organization scope does; a person must name a role.
 */
function isMemberAlone(
  { table, of }: { readonly table: string; readonly of: Condition },
  around: Around,
): boolean {
  const isMembers = around.memberships.has(table.toLowerCase());
  const parts = conjuncts(of);
  return (isMembers || parts.length > 0) && parts.every((part) => {
    if (part.kind === "exists") {
      return isOrganizations(part.table, around) && isMemberAlone(part, around);
    }
    return isMembers && part.kind === "compare" && part.by === "equals" &&
      part.with.kind === "userId";
  });
}

function ownName(foreign: string, { names }: Named): string | undefined {
  return names.get(foreign.toLowerCase());
}

/** Returns the relation's name: the foreign key without `Id`, or else its whole name. */
function relationName(column: string): string {
  return column.length > 2 && column.endsWith("Id") ? column.slice(0, -2) : column;
}

/**
 * Returns the name of a relation to child rows: the table's name if it has one key to the parent, or else the table's and the
 * column's.
 */
function childrenName(table: DraftTable, column: string, parent: DraftTable): string {
  const keys = table.columns.filter(({ name }) => keyTarget(name, table) === parent.name);
  return keys.length === 1 ? table.name : `${table.name}.${column}`;
}

function keyTarget(name: string, { columns }: DraftTable): string | null {
  const type = columns.find((column) => column.name === name)?.type;
  return type?.kind === "key" ? type.table : null;
}

const TEXT: ColumnType = { kind: "text", maxLength: null, enum: null };

function typeOf(name: string, { columns }: DraftTable): ColumnType | null {
  const type: DraftColumn["type"] | undefined = columns.find((column) => column.name === name)
    ?.type;
  switch (type?.kind) {
    case "plain":
    case "computed":
      return type.of;
    case "account":
    case "key":
    case "scope":
      return TEXT;
    default:
      return /^(created|modified)By$/.test(name) ? TEXT : null;
  }
}

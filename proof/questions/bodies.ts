/**
 * Bodies of writes: valid ones, and ones that a given layer must refuse. They are derived by a second, independent reading of
 * contract 7.2 and definitions 4.3 (contract 1.3, 4.1).
 */
import { accountOf, rulesOf, scopeOf, valuesOf, vectorOf } from "../../shared/column_types/mod.ts";
import type { RuntimeCode } from "../../shared/contract/mod.ts";
import type { ColumnModel, JsonValue, ResourceModel, TableModel } from "../../shared/model/mod.ts";
import { firewallColumns, tableNamed } from "../../shared/surface/mod.ts";
import type { RuledRoute } from "../../shared/oracle/routes.ts";
import type { RowId, SeedRow, SeedValues } from "../rows/mod.ts";
import { columnValue, HOME, isUnique, KNOWN, tightKey, timeText, twinValues } from "../rows/mod.ts";
import { actingCaller, hiddenIn, isHiddenByOne, isVisible, missingId } from "./planning.ts";
import { type Planning, rowsOf } from "./planning.ts";

export interface Writing extends Planning {
  readonly resource: ResourceModel;
  readonly table: TableModel;
}

export interface RouteWriting extends Writing {
  readonly route: RuledRoute;
}

export type Body = Readonly<Record<string, JsonValue>>;

export type BodyVerb = "create" | "update" | "upsert";

export function writableBy(
  verb: BodyVerb,
  resource: ResourceModel,
  table: TableModel,
): readonly ColumnModel[] {
  return table.columns.filter((column) =>
    column.manager === "client" && guardRefusal(verb, column, resource) === null
  );
}

/** Returns the code with which guards refuse a column; null: the body may contain it. The id is checked separately. */
export function guardRefusal(
  verb: BodyVerb,
  { name, manager }: ColumnModel,
  { guards }: ResourceModel,
): RuntimeCode | null {
  if (manager !== "client") return "GUARD_SYSTEM_MANAGED";
  if (guards === null) return null;
  if (Object.keys(guards.protected).includes(name)) return "GUARD_FIELD_PROTECTED";
  if (verb !== "update") {
    return guards.createable.includes(name) ? null : "GUARD_FIELD_NOT_CREATEABLE";
  }
  if (guards.immutable.includes(name)) return "GUARD_FIELD_IMMUTABLE";
  return guards.updatable.includes(name) ? null : "GUARD_FIELD_NOT_UPDATABLE";
}

/** Body that guards and validation both refuse: a caller without access must be refused before either. */
export const REFUSED_BODY: Body = { createdAt: 5, "no such column": { deep: [] } };

/** Body that no parser accepts. */
export const BROKEN_BODY = "{";

/** Returns a body with a fresh value for every writable column; its parents are rows that the caller can read. */
export function newBody(verb: BodyVerb, writing: Writing): Body {
  const { resource, table, rows } = writing;
  const number = writing.nextNumber();
  const home = rows.find((row) => row.table.name === table.name && row.variant === HOME);
  // Columns that rules, firewalls and transitions compare: their values come from the row at home, which meets all of these.
  const deciding = new Set([
    ...firewallColumns(table.firewall),
    ...Object.keys(resource.transitions),
    ...table.columns.filter((column) => valuesOf(column, table).choices !== null)
      .map(({ name }) => name),
  ]);
  const hidden = hiddenIn(table.name, writing);
  const entries = writableBy(verb, resource, table).flatMap((column): [string, JsonValue][] => {
    const one = hidden.find(({ column: { name } }) => name === column.name);
    const twins = one && column.references === null ? twinValues(one, number) : null;
    if (twins) return [[column.name, twins[0]]];
    if (column.references !== null) return [[column.name, readableParent(column, writing)]];
    if (deciding.has(column.name)) return [[column.name, home?.values[column.name] ?? null]];
    if (accountOf(column.type) !== null) return [[column.name, accountFor(column, verb, writing)]];
    const value = columnValue(column, { table, resource, number, now: writing.now });
    return [[column.name, value]];
  });
  const withId = verb === "create" && table.idStrategy === false
    ? { [table.primaryKey]: writing.newId(table) }
    : {};
  return { ...withId, ...Object.fromEntries(entries) };
}

/**
 * Returns the caller's account, because no other account is known to be a member. A new row leaves the account out if only one
 * row may name it.
 */
function accountFor(
  { name, nullable }: ColumnModel,
  verb: BodyVerb,
  writing: Writing,
): JsonValue {
  const isTaken = verb === "create" && nullable && isUnique(name, writing.table);
  return isTaken ? null : actingCaller(writing).userId;
}

/** Returns the body without hidden columns, whose values stay different in the two databases. */
export function harmless(body: Body, writing: Writing): Body {
  const hidden = hiddenIn(writing.table.name, writing).map(({ column }) => column.name);
  return Object.fromEntries(Object.entries(body).filter(([name]) => !hidden.includes(name)));
}

/** Returns a body with the unique values of the known row; null: the table has no unique column. */
export function conflictingBody(verb: BodyVerb, writing: Writing): Body | null {
  const { resource, table } = writing;
  const known = rowsOf(table, writing).find(({ variant }) => variant === KNOWN);
  const unique = writableBy(verb, resource, table).filter(({ name }) => isUnique(name, table));
  if (unique.length === 0) return null;
  const taken = unique.map(({ name }) => [name, known?.values[name] ?? null] as const);
  return { ...newBody(verb, writing), ...Object.fromEntries(taken) };
}

/** Returns bodies that are refused for every caller before anything is written. */
export function faultyBodies(body: Body, writing: Writing): readonly Body[] {
  const [first] = Object.keys(body);
  return [
    {},
    { ...body, createdAt: timeText(writing.now) },
    { ...body, nobodyKnowsThis: 1 },
    ...(first === undefined ? [] : [{ ...body, [first]: [1] }]),
    ...hiddenIn(writing.table.name, writing).map(({ column }) => ({
      ...body,
      [column.name]: { not: ["a", "value"] },
    })),
  ];
}

/**
 * Returns the parent at home, or else another one; when exploring, even one that the caller cannot read. Null: there is none,
 * or the key refers to another column than the parent's id.
 */
function readableParent({ name, references }: ColumnModel, writing: Writing): JsonValue {
  if (references === null) return null;
  const unused = tightKey(writing.table)?.name === name
    ? writing.parents.get(writing.table.name)?.pop()
    : undefined;
  if (unused && isReadable(unused, writing)) return unused.id;
  const parent = tableNamed(references.table, writing.model);
  if (references.column !== parent.primaryKey) return null;
  const rows = rowsOf(parent, writing);
  const found = rows.find((row) => isReadable(row, writing)) ?? (writing.exploring && rows[0]);
  return found?.id ?? null;
}

/** True unless other rows take up the parents that this row needs: a caller in another organization may find too few there. */
export function hasRoom(body: Body, { table, rows }: Writing): boolean {
  const key = tightKey(table);
  if (key === null) return true;
  const id = body[key.name] ?? null;
  return id === null ||
    !rows.some(({ table: other, values }) =>
        other.name === table.name && values[key.name] === id
      ) &&
      rows.some((row) => row.id === id && row.variant.startsWith("another for"));
}

function isReadable({ table, values }: SeedRow, writing: Writing): boolean {
  return isVisible(table, values, writing);
}

/** Returns the first foreign key of a body that names a row which the caller cannot read; null: all are readable. */
function unreadableKey(body: Body, writing: Writing): string | null {
  const { table, model } = writing;
  const caller = actingCaller(writing);
  const found = table.columns.find(({ name, type, references }) => {
    const id = body[name] ?? null;
    if (accountOf(type) !== null) return id !== null && id !== caller.userId;
    if (references === null || id === null) return false;
    const parent = tableNamed(references.table, model);
    const row = rowsOf(parent, writing).find((one) => one.values[references.column] === id);
    return row === undefined || !isVisible(parent, row.values, writing);
  });
  return found?.name ?? null;
}

/** Returns the refusal of a body that passes guards and types; null: none. */
export function bodyRefusal(verb: BodyVerb, body: Body, writing: Writing): string | null {
  // The first required column without a value in the body.
  const { resource, table } = writing;
  return writableBy(verb, resource, table).find(({ name, nullable }) =>
    !nullable && Object.hasOwn(body, name) && body[name] === null
  )?.name ?? unreadableKey(body, writing);
}

/** Returns the row that a body creates: columns that it leaves out take their defaults (contract 4.1 rule 1). */
export function rowMade(body: Body, id: RowId | null, writing: Writing): SeedValues {
  const { table, now } = writing;
  const caller = actingCaller(writing);
  const made = table.columns.map((column): [string, JsonValue] => {
    if (Object.hasOwn(body, column.name)) return [column.name, body[column.name] ?? null];
    switch (column.manager) {
      case "id":
        return [column.name, id];
      case "revision":
        return [column.name, 1];
      case "scope":
        return [column.name, ownScope(column, writing)];
      case "system":
        return [
          column.name,
          // A vector that the operator's service computes is added later.
          column.name.startsWith("deleted") || vectorOf(column.type) !== null
            ? null
            : rulesOf(column.type).isInstant
            ? timeText(now)
            : caller.userId,
        ];
      case "computed":
        return [column.name, null];
      case "client":
        return [
          column.name,
          defaultOf(column, writing),
        ];
    }
  });
  return Object.fromEntries(made);
}

/** Returns the default of a column. It is never undefined, which is not JSON: random values are derived from the row. */
function defaultOf({ type, default: value }: ColumnModel, writing: Writing): JsonValue {
  if (value?.kind === "literal") return value.value;
  const now = timeText(writing.now);
  if (value?.kind !== "made") return value && now;
  switch (value.value.kind) {
    case "now":
      return rulesOf(type).isInstant ? now : now.slice(0, "YYYY-MM-DD".length);
    case "userId":
      return actingCaller(writing).userId;
    case "random":
    case "sequence":
      return null;
  }
}

function ownScope({ type }: ColumnModel, writing: Writing): JsonValue {
  const { organizationId, userId, teamId } = actingCaller(writing);
  const scope = scopeOf(type);
  return scope && { organization: organizationId, owner: userId, team: teamId }[scope];
}

/**
 * Returns a body with the row's present value of every updatable column: writing it changes only the stamps. Hidden columns are
 * left out.
 */
export function sameBody(verb: "update" | "upsert", row: SeedRow, writing: Writing): Body {
  const { resource, table } = writing;
  const columns = writableBy(verb, resource, table).filter((column) =>
    verb === "upsert" ||
    (column.references === null && !Object.hasOwn(resource.transitions, column.name))
  );
  const same = columns.map(({ name }) => [name, row.values[name] ?? null] as const);
  return harmless(Object.fromEntries(same), writing);
}

export interface BadBody {
  readonly purpose: string;
  readonly body: Body;
  readonly code: RuntimeCode;
  /** Pointer of the fault; null: it is not compared. */
  readonly pointer: string | null;
}

/**
 * Returns bodies that guards refuse: each adds one column to a valid body, together with values that validation would refuse
 * too.
 */
export function guardedBodies(verb: BodyVerb, good: Body, writing: Writing): readonly BadBody[] {
  const { resource, table, world } = writing;
  // One column for each code with which a body can be refused, and every scope column.
  const codes = new Set<RuntimeCode>();
  const columns = table.columns.filter(({ manager }) => manager !== "id").flatMap((column) => {
    const code = guardRefusal(verb, column, resource);
    if (code === null || (codes.has(code) && column.manager !== "scope")) return [];
    codes.add(code);
    return [{ column, code }];
  }).map(({ column, code }) => ({
    purpose: `write "${column.name}"`,
    body: {
      ...good,
      [column.name]: column.manager === "scope" ? world.foreign.organizationId : [],
    },
    code,
    pointer: null,
  }));
  const unknown = {
    purpose: "write a column that there is not",
    body: { ...good, "no such column": 1 },
    code: verb === "update" ? "GUARD_FIELD_NOT_UPDATABLE" : "GUARD_FIELD_NOT_CREATEABLE",
    pointer: null,
  } as const;
  return [...columns, unknown];
}

/** Returns bodies with a value of another type than the column's. */
export function invalidBodies(verb: BodyVerb, good: Body, writing: Writing): readonly BadBody[] {
  const { resource, table } = writing;
  const [column] = writableBy(verb, resource, table).filter(({ type, references }) =>
    valuesOf({ type }, table).mismatch([]) !== null && references === null
  );
  if (!column) return [];
  return [{
    purpose: `write a list into "${column.name}"`,
    body: { ...good, [column.name]: [] },
    code: "VALIDATION_ERROR",
    pointer: `/${column.name}`,
  }];
}

/**
 * Returns bodies whose foreign keys name rows that the caller cannot read: foreign, deleted, missing (definitions 7, "Smaller
 * answers").
 */
export function unreadableBodies(verb: BodyVerb, good: Body, writing: Writing): readonly BadBody[] {
  const { resource, table, model } = writing;
  const caller = actingCaller(writing);
  return writableBy(verb, resource, table).flatMap(({ name, type, references }): BadBody[] => {
    if (accountOf(type) !== null) {
      const { home, foreign } = writing.world;
      const isOwn = foreign.userId === caller.userId;
      return [{
        purpose: `name an account of another organization in "${name}"`,
        body: { ...good, [name]: (isOwn ? home : foreign).userId },
        code: "VALIDATION_ERROR",
        pointer: `/${name}`,
      }];
    }
    if (references === null) return [];
    const parent = tableNamed(references.table, model);
    if (references.column !== parent.primaryKey) return [];
    const hidden = rowsOf(parent, writing).filter(({ values }) =>
      isHiddenByOne(parent, values, writing)
    );
    const named = hidden.map(({ variant, id }) => ({ what: `of the row "${variant}"`, id }));
    return [...named, { what: "of no row", id: missingId(parent, writing) }].map((
      { what, id },
    ) => ({
      purpose: `let "${name}" name the id ${what}`,
      body: { ...good, [name]: id },
      code: "VALIDATION_ERROR",
      pointer: `/${name}`,
    }));
  });
}

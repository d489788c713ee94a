/**
 * Makes rows on both sides of every predicate, condition and state of a project, for one class of callers: a row at home that
 * meets all of them, as many of a colleague's rows as requested, and one for each value that changes a decision (definitions
 * 4.1, 4.2, contract 3.2).
 */
import { computedValues } from "./computed_values.ts";
import { accountOf, rulesOf, scopeOf, valuesOf, vectorOf } from "../../shared/column_types/mod.ts";
import type { ColumnModel, Condition, JsonValue, Principal } from "../../shared/model/mod.ts";
import type { ProjectModel, TableModel } from "../../shared/model/mod.ts";
import { columnPredicates, isPerOrganization } from "../../shared/model/mod.ts";
import { firewallColumns, tableNamed } from "../../shared/surface/mod.ts";
import { compare } from "../../shared/oracle/judge.ts";
import { type RuledRoute, ruledRoutesOf } from "../../shared/oracle/routes.ts";
import {
  candidatesFor,
  columnValue,
  decidingColumns,
  type Questions,
  questionsOf,
  timeText,
} from "./conditions.ts";
import { type Followed, followedIn } from "./followed.ts";
import { withRelatedRows } from "./related_rows.ts";
import type { NewRowId, RowId } from "./row_ids.ts";
import { fittingRows, isUnique, tightKey } from "./unique_rows.ts";
import type { World } from "./world.ts";
import { SeedRow, SeedValues } from "./seed_row.ts";

export interface SeedOptions {
  readonly newId: NewRowId;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Returns a number that no other row has, in any world. */
  nextNumber(): number;
  /** Number of a colleague's rows at home, in each table; default: none. */
  readonly colleagues?: number;
}

interface Seeding extends SeedOptions {
  readonly model: ProjectModel;
  readonly world: World;
  readonly routes: readonly RuledRoute[];
  readonly followed: readonly Followed[];
  /** Row at home of each table. */
  readonly homes: ReadonlyMap<string, RowId>;
  /** Colleague's rows of each table. */
  readonly peers: ReadonlyMap<string, readonly RowId[]>;
}

/** Returns every table's rows, the row at home first. */
export function seedRows(
  model: ProjectModel,
  world: World,
  options: SeedOptions,
): readonly SeedRow[] {
  const { newId, colleagues: length = 0 } = options;
  const homes = new Map(model.tables.map((table) => [table.name, newId(table)]));
  const peers = new Map(
    model.tables.map((table) => [table.name, Array.from({ length }, () => newId(table))]),
  );
  const routes = ruledRoutesOf(model);
  const followed = followedIn(model);
  const seeding = { ...options, model, world, routes, followed, homes, peers };
  const rows = withRelatedRows(model.tables.flatMap((table) => tableRows(table, seeding)), {
    tables: model.tables,
    followed,
    caller: memberOf(world),
    baseKind: ({ variant, table }) => {
      if (variant === HOME || variant === UNMET) return "whole";
      return variant === DELETED || variant === foreignVariant(table) ? "met" : null;
    },
    make: (table, row) => rowOf(table, row, seeding),
  });
  // Rows at home whose parent is not at home: the parent's label must not be revealed.
  const [fitting = []] = fittingRows([[
    ...rows,
    ...rows.filter(({ variant }) => variant === HOME).flatMap((row) =>
      row.table.columns.filter(({ references }) => references !== null).flatMap((column) => {
        const hidden = rows.find(({ table, variant }) =>
          table.name === column.references?.table &&
          variant === foreignVariant(table)
        );
        if (!hidden || hidden.table.primaryKey !== column.references?.column) return [];
        const values = { ...row.values, [column.name]: hidden.id };
        return rowOf(row.table, { variant: `${column.name} of another`, values }, seeding);
      })
    ),
  ]]);
  return fitting.map((row) => ({ ...row, values: computedValues(row.values, row.table) }));
}

/** Copies a row under a new id and with new unique values, with a new parent if that is needed. */
export function sameRow(row: SeedRow, variant: string, seeding: SpareSeeding): readonly SeedRow[] {
  const fresh = homeValues(row.table, seeding);
  const deciding = new Set(
    decidingColumns(questionsFor(row.table, seeding)).map(({ name }) => name),
  );
  const isApart = isPerOrganization(seeding.model);
  const refers = new Set(
    row.table.columns.filter(({ references }) => references !== null).map(({ name }) => name),
  );
  const kept = Object.entries(row.values).filter(([name, value]) =>
    deciding.has(name) || name.startsWith("deleted") ||
    // The referenced row is in the same database.
    (isApart && refers.has(name) && value !== fresh[name])
  );
  return rowOf(row.table, { variant, values: { ...fresh, ...Object.fromEntries(kept) } }, seeding);
}

/** Returns another parent at home for a row that will be created; null: the table's rows can share a parent. */
export function freshParent(table: TableModel, seeding: SpareSeeding): SeedRow | null {
  const key = tightKey(table);
  return key === null ? null : parentRow(key, seeding);
}

function parentRow({ name, references }: ColumnModel, seeding: Seeding): SeedRow | null {
  if (references === null) return null;
  const parent = tableNamed(references.table, seeding.model);
  if (references.column !== parent.primaryKey) return null;
  const values = metBy(homeValues(parent, seeding), questionsFor(parent, seeding), seeding);
  const [row] = rowOf(parent, { variant: `another for "${name}"`, values }, seeding);
  return row ?? null;
}

export type SpareSeeding = Seeding;

/** Returns the context in which `sameRow` makes further rows of an earlier seeding. */
export function spareSeeding(
  model: ProjectModel,
  world: World,
  { rows, ...options }: SeedOptions & { readonly rows: readonly SeedRow[] },
): SpareSeeding {
  const homes = new Map(
    rows.filter(({ variant }) => variant === HOME).map(({ table, id }) => [table.name, id]),
  );
  const routes = ruledRoutesOf(model);
  const followed = followedIn(model);
  return { ...options, model, world, routes, followed, homes, peers: new Map() };
}

export const HOME = "home";
const DELETED = "deleted";

/** Returns the variant of a row of another organization. */
export function foreignVariant({ scope }: TableModel): string {
  return `${scope.organization} of another`;
}

/** Variant of the row that meets as few alternative conditions as possible. */
const UNMET = "by no column";

function questionsFor(table: TableModel, { model, routes, followed }: Seeding): Questions {
  return questionsOf(table, model, routes, followed);
}

function tableRows(table: TableModel, seeding: Seeding): readonly SeedRow[] {
  const questions = questionsFor(table, seeding);
  const home = metBy(homeValues(table, seeding), questions, seeding);
  const columns = decidingColumns(questions);
  const starts = [
    home,
    ...questions.rules.map((rule) => withConditions(home, rule, questions, seeding)),
  ];
  const variants = new Map<string, { readonly variant: string; readonly values: SeedValues }>();
  const add = (variant: string, values: SeedValues) => {
    const key = JSON.stringify(columns.map(({ name }) => values[name] ?? null));
    if (!variants.has(key)) variants.set(key, { variant, values });
  };
  for (const [at, start] of starts.entries()) {
    add(at === 0 ? HOME : `rule ${at}`, start);
    for (const column of columns) {
      for (const value of candidatesFor(column, questions, seeding.world, seeding.now)) {
        add(variantName(column, value, seeding), flipped(start, column, value, seeding));
      }
    }
  }
  if (questions.branches.length > 0) add(UNMET, unmet(home, questions, seeding));
  const [own = [], ...others] = [...variants.values()].map((one) => rowOf(table, one, seeding));
  const peers = seeding.peers.get(table.name) ?? [];
  return [...own, ...peers.map((_, at) => peerRow(at, home, questions, seeding)), ...others.flat()];
}

/** Returns the variant of the colleague's row with that number, counted from zero. */
export function peerVariant(at: number): string {
  return `${COLLEAGUES_ROW} ${at + 1}`;
}

export function isColleagues({ variant }: SeedRow): boolean {
  return variant.startsWith(COLLEAGUES_ROW);
}

const COLLEAGUES_ROW = "a colleague's";

/**
 * Number of the colleague's row that is null wherever possible. The row after it shares the first one's parents, if two rows
 * can.
 */
const WITHOUT_VALUES = 1;
const SIBLING = 2;

function peerRow(
  at: number,
  home: SeedValues,
  questions: Questions,
  seeding: Seeding,
): SeedRow {
  const { table } = questions;
  const { world, peers } = seeding;
  const id = peers.get(table.name)?.[at] ?? null;
  const deciding = new Set(decidingColumns(questions).map(({ name }) => name));
  const number = seeding.nextNumber();
  const parentOf = ({ name, references }: ColumnModel): JsonValue => {
    if (references === null || references.table === table.name) return home[name] ?? null;
    const parents = peers.get(references.table) ?? [];
    const isTight = at === SIBLING && !isUnique(name, table);
    return parents[isTight ? 0 : at] ?? null;
  };
  const values = table.columns.map((column): [string, JsonValue] => {
    const { name, manager, nullable, references } = column;
    const own = home[name] ?? null;
    if (manager === "id") return [name, id];
    if (manager !== "client") return [name, own === world.home.userId ? world.foreign.userId : own];
    if (deciding.has(name)) return [name, own];
    if (nullable && (at === WITHOUT_VALUES || references?.table === table.name)) {
      return [name, null];
    }
    if (references !== null) return [name, parentOf(column)];
    const { choices } = valuesOf(column, table);
    if (choices !== null) return [name, choices[(at + 1) % choices.length] ?? null];
    return [name, plainValue(column, { table, seeding, number })];
  });
  return { table, variant: peerVariant(at), id: id ?? "", values: Object.fromEntries(values) };
}

/** Makes a row. Unique columns differ from row to row; if only a parent can differ, a new parent is made too. */
export function rowOf(
  table: TableModel,
  { variant, values }: Pick<SeedRow, "variant" | "values">,
  seeding: Seeding,
): readonly SeedRow[] {
  const isHome = variant === HOME;
  const id = isHome ? seeding.homes.get(table.name) ?? seeding.newId(table) : seeding.newId(table);
  const fresh = isHome ? {} : freshValues(table, seeding, values);
  const key = isHome ? null : tightKey(table);
  const parent = key !== null &&
      (key.references !== null && values[key.name] === seeding.homes.get(key.references.table))
    ? parentRow(key, seeding)
    : null;
  const own = key === null || parent === null ? {} : { [key.name]: parent.id };
  const row = { ...values, ...fresh, ...own, [table.primaryKey]: id };
  return [...(parent === null ? [] : [parent]), { table, variant, id, values: row }];
}

function freshValues(table: TableModel, seeding: Seeding, values: SeedValues): SeedValues {
  const deciding = new Set(
    decidingColumns(questionsFor(table, seeding)).map(({ name }) => name),
  );
  const number = seeding.nextNumber();
  const fresh = table.columns.filter((column) =>
    column.manager === "client" && column.references === null && !deciding.has(column.name) &&
    values[column.name] !== null
  );
  return Object.fromEntries(
    fresh.map((column) => [column.name, plainValue(column, { table, seeding, number })]),
  );
}

function homeValues(table: TableModel, seeding: Seeding): SeedValues {
  const number = seeding.nextNumber();
  return Object.fromEntries(
    table.columns.map((column) => [column.name, homeValue(column, { table, seeding, number })]),
  );
}

interface ValueOf {
  readonly table: TableModel;
  readonly seeding: Seeding;
  readonly number: number;
}

function homeValue(column: ColumnModel, subject: ValueOf): JsonValue {
  const { table, seeding: { homes, world: { home }, now } } = subject;
  if (column.references) {
    // A key that refers to another column than the parent's id gets no value here.
    const { references, nullable } = column;
    if (references === null) return null;
    const parent = tableNamed(references.table, subject.seeding.model);
    if (references.column !== parent.primaryKey && nullable) return null;
    return subject.seeding.homes.get(parent.name) ?? null;
  }
  switch (column.manager) {
    case "id":
      return homes.get(table.name) ?? null;
    case "revision":
      return 1;
    case "scope": {
      const scope = scopeOf(column.type);
      const ids = { organization: home.organizationId, owner: home.userId, team: home.teamId };
      return scope && ids[scope];
    }
    case "system":
      if (column.name.startsWith("deleted")) return null;
      // The operator's service computes the vector.
      if (vectorOf(column.type) !== null) return plainValue(column, subject);
      return rulesOf(column.type).isInstant ? timeText(now) : home.userId;
    case "client":
      return plainValue(column, subject);
    case "computed":
      return null;
  }
}

function plainValue(column: ColumnModel, { table, seeding, number }: ValueOf): JsonValue {
  if (accountOf(column.type) !== null) return seeding.world.home.userId;
  const { model, now } = seeding;
  const resource = model.resources.find((one) => one.table === table.name) ?? null;
  return columnValue(column, { table, resource, number, now });
}

/** Returns the values of the row at home: it meets the firewall, and as many rules as the firewall allows. */
function metBy(values: SeedValues, questions: Questions, seeding: Seeding): SeedValues {
  const { table, rules } = questions;
  const home = withConditions(values, columnPredicates(table.firewall), questions, seeding);
  const settled = new Set(firewallColumns(table.firewall));
  let met = home;
  for (const condition of rules.flat()) {
    if (settled.has(condition.column)) continue;
    settled.add(condition.column);
    met = withConditions(met, [condition], questions, seeding);
  }
  return met;
}

/** Returns a row at home that meets the firewall, and as few conditions of `anyOf`, `or` and `not` as its columns allow. */
function unmet(home: SeedValues, questions: Questions, seeding: Seeding): SeedValues {
  const { table, branches } = questions;
  const settled = columnPredicates(table.firewall).map(({ column }) => column);
  const caller = memberOf(seeding.world);
  return table.columns.reduce((row, column) => {
    const asked = branches.filter((one) => one.column === column.name);
    if (asked.length === 0 || settled.includes(column.name)) return row;
    const value = candidatesFor(column, questions, seeding.world, seeding.now).find((one) =>
      !asked.some((condition) => compare(condition, caller, { [column.name]: one }).holds)
    );
    return value === undefined ? row : flipped(row, column, value, seeding);
  }, home);
}

/** Returns the member who owns the rows at home, even if the caller of this world has fewer rights. */
export function memberOf({ caller, home }: World): Principal {
  return { ...caller, credential: "token", ...home };
}

/** Sets each column to the first candidate that meets all of these conditions. */
function withConditions(
  values: SeedValues,
  conditions: readonly Condition[],
  questions: Questions,
  seeding: Seeding,
): SeedValues {
  const { table } = questions;
  const caller = memberOf(seeding.world);
  return conditions.reduce((met, { column: name }) => {
    const asked = conditions.filter(({ column }) => column === name);
    const holds = (value: JsonValue) =>
      asked.every((condition) => compare(condition, caller, { ...met, [name]: value }).holds);
    if (holds(met[name] ?? null)) return met;
    const column = table.columns.find((one) => one.name === name);
    const value = column &&
      candidatesFor(column, questions, seeding.world, seeding.now).find(holds);
    return column && value !== undefined ? flipped(met, column, value, seeding) : met;
  }, values);
}

function flipped(
  values: SeedValues,
  column: ColumnModel,
  value: JsonValue,
  { world: { home } }: Seeding,
): SeedValues {
  const more = column.name === "deletedAt"
    ? { deletedBy: value === null ? null : home.userId }
    : {};
  const known = Object.entries(more).filter(([name]) => Object.hasOwn(values, name));
  return { ...values, [column.name]: value, ...Object.fromEntries(known) };
}

function variantName({ name }: ColumnModel, value: JsonValue, { world }: Seeding): string {
  const { foreign, home } = world;
  if (Object.values<JsonValue>({ ...foreign }).includes(value)) return `${name} of another`;
  if (Object.values<JsonValue>({ ...home }).includes(value)) return `own ${name}`;
  return name === "deletedAt" && value !== null ? DELETED : `${name} ${JSON.stringify(value)}`;
}

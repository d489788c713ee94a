/**
 * What a list must answer, worked out without SQL, indexes or cursors: every row is filtered, sorted and cut in memory,
 * from contract 4.3 and definitions 4 and 7 alone.
 */
import type { Cell, Column, Mask, Row, Rule, Table, Vector, View, World } from "./domain.ts";
import { DECIMAL_SCALE, ENUM, RULE_TITLE } from "./domain.ts";
import { distanceOf, placeOf } from "./vectors.ts";

export interface Caller {
  readonly userId: string;
  readonly organizationId: string;
  readonly roles: readonly string[];
}

export interface Question {
  readonly table: "notes" | "authors";
  readonly view: boolean;
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

type Json = string | number | boolean | null;
type JsonRecord = Readonly<Record<string, Json>>;

interface Children {
  readonly data: readonly JsonRecord[];
  readonly hasMore: boolean;
}

export interface Answer {
  readonly data: readonly JsonRecord[];
  readonly view: string | null;
  readonly pagination: {
    readonly count: number;
    readonly page: number;
    readonly pageSize: number;
    readonly hasMore: boolean;
    readonly total?: number;
    readonly totalPages?: number;
  };
  readonly aggregations?: Readonly<Record<string, Json>>;
  readonly included?: Readonly<Record<string, Readonly<Record<string, JsonRecord | Children>>>>;
  /** Ids of all matching rows in order, wherever the page is. */
  readonly order: readonly string[];
}

/** A question to the view of groups, as `parameters` ask it. */
export interface GroupQuestion {
  readonly table: "notes" | "authors";
  readonly parameters: Question["parameters"];
}

export type Outcome =
  | { readonly kind: "answer"; readonly answer: Answer }
  | { readonly kind: "refused"; readonly status: number; readonly code: string };

const INVALID: Outcome = { kind: "refused", status: 400, code: "VALIDATION_INVALID_INPUT" };
const FORBIDDEN: Outcome = { kind: "refused", status: 403, code: "ACCESS_ROLE_REQUIRED" };

const ISOLATED: Outcome = { kind: "refused", status: 403, code: "FIREWALL_ORG_ISOLATION" };

export function naiveList(world: World, question: Question, caller: Caller): Outcome {
  const table = world[question.table];
  const view = question.view ? table.view : null;
  if (!admitted(table.read, caller)) return FORBIDDEN;
  const asked = new Map(question.parameters);
  if (asked.size < question.parameters.length) return INVALID;

  const shown = view?.fields.map((name) => columnOf(table, name)) ?? table.columns;
  const columns = readFields(asked.get("fields"), shown, world.strict);
  const sort = readSort({ asked, table, view, shown, caller });
  const filters = readFilters({ asked, table, view, shown, caller });
  const include = readInclude({ asked, table, view, columns, caller, world });
  const deleted = readDeleted(asked.get("deleted"), table);
  const near = readNear({ asked, table, view, shown, caller });
  if (deleted === "invalid" || near === "invalid") return INVALID;
  if (!columns || !sort || !filters || include === "invalid") return INVALID;
  if (view?.aggregations.some(({ column }) => column && !seesAll(table, column, caller))) {
    return INVALID;
  }
  const organization = asked.get("organizationId") ?? caller.organizationId;
  if (organization !== caller.organizationId) return ISOLATED;
  if (deleted && !holdsOne(table.restore ?? [], caller)) return FORBIDDEN;
  if (include && !admitted(include.target.read, caller)) return FORBIDDEN;

  const limit = Math.min(100, Math.max(1, Number(asked.get("limit") ?? 50)));
  const offset = Number(asked.get("offset") ?? 0);
  const matching = visibleRows(table, caller, deleted).filter((row) =>
    filters.every((holds) => holds(row))
  );
  const ordered = near === null
    ? matching.toSorted((a, b) => compareRows(a, b, sort))
    : nearest(matching, near);
  const page = ordered.slice(offset, offset + limit);
  const number = Math.floor(offset / limit) + 1;
  const totalPages = Math.ceil(ordered.length / limit);
  const withTotal = asked.get("total") === "true";
  return {
    kind: "answer",
    answer: {
      data: page.map((row) => ({
        ...recordOf(row, { table, columns, caller, world }),
        ...(near ? { _distance: distanceOf(row, near.to, near.vector) } : {}),
      })),
      view: view ? "board" : null,
      pagination: {
        count: page.length,
        page: number,
        pageSize: limit,
        hasMore: withTotal ? number < totalPages : ordered.length > offset + limit,
        ...(withTotal ? { total: ordered.length, totalPages } : {}),
      },
      ...(view && view.aggregations.length > 0
        ? { aggregations: aggregationsOf(view, table, matching) }
        : {}),
      ...(include
        ? { included: { [include.name]: includedOf(page, { table, include, caller, world }) } }
        : {}),
      order: ordered.map((row) => String(row["id"])),
    },
  };
}

const GROUP_PARAMETERS = ["limit", "offset", "sort", "order", "total", "deleted"];

/** The groups of a table's view: made of what a list would answer, each with its numbers. */
export function naiveGroups(world: World, question: GroupQuestion, caller: Caller): Outcome {
  const table = world[question.table];
  const { keys, aggregations } = table.groups;
  if (!admitted(table.read, caller)) return FORBIDDEN;
  const asked = new Map(question.parameters);
  if (asked.size < question.parameters.length) return INVALID;
  const shown = keys.map(({ column }) => columnOf(table, column));
  const filters = [...asked].filter(([name]) => !GROUP_PARAMETERS.includes(name))
    .map(([name, text]) =>
      ["search", "fields", "include"].includes(name)
        ? null
        : readFilter(name, text, { asked, table, view: null, shown, caller })
    );
  const members = [...keys.map(({ column }) => column), ...aggregations.map(({ name }) => name)];
  const sort = readGroupSort(
    asked,
    members,
    keys.map(({ column }) => column),
    (name) => mayAskBy(table, name, caller),
  );
  const deleted = readDeleted(asked.get("deleted"), table);
  const plain = [...keys, ...aggregations].every(({ column }) =>
    column === null || seesAll(table, column, caller)
  );
  if (!plain || sort === null || filters.includes(null) || deleted === "invalid") return INVALID;
  if (deleted && !holdsOne(table.restore ?? [], caller)) return FORBIDDEN;

  const matching = visibleRows(table, caller, deleted)
    .filter((row) => filters.every((holds) => holds?.(row)));
  const made = Map.groupBy(
    matching,
    (row) => JSON.stringify(keys.map(({ column, by }) => periodOf(row[column] ?? null, by))),
  );
  const groups = [...made].map(([text, rows]) => {
    const cells: Cell[] = JSON.parse(text);
    const numbers = aggregationsOf({ aggregations }, table, rows);
    return {
      json: {
        ...Object.fromEntries(
          keys.map(({ column, by }, at) => [
            column,
            by === null ? jsonOf(cells[at] ?? null, columnOf(table, column)) : cells[at] ?? null,
          ]),
        ),
        ...numbers,
      },
      order: {
        ...Object.fromEntries(keys.map(({ column }, at) => [column, cells[at] ?? null])),
        ...orderCells({ aggregations }, table, rows),
      },
    };
  }).sort((a, b) => compareRows(a.order, b.order, sort));
  const limit = Math.min(100, Math.max(1, Number(asked.get("limit") ?? 50)));
  const offset = Number(asked.get("offset") ?? 0);
  const page = groups.slice(offset, offset + limit);
  const number = Math.floor(offset / limit) + 1;
  const totalPages = Math.ceil(groups.length / limit);
  const withTotal = asked.get("total") === "true";
  return {
    kind: "answer",
    answer: {
      data: page.map(({ json }) => json),
      view: "groups",
      pagination: {
        count: page.length,
        page: number,
        pageSize: limit,
        hasMore: withTotal ? number < totalPages : groups.length > offset + limit,
        ...(withTotal ? { total: groups.length, totalPages } : {}),
      },
      order: [],
    },
  };
}

/** Null: refused. Closed by the columns that make the groups. */
function readGroupSort(
  asked: ReadonlyMap<string, string>,
  members: readonly string[],
  columns: readonly string[],
  mayAsk: (name: string) => boolean,
): readonly SortKey[] | null {
  const [text, order] = [asked.get("sort"), asked.get("order")];
  const keys = (text?.split(",") ?? columns.filter(mayAsk)).map(sortKey);
  const names = keys.map(({ name }) => name);
  if (
    !names.every((name) => members.includes(name) && mayAsk(name)) ||
    new Set(names).size < names.length
  ) {
    return null;
  }
  const isPlain = text === undefined || keys.length === 1 && keys[0]?.descending === false;
  const all = isPlain && order === "desc" ? turned(keys, true) : keys;
  const descending = all.at(-1)?.descending ?? false;
  return [
    ...all,
    ...columns.filter((name) => !names.includes(name)).map((name) => ({ name, descending })),
  ];
}

/** ISO 8601: a week is its Thursday's. */
function periodOf(cell: Cell, by: "day" | "week" | "month" | null): Cell {
  if (cell === null || by === null) return cell;
  const day = String(cell).slice(0, by === "month" ? 7 : 10);
  if (by !== "week") return day;
  const thursday = new Date(`${day}T00:00:00Z`);
  thursday.setUTCDate(thursday.getUTCDate() + 4 - (thursday.getUTCDay() || 7));
  const year = thursday.getUTCFullYear();
  const days = (thursday.getTime() - Date.UTC(year, 0, 1)) / 86_400_000;
  return `${year}-W${String(Math.floor(days / 7) + 1).padStart(2, "0")}`;
}

/** By what groups are put in order: numbers, and what is stored. */
function orderCells(
  { aggregations }: Pick<View, "aggregations">,
  table: Table,
  rows: readonly Row[],
): Row {
  const numbers = aggregationsOf({ aggregations }, table, rows);
  return Object.fromEntries(aggregations.map(({ name, fn, column }): [string, Cell] => {
    const value = numbers[name] ?? null;
    if (column === null || fn === "count") return [name, Number(value)];
    const cells = rows.map((row) => row[column] ?? null).filter((cell) => cell !== null)
      .toSorted(compareCells);
    if (value === null || cells.length === 0) return [name, null];
    if (fn === "min") return [name, cells[0] ?? null];
    if (fn === "max") return [name, cells.at(-1) ?? null];
    const sum = sumOf(cells.map(Number));
    return [name, fn === "sum" ? sum : sum / cells.length];
  }));
}

function admitted({ roles, some }: Rule, caller: Caller): boolean {
  return [...roles, ...some?.roles ?? []].some((role) => caller.roles.includes(role));
}

/** Null: not asked for. */
function readDeleted(
  text: string | undefined,
  { restore }: Table,
): "only" | "with" | null | "invalid" {
  if (text === undefined) return null;
  return restore !== null && (text === "only" || text === "with") ? text : "invalid";
}

function visibleRows(
  table: Table,
  caller: Caller,
  deleted: "only" | "with" | null = null,
): readonly Row[] {
  const isAsked = (row: Row) =>
    deleted === "with" || (row["deletedAt"] === null) === (deleted === null);
  const { read: { roles, some } } = table;
  const seesEvery = roles.some((role) => caller.roles.includes(role));
  return table.rows.filter((row) =>
    row["organizationId"] === caller.organizationId && isAsked(row) &&
    (!table.ownerScoped || row["ownerId"] === caller.userId) &&
    (seesEvery || some === null ||
      (some.column === "createdBy"
        ? row["createdBy"] === caller.userId
        : row[some.column] !== RULE_TITLE))
  );
}

function columnOf({ columns }: Table, name: string): Column {
  const found = columns.find((column) => column.name === name);
  if (!found) throw new Error(`No column ${name}`);
  return found;
}

function holdsOne(roles: readonly string[], caller: Caller): boolean {
  return roles.some((role) => caller.roles.includes(role));
}

function seesAll({ masks }: Table, name: string, caller: Caller): boolean {
  const mask = masks.get(name);
  return !mask || holdsOne(mask.show, caller);
}

function seesOn(table: Table, name: string, row: Row, caller: Caller): boolean {
  const owner = row[table.ownerScoped ? "ownerId" : "createdBy"];
  return seesAll(table, name, caller) ||
    (table.masks.get(name)?.owner === true && owner === caller.userId);
}

function mayAskBy({ masks }: Table, name: string, caller: Caller): boolean {
  const mask: Mask | undefined = masks.get(name);
  return !mask || holdsOne(mask.query ?? mask.show, caller);
}

/** Null: refused. */
function readFields(
  text: string | undefined,
  shown: readonly Column[],
  strict: boolean,
): readonly Column[] | null {
  if (text === undefined) return shown;
  const names = text.split(",");
  const known = shown.filter(({ name }) => names.includes(name));
  if (strict && names.some((name) => !shown.some((column) => column.name === name))) return null;
  return known.length > 0 ? known : shown;
}

interface Reading {
  readonly asked: ReadonlyMap<string, string>;
  readonly table: Table;
  readonly view: View | null;
  readonly shown: readonly Column[];
  readonly caller: Caller;
}

interface SortKey {
  readonly name: string;
  readonly descending: boolean;
}

function readSort({ asked, table, view, shown, caller }: Reading): readonly SortKey[] | null {
  const text = asked.get("sort");
  const order = asked.get("order");
  if (order !== undefined && order !== "asc" && order !== "desc") return null;
  if (text === undefined) {
    const keys = (view?.defaultSort ?? [table.defaultSort]).map(sortKey)
      .filter(({ name }) => mayAskBy(table, name, caller));
    return closed(
      order && keys[0] ? turned(keys, (order === "desc") !== keys[0].descending) : keys,
    );
  }
  const allowed = view?.sortable ?? shown.map(({ name }) => name);
  const keys = text.split(",").map(sortKey);
  const names = keys.map(({ name }) => name);
  if (!names.every((name) => allowed.includes(name) && mayAskBy(table, name, caller))) return null;
  if (new Set(names).size < names.length) return null;
  const isPlain = keys.length === 1 && keys[0]?.descending === false;
  return closed(isPlain && order === "desc" ? turned(keys, true) : keys);
}

function sortKey(text: string): SortKey {
  return text.startsWith("-")
    ? { name: text.slice(1), descending: true }
    : { name: text, descending: false };
}

function turned(keys: readonly SortKey[], turn: boolean): readonly SortKey[] {
  return keys.map(({ name, descending }) => ({ name, descending: descending !== turn }));
}

function closed(keys: readonly SortKey[]): readonly SortKey[] {
  return [...keys, { name: "id", descending: keys.at(-1)?.descending ?? false }];
}

function compareRows(a: Row, b: Row, keys: readonly SortKey[]): number {
  for (const { name, descending } of keys) {
    const order = compareCells(a[name] ?? null, b[name] ?? null);
    if (order !== 0) return descending ? -order : order;
  }
  return 0;
}

interface Near {
  readonly to: readonly number[];
  readonly vector: Vector;
}

/** Null: not asked for. No order but its own goes with it. */
function readNear({ asked, table, view, caller }: Reading): Near | null | "invalid" {
  const text = asked.get("near");
  if (text === undefined) return null;
  const { vector } = table;
  const mask = vector?.mask;
  const to = vector && placeOf(text, vector);
  const isPlaced = ["sort", "order", "offset"].some((name) => asked.has(name));
  return !vector || !to || view !== null || isPlaced ||
      (mask && !holdsOne(mask.query ?? mask.show, caller))
    ? "invalid"
    : { to, vector };
}

function nearest(rows: readonly Row[], { to, vector }: Near): readonly Row[] {
  // What is equally far is the same number, but for its last digits.
  const cell = (row: Row): Cell => Number(distanceOf(row, to, vector)?.toFixed(9));
  return rows.filter((row) => distanceOf(row, to, vector) !== null)
    .toSorted((a, b) =>
      compareCells(cell(a), cell(b)) || compareCells(a["id"] ?? null, b["id"] ?? null)
    );
}

/** NULL first, numbers by value, texts by code points. */
export function compareCells(a: Cell, b: Cell): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1;
  if (typeof a === "number" && typeof b === "number") return a - b;
  const left = [...String(a)].map((one) => one.codePointAt(0) ?? 0);
  const right = [...String(b)].map((one) => one.codePointAt(0) ?? 0);
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

type Holds = (row: Row) => boolean;

const OTHER_PARAMETERS = [
  "limit",
  "offset",
  "sort",
  "order",
  "fields",
  "total",
  "deleted",
  "near",
  "include",
  "fields[authorId]",
  "fields[notes]",
];

function readFilters(reading: Reading): readonly Holds[] | null {
  const filters: Holds[] = [];
  for (const [parameter, text] of reading.asked) {
    if (OTHER_PARAMETERS.includes(parameter)) continue;
    const filter = parameter === "search"
      ? readSearch(text, reading)
      : readFilter(parameter, text, reading);
    if (filter === null) return null;
    filters.push(filter);
  }
  return filters;
}

/** There is nothing to search where nothing searchable is shown. */
function readSearch(text: string, { table, shown, caller }: Reading): Holds | null {
  const searchable = shown.filter((column) => column.searchable);
  if (searchable.length === 0) return null;
  if (text === "") return () => true;
  const columns = searchable.filter(({ name }) => mayAskBy(table, name, caller));
  return (row) => columns.some(({ name }) => containsFolded(row[name] ?? null, text));
}

function contains(cell: Cell, text: string): boolean {
  const folded = (one: string) => one.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return cell !== null && folded(String(cell)).includes(folded(text));
}

/** Under `iu`, ECMAScript compares by Unicode's simple case folding. */
function containsFolded(cell: Cell, text: string): boolean {
  const pattern = text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  return cell !== null && new RegExp(pattern, "iu").test(String(cell));
}

function readFilter(parameter: string, text: string, reading: Reading): Holds | null {
  const { table, view, shown, caller } = reading;
  const [name = "", operator = "eq", ...rest] = parameter.split(".");
  const allowed = view?.filterable ?? shown.map((column) => column.name);
  if (rest.length > 0 || !allowed.includes(name) || !mayAskBy(table, name, caller)) return null;
  const { kind } = columnOf(table, name);
  const cellOf = (row: Row): Cell => row[name] ?? null;
  if (operator === "like" || operator === "ilike") {
    if (["int", "real", "decimal", "bool"].includes(kind)) return null;
    // Words alone have upper and lower case.
    if (operator === "ilike" && ["date", "timestamp", "json"].includes(kind)) return null;
    const holds = operator === "like" ? contains : containsFolded;
    return (row) => holds(cellOf(row), text);
  }
  const isList = operator === "in" || operator === "nin";
  const values = (isList ? text.split(",") : [text]).map((item) => readValue(item, kind));
  const [value = null] = values;
  if (values.includes(null)) return null;
  const order = (row: Row) => compareCells(cellOf(row), value);
  const isSet = (row: Row) => cellOf(row) !== null;
  switch (operator) {
    case "eq":
      return parameter.includes(".") ? null : (row) => cellOf(row) === value;
    case "ne":
      return (row) => cellOf(row) !== value;
    case "gt":
      return (row) => isSet(row) && order(row) > 0;
    case "gte":
      return (row) => isSet(row) && order(row) >= 0;
    case "lt":
      return (row) => isSet(row) && order(row) < 0;
    case "lte":
      return (row) => isSet(row) && order(row) <= 0;
    case "in":
      return (row) => values.includes(cellOf(row));
    case "nin":
      return (row) => !values.includes(cellOf(row));
    default:
      return null;
  }
}

/** Null: malformed. */
function readValue(text: string, kind: Column["kind"]): Cell {
  switch (kind) {
    case "int":
      return /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) + 0 : null;
    case "real":
      return /^-?\d+(\.\d+)?(e-?\d+)?$/.test(text) ? Number(text) + 0 : null;
    case "decimal":
      return /^-?\d{1,7}(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) + 0 : null;
    case "bool":
      return text === "true" ? 1 : text === "false" ? 0 : null;
    case "enum":
      return ENUM.some((one) => one === text) ? text : null;
    case "timestamp":
      return instantOf(text);
    default:
      return text;
  }
}

function instantOf(text: string): string | null {
  const full = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text;
  const isWritten = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/.test(full);
  return isWritten && !Number.isNaN(Date.parse(full)) ? new Date(full).toISOString() : null;
}

interface Include {
  readonly name: "authorId" | "notes";
  readonly target: Table;
  readonly fields: readonly Column[];
}

/** Null: nothing is included. */
function readInclude(
  { asked, table, view, columns, caller, world }: Omit<Reading, "shown"> & {
    readonly columns: readonly Column[] | null;
    readonly world: World;
  },
): Include | null | "invalid" {
  const [name, key, target] = table.name === "authors"
    ? ["notes", "id", world.notes] as const
    : ["authorId", "authorId", world.authors] as const;
  const include = asked.get("include");
  const fields = asked.get(`fields[${name}]`);
  const others = ["fields[authorId]", "fields[notes]"].filter((one) => one !== `fields[${name}]`);
  if (others.some((one) => asked.has(one))) return "invalid";
  if (include === undefined) return fields === undefined ? null : "invalid";
  const allowed: readonly string[] = view ? view.include : [name];
  if (include !== name || !allowed.includes(include)) return "invalid";
  if (!columns?.some((column) => column.name === key)) return "invalid";
  const mask = world.notes.masks.get("authorId");
  const seesOwn = name === "authorId" && mask?.owner === true;
  if (mask && !seesOwn && !holdsOne(mask.show, caller)) return "invalid";
  const names = fields?.split(",") ?? target.columns.map((column) => column.name);
  const known = target.columns.filter((column) => names.includes(column.name));
  return names.every((one) => known.some((column) => column.name === one))
    ? { name, target, fields: known }
    : "invalid";
}

/** Records of another table that come along. */
const CHILDREN_MAX = 20;

function includedOf(
  page: readonly Row[],
  { table, include, caller, world }: {
    readonly table: Table;
    readonly include: Include;
    readonly caller: Caller;
    readonly world: World;
  },
): Readonly<Record<string, JsonRecord | Children>> {
  const { name, target, fields } = include;
  const visible = visibleRows(target, caller);
  const shown = (row: Row) => recordOf(row, { table: target, columns: fields, caller, world });
  if (name === "authorId") {
    const ids = page.filter((row) => seesOn(table, name, row, caller)).map((row) => row[name]);
    return Object.fromEntries(
      visible.filter((row) => ids.includes(row["id"] ?? null))
        .map((row) => [String(row["id"]), shown(row)]),
    );
  }
  const keys = [sortKey(target.defaultSort)].filter((key) => mayAskBy(target, key.name, caller));
  const ordered = visible.toSorted((a, b) => compareRows(a, b, closed(keys)));
  return Object.fromEntries(page.flatMap(({ id }) => {
    const own = ordered.filter((row) => row["authorId"] === id);
    const data = own.slice(0, CHILDREN_MAX).map(shown);
    return own.length === 0 ? [] : [[String(id), { data, hasMore: own.length > CHILDREN_MAX }]];
  }));
}

function recordOf(
  row: Row,
  { table, columns, caller, world }: {
    readonly table: Table;
    readonly columns: readonly Column[];
    readonly caller: Caller;
    readonly world: World;
  },
): JsonRecord {
  return Object.fromEntries(columns.flatMap((column): [string, Json][] => {
    const value = shownCell(row, { table, column, caller });
    if (column.name !== "authorId") return [[column.name, value]];
    return [[column.name, value], ["author_label", labelOf(row, { table, caller, world })]];
  }));
}

function shownCell(
  row: Row,
  { table, column, caller }: {
    readonly table: Table;
    readonly column: Column;
    readonly caller: Caller;
  },
): Json {
  const cell = row[column.name] ?? null;
  if (cell === null) return null;
  if (!seesOn(table, column.name, row, caller)) return "[REDACTED]";
  return jsonOf(cell, column);
}

function jsonOf(cell: Cell, { kind }: Column): Json {
  if (kind === "decimal" && cell !== null) return decimalText(Number(cell));
  return kind === "bool" && cell !== null ? cell === 1 : cell;
}

export function decimalText(cell: number): string {
  return (cell / 10 ** DECIMAL_SCALE).toFixed(DECIMAL_SCALE);
}

/** To the last digit, a half to the even one. */
function evenMean(sum: number, count: number): number {
  const down = Math.floor(sum / count);
  const rest = sum - down * count;
  return rest * 2 > count || (rest * 2 === count && down % 2 !== 0) ? down + 1 : down;
}

function labelOf(
  row: Row,
  { table, caller, world: { authors } }: {
    readonly table: Table;
    readonly caller: Caller;
    readonly world: World;
  },
): Json {
  if (!seesOn(table, "authorId", row, caller) || !admitted(authors.read, caller)) return null;
  const target = visibleRows(authors, caller).find((one) => one["id"] === row["authorId"]);
  return target
    ? shownCell(target, { table: authors, column: columnOf(authors, "title"), caller })
    : null;
}

function aggregationsOf(
  { aggregations }: Pick<View, "aggregations">,
  table: Table,
  rows: readonly Row[],
): Readonly<Record<string, Json>> {
  return Object.fromEntries(aggregations.map(({ name, fn, column }): [string, Json] => {
    if (column === null) return [name, rows.length];
    const cells = rows.map((row) => row[column] ?? null).filter((cell) => cell !== null);
    if (fn === "count") return [name, cells.length];
    const [first] = cells;
    if (first === undefined) return [name, null];
    const sorted = cells.toSorted(compareCells);
    if (fn === "min") return [name, jsonOf(sorted[0] ?? null, columnOf(table, column))];
    if (fn === "max") return [name, jsonOf(sorted.at(-1) ?? null, columnOf(table, column))];
    const sum = sumOf(cells.map(Number));
    if (columnOf(table, column).kind === "decimal") {
      return [name, decimalText(fn === "sum" ? sum : evenMean(sum, cells.length))];
    }
    return [name, fn === "sum" ? sum : sum / cells.length];
  }));
}

/** Whole numbers exactly, as far as JSON carries them. */
function sumOf(numbers: readonly number[]): number {
  if (numbers.every(Number.isSafeInteger)) {
    return Number(numbers.map(BigInt).reduce((sum, one) => sum + one, 0n));
  }
  return numbers.reduce((sum, one) => sum + one, 0);
}

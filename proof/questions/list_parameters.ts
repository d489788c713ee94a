/**
 * Questions for everything that a list or a view can be asked: each parameter that it accepts, and each that it refuses
 * (contract 4.3).
 */
import type { FilterOperator } from "../../shared/column_types/mod.ts";
import { FILTER_OPERATORS, filterOperator, valuesOf } from "../../shared/column_types/mod.ts";
import { isJsonObject } from "../../shared/lib/json.ts";
import { listOf } from "../../shared/lib/value_list.ts";
import type { Parameter } from "../../shared/surface/mod.ts";
import { columnNamed, outputColumns, parametersOf } from "../../shared/surface/mod.ts";
import { type HiddenColumn, peerVariant, SEARCH_TERM } from "../rows/mod.ts";
import type { Reading } from "./reading.ts";
import { nearQuery } from "./nearest.ts";
import * as plan from "./planning.ts";
import { anyWheres } from "./wheres.ts";
import { type Channel, type Corpus, type Question, recordIn } from "./question.ts";

export function* listParameters(reading: Reading): Corpus {
  const { route, operation, table, model } = reading;
  const ask = questionMaker(reading);
  const plain: Channel = operation.kind === "view"
    ? operation.view?.aggregations.length ? "aggregate" : "view"
    : "list";
  yield ask(plain, {});
  yield ask("etag", { limit: "3" });
  if (!plan.isLetIn(route, reading)) return;
  for (const query of PAGES) yield ask(plain, query);
  for (const parameter of parametersOf(operation, model)) {
    yield* parameterQuestions(parameter, reading, ask);
  }
  for (const [where, hidden] of anyWheres(reading)) {
    const question = ask("filter", { where: JSON.stringify(where), total: "true" });
    yield hidden === null ? question : { ...question, column: hidden };
  }
  for (const one of plan.hiddenIn(table.name, reading)) yield* hiddenQuestions(one, reading, ask);
  yield* unseenQuestions(reading, ask);
  yield ask("refusal", { "nobody.knows": "this" });
  const columns = outputColumns(operation, table).slice(1, 3);
  for (const sort of [null, "id", ...columns.map((column) => `-${column}`)]) {
    yield* walk(ask, sort, ["next", "next", "next", "prev", "prev"]);
  }
}

/** Walks along the pages, sorted by every column in both directions, so that each kind of cursor's statement runs. */
export function* keysetWalks(reading: Reading): Corpus {
  const ask = questionMaker(reading);
  const uses = parametersOf(reading.operation, reading.model).map(({ use }) => use);
  for (const column of uses.flatMap((use) => use.kind === "sort" ? use.columns : [])) {
    // A cursor with null in its column needs another statement than one with a value.
    for (const sort of [column, `-${column}`]) {
      yield* walk(ask, sort, ["next", "next", "prev", "prev"]);
    }
  }
}

const PAGES: readonly plan.Query[] = [
  { total: "true" },
  { limit: "1" },
  { limit: "2", offset: "1" },
  { order: "asc" },
  { order: "desc", total: "true" },
];

type Ask = (channel: Channel, query: plan.Query, column?: string) => Question;

function questionMaker(reading: Reading): Ask {
  const { route, table } = reading;
  return (channel, query, column) => ({
    ...plan.ask(channel, route, { query }, reading),
    ...(column === undefined ? {} : { column: `${table.name}.${column}` }),
  });
}

/** Yields one question for each parameter, over values that every caller may see. */
function* parameterQuestions({ name, use }: Parameter, reading: Reading, ask: Ask): Corpus {
  const { table } = reading;
  const isHidden = (column: string) =>
    plan.hiddenIn(table.name, reading).some((one) => one.column.name === column);
  switch (use.kind) {
    case "sort":
      for (const column of use.columns.filter((column) => !isHidden(column))) {
        yield ask("sort", { sort: column });
        yield ask("sort", { sort: `-${column}`, limit: "2" });
      }
      return;
    case "filter": {
      if (isHidden(use.column)) return;
      const column = columnNamed(use.column, table);
      const one = plan.rowsOf(table, reading).find(({ variant }) => variant === peerVariant(0));
      const held = [plan.queryText(one?.values[use.column] ?? null)];
      for (const text of textsBehind(use.operator, { column, table }, held)) {
        yield ask("filter", { [name]: text, total: "true" });
      }
      return;
    }
    case "search":
      return yield ask("search", { search: SEARCH_TERM, total: "true" });
    case "fields":
      for (const column of use.columns) yield ask("fields", { fields: column });
      return yield ask("fields", { fields: use.columns.join(","), limit: "2" });
    case "include":
      for (const column of use.columns) yield ask("include", { include: column });
      return yield ask("include", { include: use.columns.join(","), limit: "2" });
    case "near": {
      if (use.form === "text") return;
      const near = nearQuery(use.vector);
      const { name } = use.vector.column;
      if (isHidden(name)) return yield ask("filter", near, name);
      yield ask("list", { ...near, total: "true" });
      return yield ask("list", { ...near, limit: "2" });
    }
    case "deleted":
      yield ask("list", { [name]: "only", total: "true" });
      return yield ask("list", { [name]: "with" });
    case "embeddedFields":
      return yield ask("include", { include: use.column, [name]: use.fields.join(",") });
    default:
      return;
  }
}

/** Yields questions by a hidden column: they are refused by name, or answered the same whatever the values are. */
function* hiddenQuestions(one: HiddenColumn, reading: Reading, ask: Ask): Corpus {
  const { operation, table, model } = reading;
  const { name } = one.column;
  for (const sort of [name, `-${name}`, `${name},-id`]) yield ask("sort", { sort }, name);
  yield ask("sort", { sort: name, order: "desc", limit: "1" }, name);
  const { others: [first, , third] } = plan.castOf(table, reading);
  const secrets = [first, third].flatMap((id) => plan.secretsOf(one, id, reading)).map(
    plan.queryText,
  );
  for (const operator of FILTER_OPERATORS) {
    const key = operator === "eq" ? name : `${name}.${operator}`;
    for (const text of textsBehind(operator, one, secrets)) {
      yield ask("filter", { [key]: text, total: "true" }, name);
    }
  }
  if (!parametersOf(operation, model).some(({ use }) => use.kind === "search")) return;
  for (const secret of secrets.filter((text) => text !== "")) {
    yield ask("search", { search: secret, total: "true" }, name);
    yield ask("search", { search: secret.slice(-4) }, name);
  }
}

/** Yields questions by values that occur only in rows hidden from the caller. */
function* unseenQuestions(reading: Reading, ask: Ask): Corpus {
  const { operation, table, model } = reading;
  const hasSearch = parametersOf(operation, model).some(({ use }) => use.kind === "search");
  for (const { column, values } of plan.unseenCells(table, reading)) {
    yield ask("sort", { sort: column, total: "true" }, column);
    for (const value of values) {
      const text = plan.queryText(value);
      yield ask("filter", { [column]: text, total: "true" }, column);
      yield ask("filter", { [`${column}.gte`]: text, total: "true" }, column);
      yield ask("filter", { where: JSON.stringify({ [column]: value }), total: "true" }, column);
      if (hasSearch) yield ask("search", { search: text, total: "true" }, column);
    }
  }
}

/** Returns values for an operator: `held` by the column, or other values that the operator accepts. */
function textsBehind(
  name: FilterOperator,
  { column, table }: Pick<HiddenColumn, "column" | "table">,
  held: readonly string[],
): readonly string[] {
  const own = valuesOf(column, table);
  const { isList, operand } = filterOperator(name);
  const taken = operand(own);
  if (taken !== own && taken.choices !== null) return taken.choices.map(String);
  return isList ? [listOf(held)] : held.slice(0, 2);
}

/** Walks page by page, one record forward or back each time. */
function* walk(ask: Ask, sort: string | null, ways: readonly ("next" | "prev")[]): Corpus {
  let cursor: plan.Query | null = {};
  for (const way of ways) {
    if (cursor === null) return;
    const heard = yield ask("cursor", {
      limit: "1",
      ...(sort === null ? {} : { sort }),
      ...cursor,
    });
    cursor = nextCursor(recordIn(heard)["pagination"], way);
  }
}

function nextCursor(pagination: unknown, way: "next" | "prev"): plan.Query | null {
  const text = isJsonObject(pagination) ? pagination[`${way}Cursor`] : null;
  if (typeof text !== "string") return null;
  return { [way === "next" ? "starting_after" : "ending_before"]: text };
}

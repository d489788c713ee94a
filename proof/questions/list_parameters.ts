/** Everything that a list or a view can be asked: each parameter that it takes, and each that it refuses (contract 4.3). */
import {
  FILTER_OPERATORS,
  type FilterOperator,
  filterOperator,
  valuesOf,
} from "../../shared/column_types/mod.ts";
import { isJsonObject } from "../../shared/lib/json_object.ts";
import { outputColumns, type Parameter, parametersOf } from "../../shared/surface/parameters.ts";
import type { Operation } from "../../shared/surface/operations.ts";
import { columnNamed, tableOf } from "../../shared/surface/tables.ts";
import type { HiddenColumn } from "../rows/hidden_columns.ts";
import { plainValue } from "../rows/plain_values.ts";
import { type Channel, type Corpus, type Question, recordIn } from "./question.ts";
import { ROWS } from "../rows/twin_rows.ts";
import { hiddenIn, isLetIn, pathWith, queryText, type Scene, secretsOf } from "./scene.ts";

type Query = readonly (readonly [string, string])[];

export function* listQuestions(scene: Scene, operation: Operation): Corpus {
  const ask = questionMaker(scene, operation);
  const plain: Channel = operation.kind === "view"
    ? operation.view?.aggregations.length ? "aggregate" : "view"
    : "list";
  yield ask(plain, []);
  yield ask("etag", [["limit", "3"]]);
  if (!isLetIn(scene, operation.access)) return;
  for (const query of PAGES) yield ask(plain, query);
  for (const parameter of parametersOf(operation, scene.model)) {
    yield* parameterQuestions(parameter, { scene, operation, ask });
  }
  for (const one of hiddenIn(scene, tableOf(operation.resource, scene.model))) {
    yield* hiddenQuestions(one, { scene, operation, ask });
  }
  yield ask("refusal", [["nobody.knows", "this"]]);
  yield* walks(scene, operation, ask);
}

const PAGES: readonly Query[] = [
  [["total", "true"]],
  [["limit", "1"]],
  [["limit", "2"], ["offset", "1"]],
  [["order", "asc"]],
  [["order", "desc"], ["total", "true"]],
];

type Ask = (channel: Channel, query: Query, column?: string) => Question;

interface QuestionContext {
  readonly scene: Scene;
  readonly operation: Operation;
  readonly ask: Ask;
}

function questionMaker(scene: Scene, operation: Operation): Ask {
  const table = tableOf(operation.resource, scene.model);
  return (channel, query, column) => ({
    channel,
    method: "GET",
    path: pathWith(scene, operation.path, { table, query }),
    ...(column === undefined ? {} : { column: `${table.name}.${column}` }),
  });
}

/** One question by every parameter, over what all may see. */
function* parameterQuestions(
  { name, use }: Parameter,
  { scene, operation, ask }: QuestionContext,
): Corpus {
  const table = tableOf(operation.resource, scene.model);
  const isHidden = (column: string) =>
    hiddenIn(scene, table).some((one) => one.column.name === column);
  switch (use.kind) {
    case "sort":
      for (const column of use.columns.filter((column) => !isHidden(column))) {
        yield ask("sort", [["sort", column]]);
        yield ask("sort", [["sort", `-${column}`], ["limit", "2"]]);
      }
      return;
    case "filter": {
      if (isHidden(use.column)) return;
      const place = { table, model: scene.model, at: 1 };
      const column = columnNamed(use.column, table);
      const held = [queryText(plainValue(column, place))];
      for (const text of textsBehind(use.operator, { column, table }, held)) {
        yield ask("filter", [[name, text], ["total", "true"]]);
      }
      return;
    }
    case "search":
      return yield ask("search", [["search", "1 "], ["total", "true"]]);
    case "fields":
      for (const column of use.columns) yield ask("fields", [["fields", column]]);
      return yield ask("fields", [["fields", use.columns.join(",")], ["limit", "2"]]);
    case "include":
      for (const column of use.columns) yield ask("include", [["include", column]]);
      return yield ask("include", [["include", use.columns.join(",")], ["limit", "2"]]);
    case "embeddedFields":
      return yield ask("include", [["include", use.column], [name, use.fields.join(",")]]);
    default:
      return;
  }
}

/** Refused by name, or answered the same whatever the values are. */
function* hiddenQuestions(
  one: HiddenColumn,
  { scene, operation, ask }: QuestionContext,
): Corpus {
  const { name } = one.column;
  for (const sort of [name, `-${name}`, `${name},-id`]) yield ask("sort", [["sort", sort]], name);
  yield ask("sort", [["sort", name], ["order", "desc"], ["limit", "1"]], name);
  const secrets = ROWS.others.slice(0, 2).flatMap((at) => secretsOf(one, at, scene.model));
  for (const operator of FILTER_OPERATORS) {
    const key = operator === "eq" ? name : `${name}.${operator}`;
    for (const text of textsBehind(operator, one, secrets)) {
      yield ask("filter", [[key, text], ["total", "true"]], name);
    }
  }
  if (!parametersOf(operation, scene.model).some(({ use }) => use.kind === "search")) return;
  for (const secret of secrets.filter((text) => text !== "")) {
    yield ask("search", [["search", secret], ["total", "true"]], name);
    yield ask("search", [["search", secret.slice(-4)]], name);
  }
}

/** Texts behind an operator: `held` by the column, or what else the operator takes. */
function textsBehind(
  name: FilterOperator,
  { column, table }: Pick<HiddenColumn, "column" | "table">,
  held: readonly string[],
): readonly string[] {
  const own = valuesOf(column, table);
  const { isList, operand } = filterOperator(name);
  const taken = operand(own);
  if (taken !== own && taken.choices !== null) return taken.choices.map(String);
  return isList ? [held.join(",")] : held.slice(0, 2);
}

/** Along the pages, forth and back, by every kind of order. */
function* walks(scene: Scene, operation: Operation, ask: Ask): Corpus {
  const columns = outputColumns(operation, tableOf(operation.resource, scene.model));
  const sorts = ["", "id", ...columns.slice(1, 3).map((column) => `-${column}`)];
  for (const sort of sorts) {
    const query: Query = [["limit", "1"], ...(sort === "" ? [] : [["sort", sort] as const])];
    let cursor: Query | null = [];
    for (let page = 0; page < 5 && cursor !== null; page += 1) {
      const heard = yield ask("cursor", [...query, ...cursor]);
      cursor = nextCursor(recordIn(heard)["pagination"], page < 3 ? "next" : "prev");
    }
  }
}

function nextCursor(pagination: unknown, way: "next" | "prev"): Query | null {
  const text = isJsonObject(pagination) ? pagination[`${way}Cursor`] : null;
  if (typeof text !== "string") return null;
  return [[way === "next" ? "starting_after" : "ending_before", text]];
}

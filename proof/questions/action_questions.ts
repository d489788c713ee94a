/** Actions on every kind of record, with every choice that their input offers (contract 4.4). */
import { isJsonObject } from "../../shared/lib/json_object.ts";
import type { JsonValue } from "../../shared/model/column.ts";
import type { TableModel } from "../../shared/model/table.ts";
import type { ActionOperation } from "../../shared/surface/action_operations.ts";
import type { JsonSchema } from "../../shared/surface/parameters.ts";
import { schemaExample } from "../../shared/surface/schema/examples.ts";
import { schemaJson } from "../../shared/surface/schema/zod_json.ts";
import { tableNamed } from "../../shared/surface/tables.ts";
import type { Corpus, Question } from "./question.ts";
import { rowId } from "../rows/row_id.ts";
import { ROWS } from "../rows/twin_rows.ts";
import { MISSING } from "./get_questions.ts";
import { hiddenIn, isLetIn, pathWith, queryText, type Scene, secretsOf } from "./scene.ts";
import { replayed } from "./write_variations.ts";

type Input = Readonly<Record<string, JsonValue>>;

const INPUTS_MAX = 40;

export function* actionQuestions(scene: Scene, operation: ActionOperation): Corpus {
  const { action, kind, access } = operation;
  const table = action.table === null ? null : tableNamed(action.table, scene.model);
  const inputs = inputsOf(operation, scene);
  const ask = asking(scene, operation, table);
  const [first = {}] = inputs;
  const [one = 1, two = 2] = ROWS.others;
  yield ask(one, first);
  if (!isLetIn(scene, access)) return;
  for (const input of inputs) yield ask(one, input);
  if (kind === "recordAction") {
    for (const at of [ROWS.own, ROWS.foreign, ROWS.deleted, MISSING]) yield ask(at, first);
  }
  yield { ...ask(one, { nobodyKnowsThis: [1] }), channel: "refusal" };
  if (operation.method === "GET" || action.responseType !== "json") return;
  yield* replayed(ask(two, first), `run-${operation.id}`, { nobodyKnowsThis: 1 });
}

function asking(scene: Scene, operation: ActionOperation, table: TableModel | null) {
  const { method, path, kind } = operation;
  return (at: number, input: Input): Question => {
    const id = table === null ? "x" : String(rowId(table, at));
    const target = path.replace(":id", id).replace(/:\w+/g, "x");
    const isGet = method === "GET" && kind !== "bulkAction";
    const query = isGet
      ? Object.entries(input).map(([name, value]) => [name, queryText(value)] as const)
      : [];
    const ids = [at, ROWS.own, ROWS.foreign, MISSING].map((one) => table && rowId(table, one));
    return {
      channel: "action",
      method,
      path: pathWith(scene, target, { table, query }),
      ...(isGet ? {} : { body: kind === "bulkAction" ? { ids, input } : input }),
    };
  };
}

/** An example, and the same with each other choice of its members; records that it names are there. */
export function inputsOf({ action }: ActionOperation, scene: Scene): readonly Input[] {
  const { model } = scene;
  const schema = schemaJson(action.input, "input");
  const example = schemaExample(schema);
  const base: Input = {
    ...(isJsonObject(example) ? inputIn(example) : {}),
    ...Object.fromEntries(
      Object.entries(action.refs).map(([name, table]) => [
        name,
        rowId(tableNamed(table, model), 1),
      ]),
    ),
  };
  const variants = Object.entries(propertiesOf(schema)).flatMap(([name, property]) =>
    [...choicesOf(property), ...guessesAt(property, action.table, scene)].filter((choice) =>
      choice !== base[name]
    )
      .map((choice) => ({ ...base, [name]: choice }))
  );
  const required: readonly unknown[] = Array.isArray(schema["required"]) ? schema["required"] : [];
  const least = Object.entries(base).filter(([name]) => required.includes(name));
  return [base, Object.fromEntries(least), ...variants].slice(0, INPUTS_MAX);
}

function propertiesOf(schema: JsonSchema): Readonly<Record<string, unknown>> {
  const { properties } = schema;
  return isJsonObject(properties) ? properties : {};
}

function choicesOf(property: unknown): readonly JsonValue[] {
  if (!isJsonObject(property)) return [];
  const { enum: values, type } = property;
  if (Array.isArray(values)) return values.filter(isJson);
  return type === "boolean" ? [true, false] : [];
}

/** Hidden values of the record in both databases: an answer must not tell which of them is right. */
function guessesAt(
  property: unknown,
  table: string | null,
  scene: Scene,
): readonly JsonValue[] {
  if (!isJsonObject(property) || property["type"] !== "string" || table === null) return [];
  if (property["enum"] !== undefined || property["format"] !== undefined) return [];
  const [one = 1] = ROWS.others;
  return hiddenIn(scene, { name: table }).flatMap((hidden) => secretsOf(hidden, one, scene.model));
}

function inputIn(example: Readonly<Record<string, unknown>>): Input {
  return Object.fromEntries(
    Object.entries(example).flatMap(([name, value]) => isJson(value) ? [[name, value]] : []),
  );
}

/** True for values that JSON can hold; of those that `schemaExample` makes, only `undefined` is none. */
function isJson(value: unknown): value is JsonValue {
  return value === null || ["string", "number", "boolean", "object"].includes(typeof value);
}

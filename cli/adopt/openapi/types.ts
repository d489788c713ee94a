/** Converts types of JSON Schema to types of the definition language, with their bounds. */
import type { JsonObject } from "../../../shared/lib/json.ts";
import { isJsonObject } from "../../../shared/lib/json.ts";
import type { Condition, Literal } from "../conditions.ts";
import { type DraftType, JSON_TYPE, SAID, TEXT } from "../foreign_schema.ts";

export interface TypedSchema {
  readonly type: DraftType;
  readonly question: string | null;
  readonly maxLength: number | null;
}

export function typeOf(
  schema: JsonObject,
  itemOf: (schema: JsonObject) => JsonObject,
): TypedSchema {
  const typed = (type: DraftType, question: string | null = null): TypedSchema => (
    { type, question, maxLength: null }
  );
  const values = Array.isArray(schema["enum"]) ? schema["enum"].filter((one) => one !== null) : [];
  const constant = schema["const"];
  const texts = [...values, ...(constant === undefined ? [] : [constant])].filter((one) =>
    typeof one === "string"
  );
  const [kind, ...others] = [schema["type"]].flat().filter((one) => one !== "null");
  if (texts.length > 0 && texts.length >= values.length) {
    return typed({ kind: "enum", values: texts });
  }
  if (others.length > 0) return typed(JSON_TYPE, "a value of several types became JSON");
  switch (kind) {
    case "integer":
      return typed({ kind: "int" });
    case "number":
      return values.length > 0 && values.every(Number.isInteger)
        ? typed({ kind: "int" })
        : typed({ kind: "real" });
    case "boolean":
      return typed({ kind: "bool" });
    case "string": {
      const max = schema["maxLength"];
      const format = FORMATS.get(String(schema["format"])) ?? { type: TEXT, question: null };
      return { ...format, maxLength: typeof max === "number" ? max : null };
    }
    case "array":
      return listOf(schema, itemOf);
    default:
      return typed(JSON_TYPE, "an object became JSON: it may be a table of its own");
  }
}

const FORMATS: ReadonlyMap<string, { readonly type: DraftType; readonly question: string | null }> =
  new Map([
    ["date-time", { type: { kind: "timestamp" }, question: null }],
    ["date", { type: { kind: "date" }, question: null }],
    ["uri", { type: { kind: "url", maxLength: null }, question: null }],
    ["url", { type: { kind: "url", maxLength: null }, question: null }],
    ["email", { type: { kind: "email" }, question: null }],
    ["byte", { type: TEXT, question: SAID.bytes }],
    ["binary", { type: TEXT, question: SAID.bytes }],
    ["time", { type: TEXT, question: "a time of day became text" }],
    ["duration", { type: TEXT, question: "interval became text" }],
  ]);

const LIST_MAX = 1000;

function listOf(schema: JsonObject, itemOf: (schema: JsonObject) => JsonObject): TypedSchema {
  const items = schema["items"];
  const item = isJsonObject(items) ? typeOf(itemOf(items), itemOf) : null;
  const max = schema["maxItems"];
  if (!item || item.question !== null || item.type.kind === "json" || item.type.kind === "list") {
    const question = "a list of objects became JSON: it may be a table of its own";
    return { type: JSON_TYPE, question, maxLength: null };
  }
  const maxItems = typeof max === "number" && max >= 1 && max <= LIST_MAX ? max : LIST_MAX;
  return { type: { kind: "list", of: item.type, maxItems }, question: null, maxLength: null };
}

/** Returns bounds of a member, each with its own clause; null: no type can express one. */
export function boundsOf(schema: JsonObject, column: string): readonly (Condition | null)[] {
  const compare = (
    key: string,
    by: "greaterThanOrEqual" | "lessThanOrEqual" | "greaterThan" | "lessThan",
  ) => {
    const value = schema[key];
    if (typeof value !== "number") return [];
    return [{ kind: "compare", column, by, with: { kind: "literal", value } } as const];
  };
  const least = schema["minLength"];
  const multiple = schema["multipleOf"];
  return [
    ...compare("minimum", "greaterThanOrEqual"),
    ...compare("maximum", "lessThanOrEqual"),
    ...compare("exclusiveMinimum", "greaterThan"),
    ...compare("exclusiveMaximum", "lessThan"),
    ...(typeof least === "number" && least > 0
      ? [{ kind: "length", column, by: "greaterThanOrEqual", value: least } as const]
      : []),
    ...patternOf(schema, column),
    ...(typeof multiple === "number" && multiple !== 1 ? [null] : []),
    ...numbersOf(schema, column),
  ];
}

/** Reads a pattern. It needs a matching example, and no example is invented. */
function patternOf(schema: JsonObject, column: string): readonly (Condition | null)[] {
  const { pattern, example, examples, default: fallback } = schema;
  if (typeof pattern !== "string") return [];
  const said = [example, ...(Array.isArray(examples) ? examples : []), fallback];
  const texts = said.filter((one) => typeof one === "string");
  return [{ kind: "pattern", column, pattern, examples: texts }];
}

/** Reads an enum of numbers, which is a bound if no number between is missing. */
function numbersOf(schema: JsonObject, column: string): readonly Condition[] {
  const values = Array.isArray(schema["enum"]) ? schema["enum"] : [];
  const numbers = values.filter((one): one is Literal => typeof one === "number");
  return numbers.length === 0 ? [] : [{ kind: "in", column, values: numbers }];
}

/** An example that is valid against a JSON Schema of ours, the same in every build. */
import type { JsonValue } from "../../model/column.ts";
import type { JsonSchema } from "../parameters.ts";

/**
 * A value of the first type or option that the schema names, with its optional members. A `pattern` cannot be obeyed: such a
 * schema says its own `default` or `examples`, which go before everything else.
 */
export function schemaExample(schema: JsonSchema): JsonValue {
  const told = toldValue(schema);
  if (told !== undefined) return told;
  for (const keyword of ["oneOf", "anyOf"] as const) {
    const [first] = schemas(schema[keyword]);
    if (first) return schemaExample(first);
  }
  switch (typeOf(schema)) {
    case "object":
      return objectExample(schema);
    case "array":
      return arrayExample(schema);
    case "integer":
    case "number":
      return numberExample(schema);
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return textExample(schema);
  }
}

function toldValue(schema: JsonSchema): JsonValue | undefined {
  const { examples, default: byDefault, const: only, enum: values } = schema;
  const first = Array.isArray(examples) ? examples[0] : undefined;
  return first ?? byDefault ?? only ?? (Array.isArray(values) ? values[0] : undefined);
}

function typeOf({ type, properties, items }: JsonSchema): JsonValue | undefined {
  if (Array.isArray(type)) return type.find((one) => one !== "null");
  if (type !== undefined) return type;
  if (properties !== undefined) return "object";
  return items === undefined ? undefined : "array";
}

function objectExample({ properties, additionalProperties }: JsonSchema): JsonSchema {
  const members = Object.entries(isSchema(properties) ? properties : {});
  if (members.length === 0 && isSchema(additionalProperties)) {
    return { key: schemaExample(additionalProperties) };
  }
  return Object.fromEntries(
    members.map(([name, member]) => [name, isSchema(member) ? schemaExample(member) : null]),
  );
}

function arrayExample({ items, minItems }: JsonSchema): readonly JsonValue[] {
  const one = isSchema(items) ? schemaExample(items) : "text";
  return Array.from({ length: Math.max(1, Number(minItems ?? 1)) }, () => one);
}

function numberExample(
  { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf }: JsonSchema,
): number {
  const step = Number(multipleOf ?? 1);
  const least = minimum ?? (exclusiveMinimum === undefined ? 1 : Number(exclusiveMinimum) + step);
  const most = maximum ?? (exclusiveMaximum === undefined ? null : Number(exclusiveMaximum) - step);
  const wanted = Math.max(Number(least), Math.min(1, Number(most ?? 1)));
  return Math.ceil(wanted / step) * step;
}

const FORMATS: ReadonlyMap<JsonValue | undefined, string> = new Map([
  ["email", "jane@example.com"],
  ["uri", "https://www.example.com/"],
  ["uuid", "0190a1b2-c3d4-4e5f-8a9b-0c1d2e3f4a5b"],
  ["date-time", "2026-01-31T10:20:30.000Z"],
  ["date", "2026-01-31"],
]);

function textExample({ format, minLength, maxLength }: JsonSchema): string {
  const known = FORMATS.get(format);
  if (known !== undefined) return known;
  const padded = "text".padEnd(Number(minLength ?? 0), ".");
  return maxLength === undefined ? padded : padded.slice(0, Number(maxLength));
}

function schemas(value: JsonValue | undefined): readonly JsonSchema[] {
  return Array.isArray(value) ? value.filter(isSchema) : [];
}

function isSchema(value: JsonValue | undefined): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

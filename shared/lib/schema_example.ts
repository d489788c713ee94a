/** Example values of JSON Schemas (2020-12). They are the same each time. */

type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

type Schema = { readonly [keyword: string]: JsonValue };

/**
 * Makes a value of the first type or option of a schema, with its optional members. It cannot satisfy a `pattern`; such a
 * schema needs `default` or `examples`, which have precedence. `resolve` returns the target of a `$ref`.
 */
export function schemaExample(
  given: Schema,
  resolve: (reference: string) => Schema = () => ({}),
): JsonValue {
  const { $ref } = given;
  const schema = typeof $ref === "string" ? resolve($ref) : given;
  const { examples, default: byDefault, const: only, enum: values } = schema;
  const first = Array.isArray(examples) ? examples[0] : undefined;
  const told = first ?? byDefault ?? only ?? (Array.isArray(values) ? values[0] : undefined);
  if (told !== undefined) return told;
  for (const keyword of ["allOf", "oneOf", "anyOf"] as const) {
    const value = schema[keyword];
    const [first] = Array.isArray(value) ? value.filter(isSchema) : [];
    if (first) return schemaExample(first, resolve);
  }
  switch (typeOf(schema)) {
    case "object": {
      const { properties, additionalProperties } = schema;
      const members = Object.entries(isSchema(properties) ? properties : {});
      if (members.length === 0 && isSchema(additionalProperties)) {
        return { key: schemaExample(additionalProperties, resolve) };
      }
      return Object.fromEntries(
        members.map(([name, member]) => [
          name,
          isSchema(member) ? schemaExample(member, resolve) : null,
        ]),
      );
    }
    case "array": {
      const { items, minItems } = schema;
      const one = isSchema(items) ? schemaExample(items, resolve) : "text";
      return Array.from({ length: Math.max(1, Number(minItems ?? 1)) }, () => one);
    }
    case "integer":
    case "number": {
      const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf } = schema;
      const step = Number(multipleOf ?? 1);
      const least = minimum ??
        (exclusiveMinimum === undefined ? 1 : Number(exclusiveMinimum) + step);
      const most = maximum ??
        (exclusiveMaximum === undefined ? null : Number(exclusiveMaximum) - step);
      const wanted = Math.max(Number(least), Math.min(1, Number(most ?? 1)));
      return Math.ceil(wanted / step) * step;
    }
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return formatExample(schema);
  }
}

function typeOf({ type, properties, items }: Schema): JsonValue | undefined {
  if (Array.isArray(type)) return type.find((one) => one !== "null");
  if (type !== undefined) return type;
  if (properties !== undefined) return "object";
  return items === undefined ? undefined : "array";
}

const FORMATS: ReadonlyMap<JsonValue | undefined, string> = new Map([
  ["email", "jane@example.com"],
  ["uri", "https://www.example.com/"],
  ["uuid", "0190a1b2-c3d4-4e5f-8a9b-0c1d2e3f4a5b"],
  ["date-time", "2026-01-31T10:20:30.000Z"],
  ["date", "2026-01-31"],
]);

function formatExample({ format, minLength, maxLength }: Schema): string {
  const known = FORMATS.get(format);
  if (known !== undefined) return known;
  const padded = "text".padEnd(Number(minLength ?? 0), ".");
  return maxLength === undefined ? padded : padded.slice(0, Number(maxLength));
}

function isSchema(value: JsonValue | undefined): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

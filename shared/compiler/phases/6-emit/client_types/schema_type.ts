/** Converts JSON Schema, as the API's descriptions use it, to TypeScript types. */
import { isJsonObject } from "../../../../lib/json.ts";
import { typescriptString } from "../../../../lib/typescript_text.ts";
import type { JsonValue } from "../../../../model/mod.ts";
import { type JsonSchema, MASKED_KEYWORD } from "../../../../surface/mod.ts";
import { member, text, type TypeMember, type TypeNode, union } from "./type_node.ts";

const COMPONENT = "#/components/schemas/";

/** Returns the TypeScript type of a schema; `unknown` for an open schema. */
export function schemaType(schema: JsonSchema): TypeNode {
  const type = unmasked(schema);
  if (schema[MASKED_KEYWORD] === undefined) return type;
  // `null` is never masked, so it stays a separate option.
  const options = type.kind === "union" ? type.of : [type];
  const isNull = (one: TypeNode) => one.kind === "text" && one.text === "null";
  const plain = options.filter((one) => !isNull(one));
  return union([{ kind: "masked", of: union(plain) }, ...options.filter(isNull)]);
}

function unmasked(schema: JsonSchema): TypeNode {
  const { $ref, const: only, enum: values, type } = schema;
  if (typeof $ref === "string") return text($ref.slice(COMPONENT.length));
  if (only !== undefined) return text(literalText(only));
  if (Array.isArray(values)) return union(values.map((value) => text(literalText(value))));
  const [whole] = Array.isArray(schema.allOf) ? schemas(schema.allOf) : [];
  if (whole) return schemaType(whole);
  const options = schema.oneOf ?? schema.anyOf;
  if (Array.isArray(options)) return union(schemas(options).map(schemaType));
  if (Array.isArray(type)) return union(type.map((one) => namedType(one, schema)));
  return namedType(type, schema);
}

function namedType(type: JsonValue | undefined, schema: JsonSchema): TypeNode {
  switch (type) {
    case "string":
    case "boolean":
    case "null":
      return text(type);
    case "integer":
    case "number":
      return text("number");
    case "array":
      return { kind: "array", of: isJsonObject(schema.items) ? schemaType(schema.items) : UNKNOWN };
    case "object": {
      const { properties, required, additionalProperties } = schema;
      const needed = Array.isArray(required) ? required : [];
      const members = Object.entries(isJsonObject(properties) ? properties : {}).map(
        ([name, schema]): TypeMember => ({
          ...member(
            name,
            isJsonObject(schema) ? schemaType(schema) : UNKNOWN,
            isJsonObject(schema) && typeof schema.description === "string"
              ? schema.description
              : "",
          ),
          optional: !needed.includes(name),
        }),
      );
      if (members.length > 0) return { kind: "object", members };
      return isJsonObject(additionalProperties)
        ? record(schemaType(additionalProperties))
        : additionalProperties === false
        ? text("Record<string, never>")
        : record(UNKNOWN);
    }
    default:
      return UNKNOWN;
  }
}

const UNKNOWN: TypeNode = text("unknown");

function record(values: TypeNode): TypeNode {
  return { kind: "object", members: [member(null, values)] };
}

function literalText(value: JsonValue): string {
  return typeof value === "string" ? typescriptString(value) : JSON.stringify(value);
}

function schemas(values: readonly JsonValue[]): readonly JsonSchema[] {
  return values.filter((one) => isJsonObject(one));
}

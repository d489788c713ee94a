/** Converts schemas between three forms: the model's, Zod's, and JSON Schema 2020-12 (definitions 5). */
import { isJsonObject } from "../../lib/json.ts";
import { z } from "zod";
import type { JsonValue, ObjectSchema, SchemaModel, StringFormat } from "../../model/mod.ts";
import type { StringSchema } from "../../model/mod.ts";
import type { JsonSchema } from "../parameters.ts";

/** Returns a Zod schema as plain JSON Schema: its checks, without Zod's own additions. */
export function zodJson(schema: z.ZodType, direction: "input" | "output"): JsonSchema {
  const { $schema: _, "~standard": _standard, ...json } = z.toJSONSchema(schema, { io: direction });
  return merged(JSON.parse(JSON.stringify(json)));
}

/** Writes `anyOf: [T, null]` with one plain type as `type: [T, null]`, which generators and readers understand. */
function merged(schema: JsonSchema): JsonSchema {
  const members = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, mergedValue(value)]),
  );
  const { anyOf, ...rest } = members;
  const plain = Array.isArray(anyOf) ? plainOption(anyOf) : null;
  return plain === null ? members : { ...orNull(plain), ...rest };
}

function mergedValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(mergedValue);
  return isJsonObject(value) ? merged(value) : value;
}

/** Returns the option beside `null`, if it is the only one and its type is a single word. */
function plainOption(options: readonly JsonValue[]): JsonSchema | null {
  const others = options.filter((option) => !(isJsonObject(option) && option.type === "null"));
  const [only] = others;
  if (options.length !== 2 || others.length !== 1 || !isJsonObject(only)) return null;
  return typeof only.type === "string" && only.const === undefined ? only : null;
}

/** Returns the schema of `T | null`. A schema without a type already allows null. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  if (type === undefined) return schema;
  const types = Array.isArray(type) ? [...type, "null"] : [type, "null"];
  return { ...schema, type: types, ...(Array.isArray(values) ? { enum: [...values, null] } : {}) };
}

/** Returns the JSON Schema of a request or a response; an open schema allows everything. */
export function schemaJson(model: SchemaModel, direction: "input" | "output"): JsonSchema {
  if (model.kind === "jsonSchema") return model.schema;
  return zodJson(zodSchemaOf(model), direction);
}

/** Returns a validator that accepts the same values as the author's own; it is open if that could not be read. */
export function zodSchemaOf(model: SchemaModel): z.ZodType {
  const schema = undescribed(model);
  return model.description === undefined ? schema : schema.describe(model.description);
}

function undescribed(model: SchemaModel): z.ZodType {
  switch (model.kind) {
    case "open":
    case "any":
    case "jsonSchema":
      return z.unknown();
    case "null":
      return z.null();
    case "boolean":
      return model.coerce ? z.coerce.boolean() : z.boolean();
    case "string": {
      let schema = model.coerce ? z.coerce.string() : z.string();
      if (model.minLength !== null) schema = schema.min(model.minLength);
      if (model.maxLength !== null) schema = schema.max(model.maxLength);
      for (const { source, flags } of model.patterns) {
        schema = schema.regex(new RegExp(source, flags));
      }
      return model.format === null ? schema : schema.check(formatCheck(model.format, model));
    }
    case "number": {
      let schema = model.coerce ? z.coerce.number() : z.number();
      if (model.integer) schema = schema.int();
      if (model.minimum !== null) schema = schema.gte(model.minimum);
      if (model.exclusiveMinimum !== null) schema = schema.gt(model.exclusiveMinimum);
      if (model.maximum !== null) schema = schema.lte(model.maximum);
      if (model.exclusiveMaximum !== null) schema = schema.lt(model.exclusiveMaximum);
      return model.multipleOf === null ? schema : schema.multipleOf(model.multipleOf);
    }
    case "enum":
      return z.enum(model.values);
    case "literal":
      return z.literal(model.values);
    case "array": {
      const { of, minItems, maxItems } = model;
      let schema = z.array(zodSchemaOf(of));
      if (minItems !== null) schema = schema.min(minItems);
      return maxItems === null ? schema : schema.max(maxItems);
    }
    case "object":
      return objectSchema(model);
    case "record":
      return z.record(
        model.keys.kind === "enum" ? z.enum(model.keys.values) : z.string(),
        zodSchemaOf(model.values),
      );
    case "union":
      return z.union(model.of.map(zodSchemaOf));
    case "discriminatedUnion": {
      const [first, ...others] = model.of.flatMap((option) =>
        option.kind === "object" ? [describedObject(option)] : []
      );
      return first === undefined
        ? z.never()
        : z.discriminatedUnion(model.discriminator, [first, ...others]);
    }
    case "optional":
      return zodSchemaOf(model.of).optional();
    case "nullable":
      return zodSchemaOf(model.of).nullable();
    case "default":
      return zodSchemaOf(model.of).default(model.value);
  }
}

function formatCheck(format: StringFormat, { offset, local }: StringSchema) {
  switch (format) {
    case "email":
      return z.email();
    case "url":
      return z.url();
    case "uuid":
      return z.uuid();
    case "datetime":
      return z.iso.datetime({ offset, local });
  }
}

function objectSchema({ members, unknown }: ObjectSchema): z.ZodObject {
  const shape = Object.fromEntries(
    members.map(({ name, schema }) => [name, zodSchemaOf(schema)]),
  );
  switch (unknown) {
    case "strip":
      return z.object(shape);
    case "strict":
      return z.strictObject(shape);
    case "passthrough":
      return z.looseObject(shape);
  }
}

function describedObject(model: SchemaModel & { readonly kind: "object" }): z.ZodObject {
  const schema = objectSchema(model);
  return model.description === undefined ? schema : schema.describe(model.description);
}

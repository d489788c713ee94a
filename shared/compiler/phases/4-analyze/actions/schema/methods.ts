/** Reads the methods of Zod's schemas that the compiler supports, by the kind of schema that has them (definitions 5). */
import type { NumberSchema, SchemaModel, StringSchema } from "../../../../../model/mod.ts";
import * as reading from "./reading.ts";
import type { Value } from "../../../values.ts";

/** Returns the schema that the method `call` makes of `schema`. */
export function applyMethod(schema: SchemaModel, call: reading.SchemaCall): SchemaModel {
  const wrapped = wrap(schema, call);
  if (wrapped) return wrapped;
  switch (schema.kind) {
    case "string":
      return { ...schema, ...stringMethod(schema, call) };
    case "number":
      return { ...schema, ...numberMethod(schema, call) };
    case "array":
      return { ...schema, ...arrayMethod(schema, call) };
    case "object":
      return { ...schema, unknown: objectMethod(call) };
    default:
      return unknownMethod(call);
  }
}

function unknownMethod(call: reading.SchemaCall): never {
  return reading.unreadable(`\`.${call.name}()\``, call.place);
}

/** Applies a method that every schema has. */
function wrap(schema: SchemaModel, call: reading.SchemaCall): SchemaModel | null {
  switch (call.name) {
    case "optional":
      reading.argumentsOf(call, 0);
      return { kind: "optional", of: schema };
    case "nullable":
      reading.argumentsOf(call, 0);
      return { kind: "nullable", of: schema };
    case "nullish":
      reading.argumentsOf(call, 0);
      return { kind: "optional", of: { kind: "nullable", of: schema } };
    case "default":
      return { kind: "default", of: schema, value: reading.jsonOf(only(call)) };
    case "describe": {
      const text = only(call);
      if (text.kind !== "string") return unknownMethod(call);
      return { ...schema, description: text.value };
    }
    default:
      return null;
  }
}

function only(call: reading.SchemaCall): Value {
  const [value] = reading.argumentsOf(call, 1);
  return value ?? reading.unreadable(`\`.${call.name}()\` without an argument`, call.place);
}

function stringMethod(schema: StringSchema, call: reading.SchemaCall): Partial<StringSchema> {
  switch (call.name) {
    case "min":
      return { minLength: reading.higher(schema.minLength, reading.requireCount(call)) };
    case "max":
      return { maxLength: reading.lower(schema.maxLength, reading.requireCount(call)) };
    case "length":
      return { minLength: reading.requireCount(call), maxLength: reading.requireCount(call) };
    case "nonempty":
      reading.argumentsOf(call, 0);
      return { minLength: reading.higher(schema.minLength, 1) };
    case "regex":
      return { patterns: [...schema.patterns, patternOf(call)] };
    case "email":
    case "url":
    case "uuid":
      if (schema.format !== null) return unknownMethod(call);
      reading.argumentsOf(call, 0);
      return { format: call.name };
    case "datetime":
      if (schema.format !== null) return unknownMethod(call);
      return { format: "datetime", ...datetimeOptions(call) };
    default:
      return unknownMethod(call);
  }
}

function patternOf(call: reading.SchemaCall): StringSchema["patterns"][number] {
  const [value] = reading.argumentsOf(call, 1);
  return value?.kind === "regex"
    ? { source: value.source, flags: value.flags }
    : reading.unreadable("a pattern that is no literal", call.place);
}

/** Returns the options `offset` and `local`; a message beside them is ignored. */
export function datetimeOptions(call: reading.SchemaCall): Pick<StringSchema, "offset" | "local"> {
  const [options] = call.args;
  const flags = { offset: false, local: false };
  if (options === undefined || options.kind === "string") return flags;
  if (options.kind !== "object" || call.args.length > 1) return unknownMethod(call);
  for (const { key, value } of options.entries) {
    if (key === "message" || key === "error") continue;
    if ((key !== "offset" && key !== "local") || value.kind !== "boolean") {
      return reading.unreadable(`the option ${key} of datetime()`, value.place);
    }
    flags[key] = value.value;
  }
  return flags;
}

function numberMethod(schema: NumberSchema, call: reading.SchemaCall): Partial<NumberSchema> {
  switch (call.name) {
    case "int":
      reading.argumentsOf(call, 0);
      return { integer: true };
    case "min":
    case "gte":
      return { minimum: reading.higher(schema.minimum, reading.requireNumber(call)) };
    case "max":
    case "lte":
      return { maximum: reading.lower(schema.maximum, reading.requireNumber(call)) };
    case "gt":
      return {
        exclusiveMinimum: reading.higher(schema.exclusiveMinimum, reading.requireNumber(call)),
      };
    case "lt":
      return {
        exclusiveMaximum: reading.lower(schema.exclusiveMaximum, reading.requireNumber(call)),
      };
    case "multipleOf":
    case "step":
      if (schema.multipleOf !== null) return unknownMethod(call);
      return { multipleOf: reading.requireNumber(call) };
    default:
      switch (call.name) {
        case "positive":
          reading.argumentsOf(call, 0);
          return { exclusiveMinimum: reading.higher(schema.exclusiveMinimum, 0) };
        case "negative":
          reading.argumentsOf(call, 0);
          return { exclusiveMaximum: reading.lower(schema.exclusiveMaximum, 0) };
        case "nonnegative":
          reading.argumentsOf(call, 0);
          return { minimum: reading.higher(schema.minimum, 0) };
        case "nonpositive":
          reading.argumentsOf(call, 0);
          return { maximum: reading.lower(schema.maximum, 0) };
        default:
          return unknownMethod(call);
      }
  }
}

function arrayMethod(
  schema: SchemaModel & { readonly kind: "array" },
  call: reading.SchemaCall,
): { readonly minItems?: number; readonly maxItems?: number } {
  switch (call.name) {
    case "min":
      return { minItems: reading.higher(schema.minItems, reading.requireCount(call)) };
    case "max":
      return { maxItems: reading.lower(schema.maxItems, reading.requireCount(call)) };
    case "length":
      return { minItems: reading.requireCount(call), maxItems: reading.requireCount(call) };
    case "nonempty":
      reading.argumentsOf(call, 0);
      return { minItems: reading.higher(schema.minItems, 1) };
    default:
      return unknownMethod(call);
  }
}

function objectMethod(call: reading.SchemaCall): "strict" | "strip" | "passthrough" {
  switch (call.name) {
    case "strict":
    case "strip":
    case "passthrough":
      reading.argumentsOf(call, 0);
      return call.name;
    case "loose":
      reading.argumentsOf(call, 0);
      return "passthrough";
    default:
      return unknownMethod(call);
  }
}

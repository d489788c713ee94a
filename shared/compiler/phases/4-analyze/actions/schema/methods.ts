/** The methods of Zod's schemas that can be read, by the kind of schema that has them (definitions 5). */
import type { NumberSchema, SchemaModel, StringSchema } from "../../../../../model/action.ts";
import {
  argumentsOf,
  higher,
  jsonOf,
  lower,
  requireCount,
  requireNumber,
  type SchemaCall,
  unreadable,
} from "./reading.ts";
import type { Value } from "../../../values.ts";

/** The schema that `call` makes of `schema`. */
export function applyMethod(schema: SchemaModel, call: SchemaCall): SchemaModel {
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

function unknownMethod(call: SchemaCall): never {
  return unreadable(`\`.${call.name}()\``, call.place);
}

/** Applies a method that every schema has. */
function wrap(schema: SchemaModel, call: SchemaCall): SchemaModel | null {
  switch (call.name) {
    case "optional":
      argumentsOf(call, 0);
      return { kind: "optional", of: schema };
    case "nullable":
      argumentsOf(call, 0);
      return { kind: "nullable", of: schema };
    case "nullish":
      argumentsOf(call, 0);
      return { kind: "optional", of: { kind: "nullable", of: schema } };
    case "default":
      return { kind: "default", of: schema, value: jsonOf(only(call)) };
    case "describe": {
      const text = only(call);
      if (text.kind !== "string") return unknownMethod(call);
      return { ...schema, description: text.value };
    }
    default:
      return null;
  }
}

function only(call: SchemaCall): Value {
  const [value] = argumentsOf(call, 1);
  return value ?? unreadable(`\`.${call.name}()\` without an argument`, call.place);
}

function stringMethod(schema: StringSchema, call: SchemaCall): Partial<StringSchema> {
  switch (call.name) {
    case "min":
      return { minLength: higher(schema.minLength, requireCount(call)) };
    case "max":
      return { maxLength: lower(schema.maxLength, requireCount(call)) };
    case "length":
      return { minLength: requireCount(call), maxLength: requireCount(call) };
    case "nonempty":
      argumentsOf(call, 0);
      return { minLength: higher(schema.minLength, 1) };
    case "regex":
      return { patterns: [...schema.patterns, patternOf(call)] };
    case "email":
    case "url":
    case "uuid":
      if (schema.format !== null) return unknownMethod(call);
      argumentsOf(call, 0);
      return { format: call.name };
    case "datetime":
      if (schema.format !== null) return unknownMethod(call);
      return { format: "datetime", ...datetimeOptions(call) };
    default:
      return unknownMethod(call);
  }
}

function patternOf(call: SchemaCall): StringSchema["patterns"][number] {
  const [value] = argumentsOf(call, 1);
  return value?.kind === "regex"
    ? { source: value.source, flags: value.flags }
    : unreadable("a pattern that is no literal", call.place);
}

/** `{ offset, local }`, besides a message. */
export function datetimeOptions(call: SchemaCall): Pick<StringSchema, "offset" | "local"> {
  const [options] = call.args;
  const flags = { offset: false, local: false };
  if (options === undefined || options.kind === "string") return flags;
  if (options.kind !== "object" || call.args.length > 1) return unknownMethod(call);
  for (const { key, value } of options.entries) {
    if (key === "message" || key === "error") continue;
    if ((key !== "offset" && key !== "local") || value.kind !== "boolean") {
      return unreadable(`the option ${key} of datetime()`, value.place);
    }
    flags[key] = value.value;
  }
  return flags;
}

function numberMethod(schema: NumberSchema, call: SchemaCall): Partial<NumberSchema> {
  switch (call.name) {
    case "int":
      argumentsOf(call, 0);
      return { integer: true };
    case "min":
    case "gte":
      return { minimum: higher(schema.minimum, requireNumber(call)) };
    case "max":
    case "lte":
      return { maximum: lower(schema.maximum, requireNumber(call)) };
    case "gt":
      return { exclusiveMinimum: higher(schema.exclusiveMinimum, requireNumber(call)) };
    case "lt":
      return { exclusiveMaximum: lower(schema.exclusiveMaximum, requireNumber(call)) };
    case "multipleOf":
    case "step":
      if (schema.multipleOf !== null) return unknownMethod(call);
      return { multipleOf: requireNumber(call) };
    default:
      return signMethod(schema, call);
  }
}

function signMethod(schema: NumberSchema, call: SchemaCall): Partial<NumberSchema> {
  switch (call.name) {
    case "positive":
      argumentsOf(call, 0);
      return { exclusiveMinimum: higher(schema.exclusiveMinimum, 0) };
    case "negative":
      argumentsOf(call, 0);
      return { exclusiveMaximum: lower(schema.exclusiveMaximum, 0) };
    case "nonnegative":
      argumentsOf(call, 0);
      return { minimum: higher(schema.minimum, 0) };
    case "nonpositive":
      argumentsOf(call, 0);
      return { maximum: lower(schema.maximum, 0) };
    default:
      return unknownMethod(call);
  }
}

function arrayMethod(
  schema: SchemaModel & { readonly kind: "array" },
  call: SchemaCall,
): { readonly minItems?: number; readonly maxItems?: number } {
  switch (call.name) {
    case "min":
      return { minItems: higher(schema.minItems, requireCount(call)) };
    case "max":
      return { maxItems: lower(schema.maxItems, requireCount(call)) };
    case "length":
      return { minItems: requireCount(call), maxItems: requireCount(call) };
    case "nonempty":
      argumentsOf(call, 0);
      return { minItems: higher(schema.minItems, 1) };
    default:
      return unknownMethod(call);
  }
}

function objectMethod(call: SchemaCall): "strict" | "strip" | "passthrough" {
  switch (call.name) {
    case "strict":
    case "strip":
    case "passthrough":
      argumentsOf(call, 0);
      return call.name;
    case "loose":
      argumentsOf(call, 0);
      return "passthrough";
    default:
      return unknownMethod(call);
  }
}

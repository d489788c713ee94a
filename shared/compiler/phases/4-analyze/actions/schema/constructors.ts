/** Reads the functions of Zod that the compiler supports: `z.object`, `z.coerce.number` and their like (definitions 5). */
import type { NumberSchema, SchemaModel, StringSchema } from "../../../../../model/mod.ts";
import type { Value } from "../../../values.ts";
import { datetimeOptions } from "./methods.ts";
import { argumentsOf, jsonOf, type ReadInner, type SchemaCall, unreadable } from "./reading.ts";

const STRING: StringSchema = {
  kind: "string",
  minLength: null,
  maxLength: null,
  format: null,
  offset: false,
  local: false,
  patterns: [],
  coerce: false,
};

const NUMBER: NumberSchema = {
  kind: "number",
  integer: false,
  minimum: null,
  exclusiveMinimum: null,
  maximum: null,
  exclusiveMaximum: null,
  multipleOf: null,
  coerce: false,
};

/** Functions that take no argument but a message. */
const PLAIN: Readonly<Record<string, SchemaModel>> = {
  "z.string": STRING,
  "z.coerce.string": { ...STRING, coerce: true },
  "z.email": { ...STRING, format: "email" },
  "z.url": { ...STRING, format: "url" },
  "z.uuid": { ...STRING, format: "uuid" },
  "z.number": NUMBER,
  "z.coerce.number": { ...NUMBER, coerce: true },
  "z.int": { ...NUMBER, integer: true },
  "z.boolean": { kind: "boolean", coerce: false },
  "z.coerce.boolean": { kind: "boolean", coerce: true },
  "z.null": { kind: "null" },
  "z.any": { kind: "any" },
  "z.unknown": { kind: "any" },
};

export function construct(call: SchemaCall, inner: ReadInner): SchemaModel {
  const plain = Object.hasOwn(PLAIN, call.name) ? PLAIN[call.name] : undefined;
  if (plain) {
    argumentsOf(call, 0);
    return plain;
  }
  switch (call.name) {
    case "z.iso.datetime":
      return { ...STRING, format: "datetime", ...datetimeOptions(call) };
    case "z.object":
      return objectOf(call, "strip", inner);
    case "z.strictObject":
      return objectOf(call, "strict", inner);
    case "z.looseObject":
      return objectOf(call, "passthrough", inner);
    case "z.enum":
      return { kind: "enum", values: textsOf(call) };
    case "z.literal":
      return { kind: "literal", values: literalsOf(call) };
    default:
      return combination(call, inner);
  }
}

function combination(call: SchemaCall, inner: ReadInner): SchemaModel {
  const [first, second] = call.args;
  switch (call.name) {
    case "z.array":
      return { kind: "array", of: inner(onlyArgument(call)), minItems: null, maxItems: null };
    case "z.union":
      return { kind: "union", of: listOf(call, first).map(inner) };
    case "z.discriminatedUnion": {
      const [key, options] = argumentsOf(call, 2);
      if (key?.kind !== "string") return unreadable(`\`${call.name}()\``, call.place);
      const of = listOf(call, options).map((value) => {
        const option = inner(value);
        const member = option.kind === "object"
          ? option.members.find(({ name }) => name === key.value)
          : undefined;
        return member?.schema.kind === "literal" || member?.schema.kind === "enum"
          ? option
          : unreadable(`an option without a literal ${JSON.stringify(key.value)}`, value.place);
      });
      return { kind: "discriminatedUnion", discriminator: key.value, of };
    }
    case "z.record":
      return recordOf(call, inner);
    case "z.optional":
      return { kind: "optional", of: inner(onlyArgument(call)) };
    case "z.nullable":
      return { kind: "nullable", of: inner(onlyArgument(call)) };
    default:
      return unreadable(`\`${call.name}()\``, second?.place ?? call.place);
  }
}

function onlyArgument(call: SchemaCall): Value {
  const [value] = argumentsOf(call, 1);
  return value ?? unreadable(`\`${call.name}()\` without an argument`, call.place);
}

function objectOf(
  call: SchemaCall,
  unknown: "strip" | "strict" | "passthrough",
  inner: ReadInner,
): SchemaModel {
  const shape = onlyArgument(call);
  if (shape.kind !== "object") return unreadable(`the shape of ${call.name}()`, shape.place);
  const members = shape.entries.map(({ key, value }) => ({ name: key, schema: inner(value) }));
  return { kind: "object", members, unknown };
}

function listOf(call: SchemaCall, value: Value | undefined): readonly Value[] {
  if (value?.kind === "array" && value.items.length > 0) return value.items;
  return unreadable(`\`${call.name}()\` without a list`, call.place);
}

function textsOf(call: SchemaCall): readonly string[] {
  const [value] = argumentsOf(call, 1);
  return listOf(call, value).map((item) =>
    item.kind === "string" ? item.value : unreadable("an enum of other than texts", item.place)
  );
}

function literalsOf(call: SchemaCall): (SchemaModel & { readonly kind: "literal" })["values"] {
  const value = onlyArgument(call);
  const values = value.kind === "array" ? listOf(call, value) : [value];
  return values.map((item) => {
    const literal = jsonOf(item);
    return literal === null || typeof literal !== "object"
      ? literal
      : unreadable("a literal that is no single value", item.place);
  });
}

/** Reads `z.record(values)`, which has texts as keys. */
function recordOf(call: SchemaCall, inner: ReadInner): SchemaModel {
  const [first, second] = call.args;
  if (!first || call.args.length > 2) return unreadable("`z.record()`", call.place);
  if (!second) return { kind: "record", keys: STRING, values: inner(first) };
  const keys = inner(first);
  const isPlainText = keys.kind === "string" && JSON.stringify(keys) === JSON.stringify(STRING);
  if (!isPlainText && keys.kind !== "enum") {
    return unreadable("keys of a record that are neither texts nor an enum", first.place);
  }
  return { kind: "record", keys, values: inner(second) };
}

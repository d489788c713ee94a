/** References of a changeset's operation to the answers of earlier ones, as JSON Schema (definitions 7 "changeset"). */
import type { JsonSchema } from "./parameters.ts";
import { closed } from "./service_operation.ts";

/** `<as>.<member>`: the answer of an earlier operation, and what is taken of it. */
export const REFERENCE_PATTERN = "^([A-Za-z_][A-Za-z0-9_-]*)\\.([\\s\\S]+)$";

/** The component of that name. */
export const REFERENCE_SCHEMA: JsonSchema = {
  ...closed({ $ref: { type: "string", pattern: REFERENCE_PATTERN } }),
  description: "`<as>.<member>`: a member of what an operation before this one answered.",
};

const REFERENCE: JsonSchema = { $ref: "#/components/schemas/ChangesetReference" };

/** An object that is read as a reference, and so can be no value. */
const LONE_REFERENCE: JsonSchema = {
  type: "object",
  properties: { $ref: { description: "Whatever it is." } },
  required: ["$ref"],
  maxProperties: 1,
};

/** That value, or a reference to one. */
export function orReference({ description, ...value }: JsonSchema): JsonSchema {
  const own = isMistakable(value) ? { ...value, not: LONE_REFERENCE } : value;
  return { ...(description === undefined ? {} : { description }), anyOf: [own, REFERENCE] };
}

/** The same object, whose members may each be references; those within them may not. */
export function withReferences(schema: JsonSchema): JsonSchema {
  const { properties, additionalProperties: others, anyOf, oneOf, allOf, ...rest } = schema;
  // With a reference for what told them apart, a value may be one of several.
  const options = anyOf ?? oneOf;
  return {
    ...rest,
    ...(isSchema(properties)
      ? {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, one]) => [
            name,
            isSchema(one) ? orReference(one) : one,
          ]),
        ),
      }
      : {}),
    ...(others === undefined
      ? {}
      : { additionalProperties: isSchema(others) ? orReference(others) : others }),
    ...(Array.isArray(options) ? { anyOf: eachWithReferences(options) } : {}),
    ...(Array.isArray(allOf) ? { allOf: eachWithReferences(allOf) } : {}),
  };
}

function eachWithReferences(schemas: readonly unknown[]) {
  return schemas.map((one) => isSchema(one) ? withReferences(one) : {});
}

/** True when the schema allows an object with nothing but `$ref`. */
function isMistakable(schema: JsonSchema): boolean {
  const { type, properties, additionalProperties } = schema;
  if ("enum" in schema || "const" in schema) return false;
  const all = [schema["anyOf"], schema["oneOf"]].find(Array.isArray);
  if (all) return all.some((one: unknown) => isSchema(one) && isMistakable(one));
  const types: readonly unknown[] = Array.isArray(type) ? type : [type ?? "object"];
  if (!types.includes("object")) return false;
  return additionalProperties !== false ||
    (isSchema(properties) && Object.hasOwn(properties, "$ref"));
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

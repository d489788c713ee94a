/**
 * Reads parameters of an action's path, which become members of its input if the schema has their names (contract 4.4 rule 5).
 */
import { isJsonObject } from "../lib/json.ts";
import type { ActionModel, JsonValue, SchemaModel } from "../model/mod.ts";

/** Action at a path: its own, or the path of the operation that runs it. */
interface PlacedAction {
  readonly path: string;
  readonly action: Pick<ActionModel, "input">;
}

export interface PathInput {
  readonly name: string;
  /** Schema of the input's member. */
  readonly schema: SchemaModel;
}

/** Returns the names of the parameters in a path, in its order. */
export function pathNames(path: string): readonly string[] {
  return path.split("/").flatMap((part) => part.startsWith(":") ? [part.slice(1)] : []);
}

/** Returns the path's parameters that are members of the action's input. Only the handler's `c.req.param` reads the others. */
export function pathInputOf(
  { path, action }: PlacedAction,
): readonly PathInput[] {
  return pathNames(path).flatMap((name) => {
    const schema = memberSchema(action.input, name);
    return schema === null ? [] : [{ name, schema }];
  });
}

/** Returns the members of an action's input that come in its body, or in the query of a GET. */
export function sentInput(operation: PlacedAction): SchemaModel {
  const names = pathInputOf(operation).map(({ name }) => name);
  return names.length === 0
    ? operation.action.input
    : withoutMembers(operation.action.input, names);
}

/** Returns the schema of a member; null: the input has no such member, or is not known. */
function memberSchema(schema: SchemaModel, name: string): SchemaModel | null {
  switch (schema.kind) {
    case "object":
      return schema.members.find((member) => member.name === name)?.schema ?? null;
    case "optional":
    case "nullable":
    case "default":
      return memberSchema(schema.of, name);
    case "union":
    case "discriminatedUnion": {
      const of = schema.of.map((one) => memberSchema(one, name)).filter((one) => one !== null);
      const [only] = of;
      return of.length <= 1 ? only ?? null : { kind: "union", of };
    }
    case "jsonSchema": {
      const { properties } = schema.schema;
      const own = isJsonObject(properties) && Object.hasOwn(properties, name)
        ? properties[name]
        : undefined;
      return own === undefined
        ? null
        : isJsonObject(own)
        ? { kind: "jsonSchema", schema: own }
        : { kind: "any" };
    }
    default:
      return null;
  }
}

function withoutMembers(schema: SchemaModel, names: readonly string[]): SchemaModel {
  switch (schema.kind) {
    case "object":
      return { ...schema, members: schema.members.filter(({ name }) => !names.includes(name)) };
    case "optional":
    case "nullable":
    case "default":
      return { ...schema, of: withoutMembers(schema.of, names) };
    case "union":
      return { ...schema, of: schema.of.map((one) => withoutMembers(one, names)) };
    case "discriminatedUnion": {
      const of = schema.of.map((one) => withoutMembers(one, names));
      return names.includes(schema.discriminator) ? { kind: "union", of } : { ...schema, of };
    }
    case "jsonSchema":
      return { ...schema, schema: withoutProperties(schema.schema, names) };
    default:
      return schema;
  }
}

type Properties = { readonly [key: string]: JsonValue };

function withoutProperties(schema: Properties, names: readonly string[]): Properties {
  const { properties, required, ...rest } = schema;
  const isLeft = (name: unknown) => typeof name !== "string" || !names.includes(name);
  return {
    ...rest,
    ...(isJsonObject(properties)
      ? {
        properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isLeft(name))),
      }
      : {}),
    ...(Array.isArray(required) ? { required: required.filter(isLeft) } : {}),
  };
}

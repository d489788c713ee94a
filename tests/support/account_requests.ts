/** Requests that the description of an account route allows, and ones that it forbids, at random. */
import { z } from "zod";
import { zodJson } from "../../shared/surface/schema/zod_json.ts";
import type { Random } from "./random.ts";

/** Real values by the name of the member that takes them. */
export type Known = Readonly<Record<string, readonly unknown[]>>;

type Schema = Readonly<Record<string, unknown>>;

const LETTERS = ["a", "Z", "0", " ", ",", "%", "'", '"', "\\", "é", "日", "😀", "\n", "\u0001"];

/** An object that the schema allows. */
export function validObject(schema: z.ZodObject, known: Known, random: Random) {
  const json = zodJson(schema, "input");
  return Object.fromEntries(membersOf(json, known, random));
}

function membersOf(schema: Schema, known: Known, random: Random): readonly [string, unknown][] {
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return Object.entries(objectOf(schema["properties"]))
    .filter(([name]) => required.includes(name) || random.chance(40))
    .map(([name, member]) => [name, valueOf(name, objectOf(member), { known, random })]);
}

interface Source {
  readonly known: Known;
  readonly random: Random;
}

function valueOf(name: string, schema: Schema, source: Source): unknown {
  const { known, random } = source;
  const real = known[name];
  if (real && real.length > 0 && random.chance(75)) return random.pick(real);
  const options = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(options)) return valueOf("", objectOf(random.pick(options)), source);
  if (schema["const"] !== undefined) return schema["const"];
  const values = schema["enum"];
  if (Array.isArray(values)) return random.pick(values);
  const types = Array.isArray(schema["type"]) ? schema["type"] : [schema["type"] ?? "anything"];
  switch (random.pick(types)) {
    case "null":
      return null;
    case "boolean":
      return random.chance(50);
    case "integer":
      return Number(schema["minimum"] ?? 0) + random.below(100_000);
    case "array":
      return [valueOf(name, objectOf(schema["items"]), source)];
    case "object":
      return schema["properties"] === undefined
        ? { [textOf(random, 1, 5)]: valueOf("", objectOf(schema["additionalProperties"]), source) }
        : Object.fromEntries(membersOf(schema, known, random));
    case "string":
      return stringOf(schema, random);
    default:
      return random.pick([null, 1, "x", { deep: ["x"] }]);
  }
}

function stringOf(schema: Schema, random: Random): string {
  if (schema["format"] === "email") return `u${random.below(1_000_000)}@example.com`;
  if (schema["pattern"] === undefined) {
    const { minLength = 0, maxLength = 40 } = schema;
    return textOf(random, Number(minLength), Number(maxLength));
  }
  const pattern = String(schema["pattern"]);
  if (pattern === "^[0-9]{6}$") return String(100_000 + random.below(900_000));
  const [, names] = /^\^\(\?:([^()]+)\)\(\?:,/.exec(pattern) ?? [];
  if (names !== undefined) {
    const picked = () => random.pick(names.split("|"));
    return random.chance(50) ? picked() : [picked(), picked()].join(",");
  }
  const [, characters = "", min = "0", max = "0"] =
    /^\^(?:\(\?!\.\*:\\\/\\\/\))?(\[.*?\])(?:\[0-9\])?\{(\d+),(\d+)\}\$$/.exec(pattern) ?? [];
  if (characters === "[^\\u0000]") return textOf(random, Number(min), Number(max));
  if (characters.startsWith("[^\\u0000-")) {
    return textOf(random, Number(min), Number(max)).replace(/\p{Cc}/gu, "-");
  }
  // Of a slug.
  if (pattern.startsWith("^(?!(?:admin|")) return `s-${random.below(1_000_000)}`;
  if (/0-9|1-9/.test(characters)) return String(1 + random.below(9));
  throw new Error(`No text is known for the pattern ${pattern}`);
}

function textOf(random: Random, min: number, max: number): string {
  const length = min + random.below(Math.min(max - min, 40) + 1);
  return Array.from({ length }, () => random.pick(LETTERS)).join("");
}

/** The same with one member that no description allows, and its name. */
export function forbiddenObject(
  schema: z.ZodObject,
  valid: Readonly<Record<string, unknown>>,
  random: Random,
): { readonly body: unknown; readonly how: string } {
  const json = zodJson(schema, "input");
  const names = Object.keys(objectOf(json["properties"]));
  const ways = [
    () => ({ body: { ...valid, role_of_mine: "sysadmin" }, how: "an unknown member" }),
    () => ({ body: [valid], how: "an array" }),
    ...names.map((name) => () => ({
      body: { ...valid, [name]: -1.5 },
      how: `a wrong type of ${name}`,
    })),
  ];
  const way = random.pick(ways)();
  return schema.safeParse(way.body).success
    ? { body: { ...valid, role_of_mine: "sysadmin" }, how: "an unknown member" }
    : way;
}

function objectOf(value: unknown): Schema {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** Values that a JSON Schema of a description allows, the ordinary and the odd ones. */
import fc from "fast-check";
import { listItem } from "../../shared/lib/value_list.ts";
import { isRecord } from "./api.ts";
import type { Random } from "./random.ts";

export type Schema = Readonly<Record<string, unknown>>;

export interface ValueMaker {
  readonly random: Random;
  /** What a `$ref` leads to. */
  readonly resolve: (schema: Schema) => Schema;
  /** A value of the service's own making that a member may name, such as an id; undefined: none is known. */
  readonly known: (name: string) => unknown;
}

/** A valid value; `name` is that of the member or parameter that it is for. */
export function valueOf(given: Schema, maker: ValueMaker, name = ""): unknown {
  const { random } = maker;
  const schema = maker.resolve(given);
  if ("const" in schema) return schema["const"];
  if (Array.isArray(schema["enum"])) return random.pick(schema["enum"]);
  const parts = schema["allOf"];
  if (Array.isArray(parts)) {
    const { allOf: _, ...rest } = schema;
    return valueOf(merged([...parts.map(maker.resolve), rest]), maker, name);
  }
  const items = schema["x-items"];
  if (isRecord(items)) return partedByCommas(items, maker, name);
  if (schema["contentMediaType"] === "application/json") {
    return JSON.stringify(anything(random, 2));
  }
  const options = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(options)) {
    return valueOf(random.pick(options.filter((one) => !isReference(one))), maker, name);
  }
  const types: readonly unknown[] = Array.isArray(schema["type"])
    ? schema["type"]
    : [schema["type"] ?? "any"];
  switch (random.pick(types)) {
    case "null":
      return null;
    case "boolean":
      return random.chance(50);
    case "integer":
      return numberOf({ ...schema, multipleOf: schema["multipleOf"] ?? 1 }, random);
    case "number":
      return numberOf(schema, random);
    case "array":
      return listOf(schema, maker, name);
    case "object":
      return objectOf(schema, maker);
    case "string":
      return textOf(schema, maker, name);
    default:
      return anything(random, 3);
  }
}

/** What all parts say, the members of all of them too. */
function merged(parts: readonly Schema[]): Schema {
  const properties = parts.map((part) => part["properties"]).filter(isRecord);
  const whole: Schema = Object.assign({}, ...parts);
  return properties.length === 0
    ? whole
    : { ...whole, properties: Object.assign({}, ...properties) };
}

function partedByCommas(items: Schema, maker: ValueMaker, name: string): string {
  const list = listOf({ items, minItems: 1 }, maker, name);
  return list.map((one) => listItem(String(one))).join(",");
}

/** Only whoever knows the operations before it can make one. */
function isReference(schema: unknown): boolean {
  return isRecord(schema) && schema["$ref"] === "#/components/schemas/ChangesetReference";
}

function objectOf(schema: Schema, maker: ValueMaker): unknown {
  const { random } = maker;
  const required: readonly unknown[] = Array.isArray(schema["required"]) ? schema["required"] : [];
  const members = Object.entries(isRecord(schema["properties"]) ? schema["properties"] : {})
    .filter(([name]) => required.includes(name) || random.chance(50));
  const others = schema["additionalProperties"];
  const extra = isRecord(others) && members.length === 0
    ? Array.from({ length: random.below(3) }, (_, at) => [`key${at}`, others] as const)
    : [];
  return Object.fromEntries(
    [...members, ...extra].map(([name, member]) => [
      name,
      valueOf(isRecord(member) ? member : {}, maker, name),
    ]),
  );
}

function listOf(schema: Schema, maker: ValueMaker, name: string): unknown[] {
  const { random } = maker;
  const least = sizeAt(schema, "minItems") ?? 0;
  const most = Math.min(sizeAt(schema, "maxItems") ?? least + 3, least + 3);
  const items = isRecord(schema["items"]) ? schema["items"] : {};
  const list = Array.from(
    { length: least + random.below(most - least + 1) },
    () => valueOf(items, maker, name),
  );
  if (schema["uniqueItems"] !== true) return list;
  return [...new Map(list.map((one) => [JSON.stringify(one), one])).values()];
}

function sizeAt(schema: Schema, keyword: string): number | null {
  const value = schema[keyword];
  return typeof value === "number" ? value : null;
}

function numberOf(schema: Schema, random: Random): number {
  const step = sizeAt(schema, "multipleOf");
  const least = sizeAt(schema, "minimum") ?? sizeAt(schema, "exclusiveMinimum") ??
    -Number.MAX_SAFE_INTEGER;
  const most = sizeAt(schema, "maximum") ?? sizeAt(schema, "exclusiveMaximum") ??
    Number.MAX_SAFE_INTEGER;
  const inside = (value: number) => Math.min(Math.max(value, least), most);
  const candidates = [
    0,
    1,
    -1,
    random.below(1000),
    -random.below(1_000_000),
    10 ** random.below(15),
    least,
    most,
    ...(step === null ? [0.5, random.below(1000) / 8] : []),
  ].map(inside).filter((value) =>
    value !== schema["exclusiveMinimum"] && value !== schema["exclusiveMaximum"]
  );
  const value = random.pick(candidates);
  return step === null || step === 1 ? value : Math.floor(value / step) * step;
}

const LETTERS = [
  ..."abcXYZ019 _-.,;:'\"\\/%&+=?#<>{}[]()$*@!~`^|",
  "\t",
  "\n",
  "\u0001",
  "\0",
  "é",
  "ß",
  "中",
  "\u202e",
  "\ufeff",
  "🙂",
];

function textOf(schema: Schema, maker: ValueMaker, name: string): string {
  const { random } = maker;
  const known = maker.known(name);
  if (typeof known === "string" && random.chance(70) && isText(known, schema)) return known;
  const formatted = FORMATS[String(schema["format"])]?.(random).filter((text) =>
    isText(text, schema)
  );
  if (formatted) return random.pick(formatted);
  for (let tries = 0; tries < 20; tries += 1) {
    const text = freeText(schema, random);
    if (isText(text, schema)) return text;
  }
  return patternedText(schema, random);
}

/** Lengths in UTF-16 units: the shorter of two ways to count them. */
function isText(text: string, schema: Schema): boolean {
  const pattern = schema["pattern"];
  return text.length <= (sizeAt(schema, "maxLength") ?? Infinity) &&
    [...text].length >= (sizeAt(schema, "minLength") ?? 0) &&
    (typeof pattern !== "string" || patternOf(pattern).test(text));
}

function freeText(schema: Schema, random: Random): string {
  const least = sizeAt(schema, "minLength") ?? 0;
  const most = sizeAt(schema, "maxLength") ?? 40;
  const length = random.chance(5) ? most : Math.min(least + random.below(12), most);
  return Array.from({ length }, () => random.pick(LETTERS)).join("");
}

function patternedText(schema: Schema, random: Random): string {
  const pattern = String(schema["pattern"]);
  const samples = fc.sample(fc.stringMatching(patternOf(pattern)), {
    seed: random.below(1 << 30),
    numRuns: 20,
  });
  const fitting = samples.find((text) => isText(text, schema));
  if (fitting === undefined) throw new Error(`No text found for ${JSON.stringify(schema)}`);
  return fitting;
}

function patternOf(pattern: string): RegExp {
  return new RegExp(pattern, "u");
}

const FORMATS: Readonly<Record<string, (random: Random) => readonly string[]>> = {
  "date-time": () => [
    "2026-02-28T23:59:59Z",
    "2024-02-29T00:00:00.123456+05:30",
    "1970-01-01T00:00:00.5Z",
  ],
  date: () => ["2026-02-28", "2024-02-29"],
  email: (random) => [`mail${random.below(1000)}@example.com`],
  uuid: (random) => [
    `${String(random.below(10 ** 8)).padStart(8, "0")}-0000-4000-8000-000000000000`,
  ],
  uri: () => [
    "https://hooks.example.com/a?b=c#d",
    "http://example.com",
    "HTTPS://example.com:8443/%20a",
    "ftp://example.com/file",
    "mailto:ann@example.com",
    "https://ann:secret@example.com/",
    "urn:isbn:0451450523",
  ],
};

function anything(random: Random, depth: number): unknown {
  const kind = random.below(depth > 0 ? 8 : 6);
  if (kind === 6) return Array.from({ length: random.below(3) }, () => anything(random, depth - 1));
  if (kind === 7) {
    return Object.fromEntries(
      Array.from({ length: random.below(3) }, (_, at) => [`m${at}`, anything(random, depth - 1)]),
    );
  }
  return [null, true, 0, -1.5, 'a "text"\n', ""][kind];
}

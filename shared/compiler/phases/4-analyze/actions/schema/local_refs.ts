/**
 * Inlines the `$ref`s of a JSON Schema (contract 4.8). An API description contains the schema inside of another document, where
 * the references would point elsewhere.
 */
import { isJsonObject } from "../../../../../lib/json.ts";
import { uriDecoded } from "../../../../../lib/texts.ts";
import type { JsonValue } from "../../../../../model/mod.ts";

type JsonObject = { readonly [key: string]: JsonValue };

type WrittenOut =
  | { readonly kind: "written"; readonly schema: JsonObject }
  | { readonly kind: "missing"; readonly ref: string }
  /** The schema with its references inlined is larger than the limit. */
  | { readonly kind: "tooLarge" };

const PARTS_MAX = 10_000;

/** Keywords whose value contains schemas. */
export const SCHEMAS: readonly string[] = [
  "additionalProperties",
  "items",
  "not",
  "if",
  "then",
  "else",
  "contains",
  "propertyNames",
  "unevaluatedProperties",
  "unevaluatedItems",
];
export const SCHEMA_LISTS: readonly string[] = ["allOf", "anyOf", "oneOf", "prefixItems"];
export const SCHEMA_MAPS: readonly string[] = [
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
];

/** Keywords that name a schema or contain definitions. They are dropped where the schema is inlined. */
const NAMES = ["$schema", "$id", "$anchor", "$defs", "definitions"];

/** Keywords among them that define how to read the whole schema. */
const HEAD = ["$schema", "$defs"];

/**
 * Inlines the references of a schema. A recursive one becomes the open schema. The outermost schema keeps its dialect and
 * definitions, because agents get it as a document of its own (`/mcp`).
 */
export function withoutLocalRefs(schema: JsonObject): WrittenOut {
  const writer = new RefWriter(schema);
  const written = writer.write(schema, []);
  const head = writer.head();
  if (writer.fault !== null) return writer.fault;
  return { kind: "written", schema: isJsonObject(written) ? { ...head, ...written } : head };
}

class RefWriter {
  fault: Exclude<WrittenOut, { kind: "written" }> | null = null;
  readonly #root: JsonObject;
  #parts = 0;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  /** Returns the keywords that only the whole schema keeps, in its own order. */
  head(): JsonObject {
    const kept = Object.entries(this.#root).filter(([keyword]) => HEAD.includes(keyword));
    return Object.fromEntries(
      kept.map(([keyword, operand]) => [keyword, this.#operand(keyword, operand, [])]),
    );
  }

  /** Writes a schema with its references inlined; `open` lists the references that led to it. */
  write(schema: JsonValue, open: readonly string[]): JsonValue {
    this.#parts += 1;
    if (this.#parts > PARTS_MAX) this.fault ??= { kind: "tooLarge" };
    if (this.fault !== null || !isJsonObject(schema)) return schema;
    const { $ref: ref, ...rest } = this.#withoutRefs(schema, open);
    if (typeof ref !== "string") return rest;
    const target = this.#target(ref, open);
    if (Object.keys(rest).length === 0) return target;
    const beside = Array.isArray(rest.allOf) ? rest.allOf : [];
    return { ...rest, allOf: [target, ...beside] };
  }

  #withoutRefs(schema: JsonObject, open: readonly string[]): JsonObject {
    const kept = Object.entries(schema).filter(([keyword]) => !NAMES.includes(keyword));
    return Object.fromEntries(
      kept.map(([keyword, operand]) => [keyword, this.#operand(keyword, operand, open)]),
    );
  }

  #operand(keyword: string, operand: JsonValue, open: readonly string[]): JsonValue {
    if (SCHEMAS.includes(keyword)) return this.write(operand, open);
    if (SCHEMA_LISTS.includes(keyword) && Array.isArray(operand)) {
      return operand.map((one: JsonValue) => this.write(one, open));
    }
    if (!SCHEMA_MAPS.includes(keyword) || !isJsonObject(operand)) return operand;
    return Object.fromEntries(
      Object.entries(operand).map(([name, one]) => [name, this.write(one, open)]),
    );
  }

  #target(ref: string, open: readonly string[]): JsonValue {
    if (open.includes(ref)) return {};
    const target = at(this.#root, ref);
    if (target !== undefined) return this.write(target, [...open, ref]);
    this.fault ??= { kind: "missing", ref };
    return {};
  }
}

/** Returns the value at a JSON pointer in a URI fragment (RFC 6901, 6); undefined if there is none. */
function at(root: JsonObject, ref: string): JsonValue | undefined {
  const pointer = uriDecoded(ref.slice(1));
  if (pointer === "") return root;
  if (pointer === null || !pointer.startsWith("/")) return undefined;
  let found: JsonValue | undefined = root;
  for (const step of pointer.slice(1).split("/")) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) {
      return undefined;
    }
    found = new Map<string, JsonValue>(Object.entries(found)).get(name);
  }
  return typeof found === "boolean" || isJsonObject(found) ? found : undefined;
}

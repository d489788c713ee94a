/** Reads an OpenAPI description with the files to which it refers; Swagger 2.0 and OpenAPI 3.0 are converted to OpenAPI 3.1. */
import { posix } from "node:path";
import { upgrade } from "@scalar/openapi-upgrader";
import { parse } from "yaml";
import { isJsonObject, type JsonObject } from "../../../shared/lib/json.ts";
import { DraftError } from "../foreign_schema.ts";

/** Texts by path, relative to the main file's folder; the main file's path is empty. */
export type Texts = ReadonlyMap<string, string>;

/** Schema, with the file against which its references are resolved. */
export interface Placed {
  readonly path: string;
  readonly schema: JsonObject;
}

export class Documents {
  readonly #parsed = new Map<string, unknown>();
  readonly #texts: Texts;

  /** Throws `DraftError` if the main file is not a description. */
  constructor(texts: Texts) {
    this.#texts = texts;
    const description = parsedText(texts.get("") ?? "");
    const version = isJsonObject(description)
      ? String(description["openapi"] ?? description["swagger"])
      : "";
    if (!isJsonObject(description) || !/^(3\.|2\.)/.test(version)) {
      throw new DraftError(
        'It is no OpenAPI description: its "openapi" is not 3.x, and its "swagger" not 2.0',
      );
    }
    this.#parsed.set("", upgrade(description, "3.1"));
  }

  /** Returns the schemas of the main file by name. */
  schemas(): JsonObject {
    const description = this.#document("");
    const components = isJsonObject(description) ? description["components"] : null;
    const schemas = isJsonObject(components) ? components["schemas"] : null;
    return isJsonObject(schemas) ? schemas : {};
  }

  /** Returns the target of a reference, as `path#/pointer`. */
  target(ref: string, from: string): string {
    const [file = "", pointer = ""] = ref.split("#", 2);
    const path = file === "" ? from : posix.normalize(posix.join(posix.dirname(from || "."), file));
    return `${path}#${pointer}`;
  }

  /** Returns the schema at a target; null: there is none. */
  at(target: string): Placed | null {
    const [path = "", pointer = ""] = target.split("#", 2);
    let node = this.#document(path);
    for (const part of pointer.split("/").slice(1)) {
      const key = decoded(part);
      if (!isJsonObject(node) || !Object.hasOwn(node, key)) return null;
      node = node[key];
    }
    return isJsonObject(node) ? { path, schema: node } : null;
  }

  #document(path: string): unknown {
    const before = this.#parsed.get(path);
    if (before !== undefined) return before;
    const text = this.#texts.get(path);
    const document = text === undefined ? null : parsedText(text);
    this.#parsed.set(path, document);
    return document;
  }
}

function decoded(part: string): string {
  const plain = part.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(plain);
  } catch (error) {
    if (error instanceof URIError) return plain;
    throw error;
  }
}

function parsedText(text: string): unknown {
  try {
    if (/^\s*\{/.test(text)) return JSON.parse(text);
  } catch (error) {
    // YAML accepts some JSON that `JSON.parse` refuses.
    if (!(error instanceof SyntaxError)) throw error;
  }
  try {
    return parse(text, { maxAliasCount: 10_000 });
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new DraftError(`It is neither JSON nor YAML: ${reason}`);
  }
}

/** Returns paths of files to which a text refers, relative to the main file's folder. */
export function filesBeside(text: string, path: string): readonly string[] {
  const found = [...text.matchAll(/["']?\$ref["']?\s*:\s*["']?([^"'#\s,}]+)/g)].map((
    [, file = ""],
  ) => posix.normalize(posix.join(posix.dirname(path || "."), file)));
  return [...new Set(found)].filter((file) => !/^(\w+:|\/)/.test(file));
}

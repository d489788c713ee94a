/** Builds the operation objects of the document, and their `paths`. */
import type { JsonSchema } from "../../../../surface/mod.ts";

export interface PathEntry {
  /** The route's path in OpenAPI's notation, `{id}`. */
  readonly path: string;
  readonly method: string;
  readonly operation: JsonSchema;
}

/** Returns the entries grouped by path, in the order of first mention. */
export function pathsOf(entries: readonly PathEntry[]): JsonSchema {
  const paths = new Map<string, Map<string, JsonSchema>>();
  for (const { path, method, operation } of entries) {
    const item = paths.get(path) ?? new Map<string, JsonSchema>();
    item.set(method.toLowerCase(), operation);
    paths.set(path, item);
  }
  return Object.fromEntries([...paths].map(([path, item]) => [path, Object.fromEntries(item)]));
}

/** Turns `/tickets/:id` into `/tickets/{id}`. */
export function templated(path: string): string {
  return path.replace(/:([A-Za-z][A-Za-z0-9]*)/g, "{$1}");
}

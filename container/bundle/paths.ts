/** Paths in an output: relative to its root, with `/`. */
import { builtPath, RUNTIME_MODULES } from "../../shared/compiler/front.ts";

/** Path of a relative specifier as seen from a file, or the path itself for an entry; null for a bare name. */
export function relativeTo(importer: string, specifier: string): string | null {
  if (importer === "") return specifier;
  if (!/^\.{1,2}\//.test(specifier)) return null;
  // An address has no folder above its root, so none is left.
  return sourceOf(decodeURI(new URL(specifier, new URL(importer, "file:///")).pathname.slice(1)));
}

/** Folder of the carried files in an output. */
export const CARRIED_FOLDER = "src/quickback/";

const SOURCES: ReadonlyMap<string, string> = new Map(
  Object.entries(RUNTIME_MODULES).map(([name, source]) => [
    CARRIED_FOLDER + builtPath(name),
    CARRIED_FOLDER + source,
  ]),
);

/** Of a module of the runtime that an output carries built: by its source it is known. Any other path stays. */
export function sourceOf(path: string): string {
  return SOURCES.get(path) ?? path;
}

/** Paths in an output: relative to its root, with `/`. */
import { builtPath, RUNTIME_MODULES } from "../../shared/compiler/front.ts";

/** Returns the path of a relative specifier seen from a file, or of an entry; null for a bare name. */
export function relativeTo(importer: string, specifier: string): string | null {
  if (importer === "") return specifier;
  if (!/^\.{1,2}\//.test(specifier)) return null;
  // A URL has no folder above its root, so `..` cannot leave it.
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

/** Returns the source of a built runtime module, by which it is known. Any other path is returned unchanged. */
export function sourceOf(path: string): string {
  return SOURCES.get(path) ?? path;
}

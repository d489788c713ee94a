/** Paths in an output: relative to its root, with `/`. */

/** Path of a relative specifier as seen from a file, or the path itself for an entry; null for a bare name. */
export function relativeTo(importer: string, specifier: string): string | null {
  if (importer === "") return specifier;
  if (!/^\.{1,2}\//.test(specifier)) return null;
  // An address has no folder above its root, so none is left.
  return decodeURI(new URL(specifier, new URL(importer, "file:///")).pathname.slice(1));
}

/** Folder of the carried files in an output. */
export const CARRIED_FOLDER = "src/quickback/";

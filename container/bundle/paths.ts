/** Paths in an output: relative to its root, with `/`. */

/** What a relative specifier names from a file, or the path itself for an entry; null for a bare name. */
export function relativeTo(importer: string, specifier: string): string | null {
  if (importer === "") return specifier;
  if (!/^\.{1,2}\//.test(specifier)) return null;
  // An address has no folder above its root, so none is left.
  return decodeURI(new URL(specifier, new URL(importer, "file:///")).pathname.slice(1));
}

/** Where outputs have what they carry along. */
export const CARRIED_FOLDER = "src/quickback/";

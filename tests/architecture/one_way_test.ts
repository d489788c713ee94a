/** Folders whose parts import in one direction (docs/architecture.md). */
import { assertEquals } from "@std/assert";
import { resolveImport, sourcesBelow } from "./source_tree.ts";

/** Folder → its parts in the order in which data flows: each imports of the others only what stands before it. */
const FLOWS: Readonly<Record<string, readonly string[]>> = {
  "shared/compiler/phases/4-analyze": [
    "read",
    "config",
    "tables",
    "resources",
    "actions",
    "authored",
    "rules",
    "settle",
    "",
  ],
};

for (const [folder, parts] of Object.entries(FLOWS)) {
  Deno.test(`the parts of ${folder} import in one direction`, () => {
    const offences = sourcesBelow(folder).flatMap((file) => {
      const own = parts.indexOf(partOf(folder, file.path));
      return file.imports.map((specifier) => resolveImport(file.path, specifier))
        .filter((target) => target.startsWith(`${folder}/`))
        .filter((target) => own < 0 || parts.indexOf(partOf(folder, target)) > own)
        .map((target) => `${file.path} → ${target}`);
    });
    assertEquals(offences, []);
  });
}

/** Name of the folder just below; "" for a file of the folder itself. */
function partOf(folder: string, path: string): string {
  const [first = "", ...rest] = path.slice(folder.length + 1).split("/");
  return rest.length > 0 ? first : "";
}

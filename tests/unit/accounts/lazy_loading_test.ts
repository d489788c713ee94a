/** An API that is called with tokens only never pays for the account library (design: loaded on first use). */
import { assert, assertEquals } from "@std/assert";

/** Files that are loaded with this one: its static imports, and theirs; type-only imports vanish. */
async function loadedWith(file: URL, seen = new Map<string, readonly string[]>()) {
  const text = await Deno.readTextFile(file);
  const specifiers = [...text.matchAll(/^(?:import|export)\s(?!type\b)[^;]*?from\s+"([^"]+)"/gm)]
    .flatMap(([, specifier]) => specifier ?? []);
  seen.set(file.href, specifiers);
  for (const specifier of specifiers.filter((name) => name.startsWith("."))) {
    const target = new URL(specifier, file);
    if (!seen.has(target.href)) await loadedWith(target, seen);
  }
  return seen;
}

const libraryIn = (files: ReadonlyMap<string, readonly string[]>) =>
  [...files.values()].flat().filter((name) => /^@?better-auth\//.test(name));

Deno.test("the accounts' face loads nothing of the library, its lazy half does", async () => {
  const folder = new URL("../../../shared/accounts/", import.meta.url);
  const face = await loadedWith(new URL("mod.ts", folder));
  assertEquals(libraryIn(face), []);
  assert(face.size > 5);
  assert(libraryIn(await loadedWith(new URL("library.ts", folder))).length > 0);
});

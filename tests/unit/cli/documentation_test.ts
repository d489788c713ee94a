/** The documentation points at what is there. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert, assertEquals } from "@std/assert";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

for (const page of ["README.md", "docs/architecture.md", "docs/contract-map.md"]) {
  Deno.test(`every link of ${page} leads to a file or folder`, async () => {
    const links = linksOf(await Deno.readTextFile(join(ROOT, page)));
    assert(links.length > 0);
    const missing = links.filter((link) => !exists(join(ROOT, dirname(page), link)));
    assertEquals(missing, []);
  });
}

Deno.test("linksOf() sees links to files, and no addresses", () => {
  assertEquals(linksOf("[a](b/c.md) [d](https://example.com) [e](f.ts#g)"), ["b/c.md", "f.ts"]);
});

function linksOf(markdown: string): readonly string[] {
  return [...markdown.matchAll(/\]\(([^)\s]+)\)/g)]
    .flatMap((match) => match[1]?.split("#")[0] ?? [])
    .filter((link) => !link.includes("://"));
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

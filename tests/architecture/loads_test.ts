/** Every module of the pure folders loads: no value is needed before it is made, which no type check sees. */
import { assertEquals } from "@std/assert";
import { sourcesBelow } from "./source_tree.ts";

Deno.test("every module of the pure folders loads", async () => {
  const failed: string[] = [];
  for (const { path } of sourcesBelow("cli/adopt", "library/client", "proof", "shared")) {
    try {
      await import(new URL(`../../${path}`, import.meta.url).href);
    } catch (error) {
      failed.push(`${path}: ${error}`);
    }
  }
  assertEquals(failed, []);
});

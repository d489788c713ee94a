/** What the guide has Vite pass on is what the typed client calls. */
import { assert, assertEquals } from "@std/assert";
import { CONTRACT_VERSIONS } from "../../shared/contract/mod.ts";
import { readPage } from "../support/pages.ts";

Deno.test("Vite passes on every base that the client calls, in each version of the contract", async () => {
  const [, section = ""] = (await readPage("docs/client.md")).split("## Under Vite\n");
  const [block = ""] = /^```ts$[^]*?^```$/m.exec(section) ?? [];
  const passed = [...block.matchAll(/"(\/[a-z]+)":/g)].map(([, path]) => path);
  const called = Object.values(CONTRACT_VERSIONS).flatMap((version) => [
    version.apiBase,
    version.authBase,
    version.broadcastBase,
  ]).map((base) => base.replace(/^(\/[^/]+).*$/, "$1"));
  assertEquals(passed, [...new Set(called)]);
});

Deno.test("the client calls no base that Vite does not pass on", async () => {
  const [, section = ""] = (await readPage("docs/client.md")).split("## Under Vite\n");
  let count = 0;
  for (const name of ["client", "auth", "session", "subscription", "transport"]) {
    const source = await readPage(`library/client/${name}.ts`);
    // Paths in code; those in comments are examples of the same.
    for (const [, base] of source.matchAll(/[`"](\/(?:[a-z]+))\/\$\{version\}/g)) {
      assert(section.includes(`"${base}":`), `library/client/${name}.ts calls ${base}`);
      count++;
    }
  }
  assert(count >= 3, "The bases of the client were not found");
});

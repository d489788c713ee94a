/** The bundlers of a process warm up with what outputs carry, while nobody compiles (contract 4.8). */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { startBundler } from "../../../container/bundle/bundler.ts";
import { bundleGroup, warmBundler, warmUpGroups } from "../../../container/bundle/warm_up.ts";

const MODULE = 'import { gone } from "./gone.ts";\nexport const kept: number = gone;\n';

function modules(count: number): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`src/${at}.ts`, MODULE]));
}

Deno.test("a warm-up takes modules in groups of ten, and not all of a large runtime", () => {
  assertEquals(warmUpGroups({ ...modules(12), "README.md": "" }).map((group) => group.length), [
    10,
    2,
  ]);
  assertEquals(warmUpGroups(modules(400)).length, 30);
  assertEquals(warmUpGroups({}), []);
});

Deno.test("a group is bundled whole, without what it imports", async () => {
  const started = await startBundler();
  let text = "";
  const bundle: typeof started = async (options) => {
    const bundled = await started(options);
    text = bundled.outputs.map((output) => new TextDecoder().decode(output)).join("");
    return bundled;
  };
  await bundleGroup(bundle, [MODULE, MODULE, MODULE]);
  assertEquals(text.match(/kept\d* = gone/g)?.length, 3);
});

Deno.test("what does not bundle ends a group with its reason", async () => {
  const bundle = await startBundler();
  await assertRejects(
    () => bundleGroup(bundle, ["export const = 1;"]),
    Error,
    "What outputs carry does not bundle",
  );
});

Deno.test("a warm-up asks for a quiet machine before each group, and tells of its failure", async () => {
  const failed = Promise.withResolvers<Error>();
  let asked = 0;
  const files = { ...modules(15), "src/99.ts": "export const = 1;" };
  using _warming = warmBundler(files, () => Promise.resolve(void asked++), failed.resolve);
  const { message } = await failed.promise;
  assert(message.startsWith("The bundler's warm-up ended: "), message);
  assertEquals(asked, 2);
});

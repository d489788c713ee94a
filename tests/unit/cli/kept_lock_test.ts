/** Compiling to where a lock stands already: what Deno added for the author's own dependencies stays. */
import { join } from "node:path";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { CommandError } from "../../../cli/exit_codes.ts";
import { compileFolder, compileInMemory } from "../../../cli/compile_folder.ts";
import { differencesOf, isSame } from "../../../cli/verify_output.ts";
import { withTempFolder } from "../../support/temp_folder.ts";

const CONFIG = `export default {
  name: "kept",
  build: { dependencies: { "@acme/tools": "^3" } },
};
`;

/** As Deno adds it at a start; the line goes after those that stand before it in the alphabet. */
function withOwn(lock: string): string {
  const [specifiers = "", npm = ""] = lock.split('  "npm": {\n');
  return specifiers.replace(
    '"specifiers": {\n',
    '"specifiers": {\n    "npm:@acme/tools@^3": "3.1.4",\n',
  ) +
    '  "npm": {\n    "@acme/tools@3.1.4": {\n      "integrity": "sha512-tools"\n    },\n' +
    npm.replace(
      '"dependencies": [\n      "npm:',
      '"dependencies": [\n      "npm:@acme/tools@^3",\n      "npm:',
    );
}

Deno.test("what Deno added to an output's lock outlives the next compile, and is no difference", () =>
  withProject(async ({ folder, out }) => {
    await compiled({ folder, out });
    const emitted = await lockIn(out);
    const grown = withOwn(emitted);
    await Deno.writeTextFile(join(out, "deno.lock"), grown);
    assert(await isAsCompiled({ folder, out }));
    await compiled({ folder, out });
    assertEquals(await lockIn(out), grown);
    await Deno.writeTextFile(join(out, "deno.lock"), emitted);
    assert(await isAsCompiled({ folder, out }));
  }));

Deno.test("an edited lock is found, and the next compile mends it", () =>
  withProject(async ({ folder, out }) => {
    await compiled({ folder, out });
    const grown = withOwn(await lockIn(out));
    const hono = /"hono@[\d.]+": \{\s+"integrity": "/;
    await Deno.writeTextFile(join(out, "deno.lock"), grown.replace(hono, "$&sha512-other"));
    const { written } = await compileInMemory({ folder, out });
    assertEquals((await differencesOf(out, written)).edited, ["deno.lock"]);
    await compiled({ folder, out });
    assertEquals(await lockIn(out), grown);
  }));

Deno.test("a new output begins with the lock that the project keeps", () =>
  withProject(async ({ folder, out }) => {
    await compiled({ folder, out });
    const grown = withOwn(await lockIn(out));
    await Deno.writeTextFile(join(folder, "deno.lock"), grown);
    const fresh = join(folder, "fresh");
    await compiled({ folder, out: fresh });
    assertEquals(await lockIn(fresh), grown);
    assertEquals(await lockIn(folder), grown);
  }));

Deno.test("a lock that no compile has written is not in the way", () =>
  withProject(async ({ folder, out }) => {
    await Deno.mkdir(out);
    await Deno.writeTextFile(join(out, "deno.lock"), '{\n  "version": "5"\n}\n');
    await compiled({ folder, out });
    assert((await lockIn(out)).includes('"hono@'));
  }));

Deno.test("a lock that cannot be read is left as it is", () =>
  withProject(async ({ folder, out }) => {
    await compiled({ folder, out });
    await Deno.writeTextFile(join(out, "deno.lock"), "<<<<<<< ours\n");
    await assertRejects(() => compiled({ folder, out }), CommandError, "no lock file");
    assertEquals(await lockIn(out), "<<<<<<< ours\n");
  }));

interface Folders {
  readonly folder: string;
  readonly out: string;
}

function withProject(test: (folders: Folders) => Promise<void>): Promise<void> {
  return withTempFolder(async (folder) => {
    await Deno.mkdir(join(folder, "quickback"));
    await Deno.writeTextFile(join(folder, "quickback", "quickback.config.ts"), CONFIG);
    await test({ folder, out: join(folder, "out") });
  });
}

async function compiled(folders: Folders): Promise<void> {
  const { kind, findings } = await compileFolder({ ...folders, force: false, checksBundle: false });
  assertEquals([kind, findings.errors.length], ["compiled", 0]);
}

async function isAsCompiled(folders: Folders): Promise<boolean> {
  const { written } = await compileInMemory(folders);
  return isSame(await differencesOf(folders.out, written));
}

function lockIn(folder: string): Promise<string> {
  return Deno.readTextFile(join(folder, "deno.lock"));
}

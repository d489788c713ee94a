/** Outputs that run built modules: what stands beside what, and that they are the sources in another form (docs/decisions/package.md). */
import { assert, assertEquals } from "@std/assert";
import { withBuiltRuntime } from "../../../container/built_runtime.ts";
import { readCompileHost } from "../../../container/host.ts";
import {
  builtPath,
  compile,
  type CompileHost,
  type RawFiles,
  RUNTIME_MODULES,
  VERSION,
} from "../../../shared/compiler/mod.ts";
import { projectFiles } from "../../support/sample_files.ts";
import { withTempFolder } from "../../support/temp_folder.ts";

const HOST = readCompileHost({ version: VERSION });
const BUILT_HOST = await withBuiltRuntime(HOST);
const HELPDESK = await projectFiles(new URL("../../../examples/helpdesk/", import.meta.url));
const CONFIG = "quickback/quickback.config.ts";
const CARRIED = "src/quickback/";
const BUILT = `${CARRIED}built/`;

function outputOf(host: CompileHost, files: RawFiles = HELPDESK): ReadonlyMap<string, string> {
  const result = compile(files, host, { readsSchemas: true });
  assert(result.ok, JSON.stringify(result));
  return new Map(result.files.map(({ path, content }) => [path, content]));
}

const SOURCES = outputOf(HOST);
const OUTPUT = outputOf(BUILT_HOST);

Deno.test("built modules stand beside the same sources, and change nothing but imports", () => {
  const added = [...OUTPUT.keys()].filter((path) => !SOURCES.has(path));
  assert(added.length > 0 && added.every((path) => path.startsWith(BUILT)), added.join());
  assertEquals([...SOURCES.keys()].filter((path) => !OUTPUT.has(path)), []);
  const withoutImports = (text = "") =>
    text.replaceAll(/^(.*(?:from|declare module) "(?:\.\.?\/)+quickback\/)[^"]*"/gm, "$1");
  const other = [...SOURCES].filter(([path, text]) =>
    withoutImports(text) !== withoutImports(OUTPUT.get(path))
  );
  assertEquals(other.map(([path]) => path), ["README.md", "deno.json"]);
});

Deno.test("every name of the runtime stands for a built module that has its source's types", () => {
  const { imports } = JSON.parse(OUTPUT.get("deno.json") ?? "");
  for (const [name, source] of Object.entries(RUNTIME_MODULES)) {
    const path = `${CARRIED}${builtPath(name)}`;
    // Generated modules import some by their path alone.
    assertEquals(imports[name] ?? `./${path}`, `./${path}`);
    const types = /^\/\/ @ts-self-types="(.+)"\n/.exec(OUTPUT.get(path) ?? "")?.[1];
    assertEquals(new URL(types ?? "", `file:///${path}`).pathname, `/${CARRIED}${source}`);
  }
});

Deno.test("built modules import each other and packages that the output pins", () => {
  const { imports } = JSON.parse(OUTPUT.get("deno.json") ?? "");
  const names = Object.keys(imports);
  for (const [path, text] of OUTPUT) {
    if (!path.startsWith(BUILT)) continue;
    for (const [, name = ""] of text.matchAll(/(?:^import |\bfrom |\bimport\()"([^"\n]+)"/gm)) {
      const isFile = name.startsWith(".") &&
        OUTPUT.has(new URL(name, `file:///${path}`).pathname.slice(1));
      const isPinned = names.some((known) => name === known || name.startsWith(`${known}/`));
      assert(isFile || isPinned || name.startsWith("node:"), `${path} imports ${name}`);
    }
  }
});

Deno.test("a built module exports what its source does, and shares one copy of what both import", () =>
  withTempFolder(async (folder) => {
    for (const [path, text] of OUTPUT) {
      if (!path.startsWith(BUILT)) continue;
      await Deno.mkdir(`${folder}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
      await Deno.writeTextFile(`${folder}/${path}`, text);
    }
    const built = (name: string): Promise<Readonly<Record<string, unknown>>> =>
      import(`file://${folder}/${CARRIED}${builtPath(name)}`);
    for (
      const name of ["quickback", "quickback/accounts", "quickback/platform", "quickback/runtime"]
    ) {
      assertEquals(Object.keys(await built(name)), Object.keys(await import(name)), name);
    }
    const { defineAction } = await built("quickback/authoring/action");
    assert(typeof defineAction === "function");
    assertEquals((await built("quickback"))["defineAction"], defineAction);
  }));

Deno.test("equal sources give the same modules, and what a worker is bundled from stays sources", async () => {
  assertEquals((await withBuiltRuntime(HOST)).built, BUILT_HOST.built);
  const worker = {
    ...HELPDESK,
    [CONFIG]: (HELPDESK[CONFIG] ?? "").replace(
      /defineRuntime\("deno"\)/,
      'defineRuntime("cloudflare")',
    ),
  };
  const paths = [...outputOf(BUILT_HOST, worker).keys()];
  assert(paths.includes("src/worker.ts") && paths.includes(`${CARRIED}runtime/mod.ts`));
  assertEquals(paths.filter((path) => path.startsWith(BUILT)), []);
});

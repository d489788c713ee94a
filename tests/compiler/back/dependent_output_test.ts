/** Outputs that depend on the package: what they leave out, whom they name, and who gets the sources all the same. */
import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { readCompileHost } from "../../../container/host.ts";
import { packageIntegrity } from "../../../container/package_entry.ts";
import {
  compile,
  type CompileRequest,
  PACKAGE_SPECIFIER,
  type RawFiles,
  readDenoLock,
  VERSION,
} from "../../../shared/compiler/mod.ts";
import { projectFiles } from "../../support/sample_files.ts";
import { withTempFolder } from "../../support/temp_folder.ts";

const INTEGRITY = "sha512-AAAA";
const HOST = readCompileHost({ version: VERSION, integrity: INTEGRITY });
const HELPDESK = await projectFiles(new URL("../../../examples/helpdesk/", import.meta.url));
const CONFIG = "quickback/quickback.config.ts";

function outputOf(files: RawFiles, request: CompileRequest = {}): ReadonlyMap<string, string> {
  const result = compile(files, HOST, { readsSchemas: true, ...request });
  assert(result.ok, JSON.stringify(result));
  return new Map(result.files.map(({ path, content }) => [path, content]));
}

const CARRYING = outputOf(HELPDESK);
const DEPENDENT = outputOf(HELPDESK, { vendor: false });

Deno.test("an output carries the runtime unless it is told not to", () => {
  assert(CARRYING.has("src/quickback/runtime/mod.ts"));
  assertEquals([...DEPENDENT.keys()].filter((path) => path.startsWith("src/quickback/")), []);
  const own = [...CARRYING.keys()].filter((path) => !path.startsWith("src/quickback/"));
  assertEquals([...DEPENDENT.keys()], own);
});

Deno.test("a dependent output imports the package and nothing that it does not have", () => {
  const names = new Set(Object.keys(importsIn(DEPENDENT)));
  for (const [path, content] of DEPENDENT) {
    if (!path.endsWith(".ts")) continue;
    for (const [, name = ""] of content.matchAll(/(?:from|^import|module) "([^"]+)"/gm)) {
      const first = name.split("/").slice(0, name.startsWith("@") ? 2 : 1).join("/");
      const isFile = name.startsWith(".") &&
        DEPENDENT.has(new URL(name, `file:///${path}`).pathname.slice(1));
      assert(
        first.startsWith("node:") || isFile || names.has(name) || names.has(first),
        `${path} imports ${name}`,
      );
    }
  }
});

Deno.test("a dependent output names the package at its exact version, and its archive", () => {
  assertEquals(importsIn(DEPENDENT).quickback, `npm:quickback@${VERSION}`);
  assertEquals(importsIn(DEPENDENT).quickback, PACKAGE_SPECIFIER);
  const lock = readDenoLock(DEPENDENT.get("deno.lock") ?? "");
  const locked = lock?.packages.get(`quickback@${VERSION}`);
  assertEquals(locked?.integrity, INTEGRITY);
  const names = (locked?.dependencies ?? []).map(({ name }) => name);
  assert(names.includes("libsql") && !names.includes("deno"), names.join());
  assertEquals(CARRYING.get("deno.lock")?.includes("quickback"), false);
  // Deno takes no other package on the day of its release.
  const ageOf = (output: ReadonlyMap<string, string>) =>
    JSON.parse(output.get("deno.json") ?? "{}").minimumDependencyAge;
  assertEquals([ageOf(DEPENDENT), ageOf(CARRYING)], [{ exclude: ["npm:quickback"] }, undefined]);
});

Deno.test("an archive that nobody knows is left to the registry", () => {
  const host = readCompileHost({ version: VERSION });
  const result = compile(HELPDESK, host, { readsSchemas: true, vendor: false });
  assert(result.ok);
  const text = result.files.find(({ path }) => path === "deno.lock")?.content ?? "";
  assertEquals(readDenoLock(text)?.packages.get(`quickback@${VERSION}`)?.integrity, null);
});

Deno.test("build.vendor and Cloudflare get the sources, whoever compiles", () => {
  const changes = [
    ["openapi:", "build: { vendor: true },\n  openapi:"],
    ['defineRuntime("deno")', 'defineRuntime("cloudflare")'],
  ] as const;
  for (const [given, said] of changes) {
    const config = (HELPDESK[CONFIG] ?? "").replace(given, said);
    assert(config.includes(said));
    const output = outputOf({ ...HELPDESK, [CONFIG]: config }, { vendor: false });
    assert(output.has("src/quickback/runtime/mod.ts"), said);
    assertEquals(importsIn(output).quickback, "./src/quickback/authoring/mod.ts");
  }
});

Deno.test("packageIntegrity() reads what npm noted beside the package, or Deno", () =>
  withTempFolder(async (folder) => {
    const write = async (path: string, value: unknown) => {
      await Deno.mkdir(join(folder, path, ".."), { recursive: true });
      await Deno.writeTextFile(join(folder, path), JSON.stringify(value));
    };
    const integrity = "sha512-BBBB";
    await write("a/node_modules/.package-lock.json", {
      packages: { "node_modules/quickback": { version: VERSION, integrity } },
    });
    await write("b/quickback/registry.json", { versions: { [VERSION]: { dist: { integrity } } } });
    await write("c/node_modules/.package-lock.json", { packages: {} });
    const program = "e/.quickback";
    await write(`${program}/deno.lock`, {
      version: "5",
      specifiers: {},
      npm: { [`quickback@${VERSION}_jose@6.2.17`]: { integrity } },
    });
    const found = (path: string) => packageIntegrity(join(folder, path));
    assertEquals(await found("a/node_modules/quickback"), integrity);
    assertEquals(await found(`b/quickback/${VERSION}`), integrity);
    const inside = `${program}/node_modules/.deno/quickback@${VERSION}/node_modules/quickback`;
    assertEquals(await found(inside), integrity);
    assertEquals(await found("c/node_modules/quickback"), null);
    assertEquals(await found("d/elsewhere"), null);
  }));

function importsIn(output: ReadonlyMap<string, string>): Readonly<Record<string, string>> {
  return JSON.parse(output.get("deno.json") ?? "{}").imports;
}

/** Generated modules that the bundle check need not read (contract 4.8). */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { type BundledCompilation, checkBundle } from "../../../container/bundle/bundle_check.ts";
import { type Bundle, startBundler } from "../../../container/bundle/bundler.ts";
import {
  GeneratedModules,
  readGeneratedText,
} from "../../../container/bundle/generated_modules.ts";
import { ImportGraph, projectPlugin } from "../../../container/bundle/project_plugin.ts";
import { ModuleCatalogue } from "../../../container/bundle/module_catalogue.ts";
import { readCompileHost } from "../../../container/host.ts";
import {
  compile,
  type GeneratedFile,
  type RawFiles,
  type Target,
  TARGETS,
} from "../../../shared/compiler/mod.ts";
import { seededRandom } from "../../support/random.ts";
import { projectFiles } from "../../support/sample_files.ts";

const HOST = readCompileHost({ version: "0.0.0" });
const HELPDESK = await projectFiles(new URL("../../../examples/helpdesk/", import.meta.url));
const CONFIG = "quickback/quickback.config.ts";
const RUNTIME = 'runtime: defineRuntime("deno")';
const PLATFORMS = ["deno", "cloudflare"] as const;
type Platform = typeof PLATFORMS[number];
const COMPILED = { deno: compiled("deno"), cloudflare: compiled("cloudflare") };

/** The bundler has a life of its own between two tests. */
const SHARED = { sanitizeOps: false, sanitizeResources: false };

function test(name: string, fn: () => Promise<void>): void {
  Deno.test({ name, fn, ...SHARED });
}

const TEXTS: readonly { text: string; exports: readonly string[]; needs?: readonly string[] }[] = [
  { text: 'export const a = text("a");', exports: ["a"] },
  { text: "export async function a() {}\nexport class B {}", exports: ["a", "B"] },
  { text: "export type A = string;\nexport interface B {\n  a: string;\n}", exports: [] },
  { text: 'import "./a.ts";', exports: [], needs: ["./a.ts"] },
  { text: 'import {\n  a,\n  type B,\n  c as d,\n} from "x";', exports: [], needs: ["x a c"] },
  { text: 'import type * as a from "x";\nimport { type B } from "y";', exports: [] },
  {
    text: 'import a from "./a.json" with { type: "json" };',
    exports: [],
    needs: ["./a.json default"],
  },
  { text: 'export { a as b } from "x";', exports: ["b"], needs: ["x a"] },
  { text: 'export * as a from "x";', exports: ["a"], needs: ["x"] },
  { text: "const a = sql`null`;\nexport const b = `${a}`;", exports: ["b"] },
];

for (const { text, exports, needs = [] } of TEXTS) {
  Deno.test(`what '${text.replaceAll("\n", " ")}' imports and exports is told by its lines`, () => {
    const told = readGeneratedText(text);
    assert(told !== null);
    assertEquals(told.exports, exports);
    const imports = told.imports.map(({ specifier, names }) => [specifier, ...names].join(" "));
    assertEquals(imports, needs);
  });
}

Deno.test("a text with anything that its lines do not tell is left to the bundler", () => {
  const texts = [
    'import * as a from "x";',
    'const a = import("x");',
    'const a = require("x");',
    'import a, { b } from "x";',
    "import a from 'x';",
    "export default 1;",
    "export const { a } = b;",
    "export { a };",
    "export enum A {}",
    "const a = `\nexport const b = 1;\n`;",
  ];
  assertEquals(texts.filter((text) => readGeneratedText(text) !== null), []);
});

for (const platform of PLATFORMS) {
  test(`generated modules for ${platform} export what the bundler finds in them`, async () => {
    const { files } = COMPILED[platform];
    const generated = generatedModules(files);
    const paths = files.flatMap(({ path }) =>
      path.startsWith("src/") && !path.startsWith("src/quickback/") && path.endsWith(".ts") &&
        generated.exportsOf(path) !== null
        ? [path]
        : []
    );
    for (const path of ["src/project.ts", "src/schema/mod.ts", "src/resources/tickets.ts"]) {
      assert(paths.includes(path), `${path} has to be read`);
    }
    assertEquals(
      Object.fromEntries(
        paths.map((path) => [path, [...generated.exportsOf(path) ?? []].toSorted()]),
      ),
      await bundledExports(platform, paths),
    );
  });

  const FAULTS: readonly { path: string; from: string; to: string }[] = [
    { path: "src/schema/tickets.ts", from: "import { sql }", to: "import { sqll as sql }" },
    { path: "src/schema/tickets.ts", from: '"drizzle-orm"', to: '"drizzle-ormm"' },
    { path: "src/project.ts", from: "{ tickets }", to: "{ tickettts as tickets }" },
    { path: "src/resources/tickets.ts", from: "model/table_spec", to: "model/table_specc" },
    {
      path: "src/services.ts",
      from: "export const",
      to: 'import "node:child_process";\nexport const',
    },
    { path: "src/services.ts", from: "export const", to: 'import("./nope.ts");\nexport const' },
  ];
  for (const { path, from, to } of FAULTS) {
    test(`'${to.split("\n")[0]}' in ${path} for ${platform} is refused as code of ours`, async () => {
      const { model, files } = COMPILED[platform];
      const changed = files.map((file) =>
        file.path === path ? { ...file, content: file.content.replace(from, to) } : file
      );
      assert(changed.some(({ content }, at) => content !== files[at]?.content));
      await assertRejects(
        () => checked({ model, files: changed }, { platform }),
        Error,
        `The bundle check refuses generated code at ${path}:`,
      );
    });
  }
}

test("the bundle of a small project is not counted byte by byte, one near a limit is", async () => {
  const { size } = TARGETS.cloudflare;
  assert(size !== null);
  let bundles = 0;
  const bundler = await startBundler();
  const bundle: Bundle = (options) => {
    bundles++;
    return bundler(options);
  };
  const project = COMPILED.cloudflare;
  const near = { ...size, smallPlanMax: size.carried + 1 };
  assertEquals(await checked(project, { platform: "cloudflare", bundle }), NOTHING);
  assertEquals(bundles, 1);
  assertEquals(await checked(project, { platform: "cloudflare", bundle, size: near }), NOTHING);
  assertEquals(bundles, 3);
});

test("what generated modules weigh is counted, too", async () => {
  const found: string[] = [];
  for (const bytes of [1_400_000, 2_900_000]) {
    const { model, files } = COMPILED.cloudflare;
    const text = `export const authored = { text: "${incompressible(bytes)}" };\n`;
    const { errors, warnings } = await checked(
      {
        model,
        files: files.map((file) =>
          file.path === "src/services.ts" ? { ...file, content: text } : file
        ),
      },
      { platform: "cloudflare" },
    );
    found.push([...errors, ...warnings].map(({ code }) => code).join());
  }
  assertEquals(found, ["", "BUNDLE_NEEDS_LARGER_PLAN"]);
});

const NOTHING = { errors: [], warnings: [] };

function compiled(platform: Platform) {
  const config = HELPDESK[CONFIG] ?? "";
  assert(config.includes(RUNTIME));
  const files: RawFiles = {
    ...HELPDESK,
    [CONFIG]: config.replace(RUNTIME, `runtime: { name: "${platform}" }`),
  };
  const result = compile(files, HOST);
  assert(result.ok, JSON.stringify(result));
  return result;
}

interface Checking {
  readonly platform: Platform;
  readonly bundle?: Bundle;
  readonly size?: Target["size"];
}

async function checked(
  compilation: BundledCompilation,
  { platform, bundle: given, size = TARGETS[platform].size }: Checking,
) {
  const bundle = given ?? await startBundler();
  const target = { ...TARGETS[platform], size };
  const { catalogue, template } = installed(platform, bundle);
  return await checkBundle(compilation, { bundle, target, catalogue, template });
}

function installed(platform: Platform, bundle: Bundle) {
  const cloudflare = HOST.platforms?.cloudflare;
  assert(cloudflare !== undefined);
  const carried = { ...HOST.vendored, ...cloudflare.vendored };
  const target = TARGETS[platform];
  const catalogue = new ModuleCatalogue({ bundle, target, carried, pins: HOST.imports });
  const template = platform === "deno" ? HOST.template : cloudflare.template;
  return { catalogue, template: new Set(Object.keys(template)) };
}

/** None of the modules in question is imported by a bare name. */
function generatedModules(files: readonly GeneratedFile[]): GeneratedModules {
  const byPath = new Map(files.map((file) => [file.path, file]));
  return new GeneratedModules({ files: byPath, aliases: new Map() });
}

/** What they export, sorted, as the bundler reads it in the modules themselves. */
async function bundledExports(
  platform: Platform,
  paths: readonly string[],
): Promise<Readonly<Record<string, readonly string[]>>> {
  const { files } = COMPILED[platform];
  const bundle = await startBundler();
  const plugin = projectPlugin({
    files: new Map(files.map((file) => [file.path, file])),
    target: TARGETS[platform],
    aliases: new Map(),
    listed: new Set(),
    isTemplate: () => false,
    catalogue: installed(platform, bundle).catalogue,
    generated: null,
    graph: new ImportGraph(),
  });
  const entries = Object.fromEntries(paths.map((path, at) => [`entry${at}`, path]));
  const { metafile, errors } = await bundle({ entries, plugin });
  assert(metafile !== null, errors[0]?.text);
  return Object.fromEntries(
    Object.values(metafile.outputs).flatMap(({ entryPoint, exports }) =>
      entryPoint === undefined ? [] : [[entryPoint.replace("project:", ""), exports.toSorted()]]
    ),
  );
}

function incompressible(length: number): string {
  const random = seededRandom(1);
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return Array.from({ length }, () => letters[random.below(letters.length)]).join("");
}

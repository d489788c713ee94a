/** The bundle check of projects for servers: what it finds, and where it says so (contract 4.8). */
import { assert, assertEquals } from "@std/assert";
import { bundleChecks } from "../../../container/bundle/bundle_check.ts";
import { readCompileHost } from "../../../container/host.ts";
import { startNativeBundleCheck } from "../../../container/native_bundle_check.ts";
import { compile, type Diagnostic, type RawFiles } from "../../../shared/compiler/mod.ts";
import { projectFiles } from "../../support/sample_files.ts";

const HOST = readCompileHost({ version: "0.0.0" });
const NATIVE = await startNativeBundleCheck(HOST);
/** Those of the container and of a browser, and those of the command line. */
const CHECKS = [bundleChecks(HOST), NATIVE.check];

Deno.test.afterAll(async () => await NATIVE[Symbol.asyncDispose]());
const EXAMPLES = new URL("../../../examples/", import.meta.url);
const HELPDESK = await projectFiles(new URL("helpdesk/", EXAMPLES));
const CONFIG = "quickback/quickback.config.ts";
const ACTION = "quickback/features/tickets/actions/resolve.ts";
const LIB = "quickback/features/tickets/lib/more.ts";

/** The bundler has a life of its own between two tests. */
const SHARED = { sanitizeOps: false, sanitizeResources: false };

function test(name: string, fn: () => Promise<void>): void {
  Deno.test({ name, fn, ...SHARED });
}

for (const { name } of Deno.readDirSync(EXAMPLES)) {
  for (const runtime of ["deno", "cloudflare"]) {
    test(`example '${name}' bundles for ${runtime}`, async () => {
      const files = await projectFiles(new URL(`${name}/`, EXAMPLES));
      assertEquals(await findingsIn(on(runtime, files)), { errors: [], warnings: [] });
    });
  }
}

interface Case {
  readonly says: string;
  /** Stands before the text of an action. */
  readonly first: string;
  /** What is found underlined: `code text`. */
  readonly found: readonly string[];
  readonly runtime?: "deno" | "cloudflare";
  readonly more?: RawFiles;
}

const CASES: readonly Case[] = [
  {
    says: "a name that a package does not export",
    first: 'import { eqq, eq as gleich } from "drizzle-orm"; /* äöü */ gleich(eqq, 1);',
    found: ['BUNDLE_EXPORT_MISSING "drizzle-orm" has no export "eqq" @eqq'],
  },
  {
    says: "a member of a namespace, as a warning",
    first: 'import * as zod from "zod"; zod.strng();',
    found: ['BUNDLE_MEMBER_MISSING "zod" has no export "strng", so it is always undefined @strng'],
  },
  {
    says: "a path that a package does not have",
    first: 'import "hono/nope";',
    found: ['BUNDLE_IMPORT_UNRESOLVED Import "hono/nope" leads to nothing @"hono/nope"'],
  },
  {
    says: "a part of a package that needs what is not there",
    first: 'import "drizzle-orm/node-postgres";',
    found: [
      'BUNDLE_IMPORT_UNRESOLVED Import "drizzle-orm/node-postgres" leads to nothing ' +
      `(${ACTION} → drizzle-orm/node-postgres → pg) @"drizzle-orm/node-postgres"`,
    ],
  },
  {
    says: "a subprocess",
    first: 'import { spawn } from "node:child_process"; spawn; new Deno.Command("ls");',
    found: [
      'BUNDLE_HOST_MODULE Module "node:child_process" does not run on Deno Deploy @"node:child_process"',
      'BUNDLE_HOST_MEMBER "Deno.Command" does not run on Deno Deploy @Deno.Command',
    ],
  },
  {
    says: "files, on Workers, with the way they came",
    runtime: "cloudflare",
    first: 'import "../lib/more.ts"; globalThis.Deno.readFile("x");',
    more: { [LIB]: 'import "node:fs";\n' },
    found: [
      'BUNDLE_HOST_MEMBER "Deno.readFile" does not run on Cloudflare Workers @globalThis.Deno.readFile',
      'BUNDLE_HOST_MODULE Module "node:fs" does not run on Cloudflare Workers ' +
      `(${ACTION} → ${LIB} → node:fs) @"node:fs"`,
    ],
  },
  {
    says: "no files on a server",
    first: 'import { readFileSync } from "node:fs"; readFileSync; Deno.readFile("x");',
    found: [],
  },
  {
    says: "a name that only looks like the platform's",
    runtime: "cloudflare",
    first: "const Deno = { readFile: () => 1 }; Deno.readFile();",
    found: [],
  },
  {
    says: "modules that Workers have",
    runtime: "cloudflare",
    first:
      'import { createHash } from "node:crypto"; import { Buffer } from "node:buffer"; createHash; Buffer;',
    found: [],
  },
  {
    says: "require()",
    first: 'require("node:fs");',
    found: ['BUNDLE_REQUIRE require("node:fs") does not exist in a module @"node:fs"'],
  },
  {
    says: "a text that is no module",
    first: 'import secret from "../lib/secret.txt"; secret;',
    more: { "quickback/features/tickets/lib/secret.txt": "hidden" },
    found: [
      'BUNDLE_NOT_CODE File "../lib/secret.txt" cannot be imported: it is no module @"../lib/secret.txt"',
    ],
  },
  {
    says: "JSON that is not asked for as such",
    first: 'import data from "../lib/data.json"; data;',
    more: { "quickback/features/tickets/lib/data.json": "{}" },
    found: [
      'BUNDLE_NOT_CODE File "../lib/data.json" cannot be imported: it is no module @"../lib/data.json"',
    ],
  },
  {
    says: "nothing in JSON that is",
    first: 'import data from "../lib/data.json" with { type: "json" }; data;',
    more: { "quickback/features/tickets/lib/data.json": "{}" },
    found: [],
  },
  {
    says: "what JavaScript refuses",
    first: "const fixed = 1; fixed = 2;",
    found: ['BUNDLE_INVALID Cannot assign to "fixed" because it is a constant @fixed'],
  },
];

for (const { says, first, found, runtime = "deno", more = {} } of CASES) {
  test(`the bundle check of ${runtime} finds ${says}`, async () => {
    const files = on(runtime, { ...HELPDESK, ...more, [ACTION]: `${first}\n${HELPDESK[ACTION]}` });
    for (const vendor of [true, false]) {
      const { errors, warnings } = await findingsIn(files, vendor);
      assertEquals(
        [...errors, ...warnings].map((one) =>
          `${one.code} ${one.message} @${underlined(one, files)}`
        ),
        found,
      );
    }
  });
}

test("packages that the author lists are left to where they are installed", async () => {
  const files = {
    ...HELPDESK,
    [CONFIG]: (HELPDESK[CONFIG] ?? "").replace(
      "openapi:",
      'build: { dependencies: { "date-fns": "^4.1.0" } },\n  openapi:',
    ),
    [ACTION]: `import { addDays } from "date-fns"; addDays;\n${HELPDESK[ACTION]}`,
  };
  assertEquals(await findingsIn(files), { errors: [], warnings: [] });
});

async function findingsIn(files: RawFiles, vendor = true) {
  const result = compile(files, HOST, { vendor });
  assert(result.ok, JSON.stringify(result));
  const [found, other] = await Promise.all(CHECKS.map((check) => check(result)));
  assertEquals(found, other, "the WebAssembly bundler and the native one differ");
  assert(found);
  return found;
}

/** The project for another platform. */
function on(runtime: string, files: RawFiles): RawFiles {
  const provider = `runtime: { name: "${runtime}" },`;
  const config = (files[CONFIG] ?? "").replace(/runtime: defineRuntime\("\w+"\),/, "");
  return {
    ...files,
    [CONFIG]: config.includes("providers: {")
      ? config.replace("providers: {", `providers: { ${provider}`)
      : config.replace(/export default (defineConfig\()?\{/, `$& providers: { ${provider} },`),
  };
}

function underlined({ place }: Diagnostic, files: RawFiles): string {
  const line = (files[place.file] ?? "").split("\n")[place.line - 1] ?? "";
  return line.slice(place.column - 1, place.column - 1 + place.length);
}

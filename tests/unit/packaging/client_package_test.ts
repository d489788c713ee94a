/** `@quickback/client` as somebody installs it: from its archive, into an empty folder, without a registry. */
import { join, relative } from "node:path";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { build, stop } from "esbuild";
import ts from "typescript";
import { clientTypes } from "../../../shared/compiler/phases/6-emit/client_types/client_types.ts";
import { packClient } from "../../../tools/packaging/pack.ts";
import { withAccountsApi } from "../../support/accounts_api.ts";
import { type Compiled, withCompiled } from "../../support/compiled_actions.ts";
import { installed } from "../../support/installed.ts";
import { projectFiles } from "../../support/sample_files.ts";
import { withTempFolder } from "../../support/temp_folder.ts";

const npm = installed(["/usr/bin/npm", "/usr/local/bin/npm"], "npm");
const node = installed(["/usr/bin/node", "/usr/local/bin/node"], "Node");
const EMPTY = new URL("../../../examples/empty/", import.meta.url);
const FILES = await projectFiles(EMPTY);
const README = new URL("../../../library/client/README.md", import.meta.url);

Deno.test({
  name: "the client's own package",
  ignore: npm === null || node === null,
  // The bundler is a process, which ends with its last user.
  sanitizeOps: false,
  sanitizeResources: false,
  fn: (t) =>
    withTempFolder((folder) =>
      withCompiled(FILES, async (project) => {
        const archive = await packClient(join(folder, "dist"));
        const work = join(folder, "work");
        await Deno.mkdir(work);
        await Deno.writeTextFile(join(work, "client.d.ts"), clientTypes(project.model));
        await t.step(
          "npm installs one package of some tens of kB, without a registry",
          () => installs(archive, work),
        );
        await t.step("its README's program runs against an API", () => runs(work, project));
        await t.step("its README's programs have the types of that API", () => typed(work));
        await t.step("a bundler makes a module for browsers of it", () => bundles(work));
      })
    ),
});

async function installs(archive: string, work: string): Promise<void> {
  await Deno.writeTextFile(join(work, "package.json"), '{ "type": "module", "private": true }\n');
  const args = ["install", "--offline", "--no-audit", "--no-fund", archive];
  await ran(npm ?? "", args, work);
  const { packages } = JSON.parse(
    await Deno.readTextFile(join(work, "node_modules/.package-lock.json")),
  );
  assertEquals(Object.keys(packages), ["node_modules/@quickback/client"]);
  const files = filesIn(join(work, "node_modules/@quickback/client"));
  const bytes = files.reduce((sum, path) => sum + Deno.statSync(path).size, 0);
  assert(bytes < 100_000, `${bytes} bytes`);
  const own = files.map((path) => relative(join(work, "node_modules/@quickback/client"), path));
  assertEquals(own.filter((path) => !/^(?:types\/\w+\.d\.ts|\w+\.js)$/.test(path)).toSorted(), [
    "LICENSE",
    "README.md",
    "package.json",
  ]);
  for (const path of files) {
    const text = await Deno.readTextFile(path);
    const imported = [...text.matchAll(/(?:from|import) "([^"]+)"|import\("([^"]+)"\)/g)];
    const names = imported.map(([, name, late]) => name ?? late ?? "");
    const foreign = names.filter((name) => !name.startsWith("./"));
    assertEquals(path.endsWith(".md") ? [] : foreign, []);
  }
}

/** The programs of the README, in their order. */
async function programs(): Promise<readonly string[]> {
  const text = await Deno.readTextFile(README);
  const found = [...text.matchAll(/^```js\n([^]*?)^```$/gm)].map(([, program = ""]) => program);
  assertEquals(found.length, 2);
  return found;
}

async function runs(work: string, { model, code }: Compiled): Promise<void> {
  const [program = ""] = await programs();
  await withAccountsApi(async (api) => {
    // The address that a person's API has in development, as far as the port is free.
    await using server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      (request) => api.fetch(request, { clientIp: "127.0.0.1" }),
    );
    const origin = `http://localhost:${server.addr.port}`;
    const text = program.replace("http://localhost:8000", origin);
    await Deno.writeTextFile(join(work, "program.js"), text);
    assertEquals(await ran(node ?? "", ["program.js"], work), "Tea: Green\n400 /title\n");
  }, { project: model, code });
}

async function typed(work: string): Promise<void> {
  const [program = "", cached = ""] = await programs();
  const files = {
    "page.js": program,
    "slip.js": program.replace('sort: ["title"]', 'sort: ["titel"]'),
    "cached.ts": `import { createClient } from "@quickback/client";
import type { QueryCache } from "@quickback/client/tanstack";
import type { Api } from "./client.d.ts";
declare const QueryClient: new () => QueryCache;
const api = createClient<Api>("http://localhost:8000");
${cached}
export const list = queries.resource("notes").list({ fields: ["title"] });
`,
  };
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(join(work, name), text);
  }
  const checked = ts.createProgram(Object.keys(files).map((name) => join(work, name)), {
    strict: true,
    exactOptionalPropertyTypes: true,
    skipDefaultLibCheck: true,
    noEmit: true,
    allowJs: true,
    checkJs: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.dom.asynciterable.d.ts"],
    types: [],
  });
  const faults = ts.getPreEmitDiagnostics(checked).map(({ file, messageText }) =>
    `${file?.fileName.split("/").at(-1)}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`
  );
  assertEquals(faults.length, 1, faults.join("\n"));
  assertMatch(faults[0] ?? "", /^slip\.js: [^]*"titel"/);
}

async function bundles(work: string): Promise<void> {
  const { outputFiles: [file], metafile } = await build({
    stdin: {
      contents: `import { createClient } from "@quickback/client";
import { createQueries } from "@quickback/client/tanstack";
globalThis.made = createQueries(createClient("https://api.example.com"), {}).key;
`,
      resolveDir: work,
    },
    bundle: true,
    write: false,
    minify: true,
    metafile: true,
    format: "esm",
    platform: "browser",
    logLevel: "silent",
  });
  await stop();
  assertEquals(
    Object.values(metafile.inputs).flatMap(({ imports }) =>
      imports.filter(({ external }) => external)
    ),
    [],
  );
  const text = file?.text ?? "";
  assert(text.length < 20_000, `${text.length} characters`);
  // Nothing of it asks for a server's own names.
  assertEquals(/\b(?:process|Deno|Buffer|require)\b/.exec(text), null);
  await import(`data:text/javascript,${encodeURIComponent(text)}`);
  assertStringIncludes(String(Reflect.get(globalThis, "made")), "quickback");
}

function filesIn(folder: string): readonly string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesIn(join(folder, name)) : [join(folder, name)]
  );
}

async function ran(program: string, args: readonly string[], cwd: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
    cwd,
    env: { npm_config_update_notifier: "false" },
  }).output();
  const text = new TextDecoder();
  assert(success, text.decode(stderr));
  return text.decode(stdout);
}

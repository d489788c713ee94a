/** The client as it is published: plain modules that Node runs and TypeScript resolves, with their types. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assertEquals } from "@std/assert";
import ts from "typescript";
import { writeLibrary } from "../../../tools/packaging/library.ts";
import { packageManifest } from "../../../tools/packaging/manifests.ts";
import { installed } from "../../support/installed.ts";
import { withTempFolder } from "../../support/temp_folder.ts";

const node = installed(["/usr/bin/node", "/usr/local/bin/node"], "Node");
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const TYPES = new URL("notes_api.ts", import.meta.url);
const CONFIG = JSON.parse(await Deno.readTextFile(join(ROOT, "deno.json")));

Deno.test("the published client", (t) =>
  installedIn(async (folder, home) => {
    await t.step("nothing of it imports TypeScript, or a package", () => importsNothing(home));
    await t.step("TypeScript finds it and its types, as Node resolves them", () => typed(folder));
    await t.step({
      name: "Node runs it as it is",
      ignore: node === null,
      fn: () => runs(folder),
    });
  }));

/** Gives the body a folder in whose `node_modules` the client is. */
function installedIn(body: (folder: string, home: string) => Promise<void>): Promise<void> {
  return withTempFolder(async (folder) => {
    const home = join(folder, "node_modules/quickback");
    await writeLibrary({ root: ROOT, out: join(home, "lib") });
    await Deno.writeTextFile(join(home, "package.json"), JSON.stringify(packageManifest(CONFIG)));
    await Deno.writeTextFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
    await body(folder, home);
  });
}

async function importsNothing(home: string): Promise<void> {
  const types = join(home, "lib/types/library/client");
  const paths = [...Deno.readDirSync(types)].map(({ name }) => join(types, name));
  const files = [
    join(home, "lib/client.js"),
    join(home, "lib/client_tanstack.js"),
    join(home, "lib/client_ide.js"),
    ...paths,
  ];
  const texts = await Promise.all(files.map((path) => Deno.readTextFile(path)));
  const imports = texts.flatMap((text) =>
    [...text.matchAll(/(?:from|import) "([^"]+)"|import\("([^"]+)"\)/g)].map((match) =>
      match[1] ?? match[2] ?? ""
    )
  );
  assertEquals(imports.filter((one) => !/^\.\/\w+\.js$/.test(one)), []);
  assertEquals(imports.length > 20, true);
}

const PAGE = `import { ApiError, createClient } from "quickback/client";
import { createQueries } from "quickback/client/tanstack";
import { compileStream } from "quickback/ide";
import type { Api } from "./client.d.ts";
const api = createClient<Api>("https://api.example.com");
const { data } = await api.resource("notes").list({ fields: ["body"] });
export const body: string | undefined = data[0]?.body;
// @ts-expect-error It was not asked for.
export const rating = data[0]?.rating;
// @ts-expect-error There is no such resource.
api.resource("nothing");
for await (const event of compileStream("https://build.example.com", {}, { key: "a key" })) {
  // @ts-expect-error Only a file has a path.
  event.path;
  if (event.type === "file") event.path satisfies string;
}
export { ApiError, createQueries };
`;

async function typed(folder: string): Promise<void> {
  await Deno.copyFile(TYPES, join(folder, "client.d.ts"));
  await Deno.writeTextFile(join(folder, "page.ts"), PAGE);
  const program = ts.createProgram([join(folder, "page.ts")], {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: [
      "lib.es2023.d.ts",
      "lib.dom.d.ts",
      "lib.dom.iterable.d.ts",
      "lib.dom.asynciterable.d.ts",
    ],
    types: [],
  });
  const faults = ts.getPreEmitDiagnostics(program).map(({ file, messageText }) =>
    `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`
  );
  assertEquals(faults, []);
}

const PROGRAM = `import { ApiError, createClient } from "quickback/client";
import { createQueries } from "quickback/client/tanstack";
const answers = { "/api/v1/notes": [200, { data: [{ id: "n1" }], pagination: {} }] };
const api = createClient("https://api.example.com", {
  async fetch({ url }) {
    const [status, body] = answers[new URL(url).pathname] ?? [404, { code: "ROUTE_NOT_FOUND" }];
    return Response.json(body, { status });
  },
});
const note = await api.resource("notes").first();
const { queryFn } = createQueries(api, {}).resource("notes").list();
const page = await queryFn({ signal: new AbortController().signal });
const refusal = await api.resource("nothing").list().catch((error) => error);
console.log(note.id, page.data.length, refusal instanceof ApiError, refusal.code);
`;

async function runs(folder: string): Promise<void> {
  await Deno.writeTextFile(join(folder, "program.js"), PROGRAM);
  const { stdout, stderr } = await new Deno.Command(node ?? "", {
    args: ["program.js"],
    cwd: folder,
    stdout: "piped",
    stderr: "piped",
  }).output();
  const text = new TextDecoder();
  assertEquals([text.decode(stderr), text.decode(stdout)], ["", "n1 1 true ROUTE_NOT_FOUND\n"]);
}

/** What others' generators make of `openapi.json` compiles under `strict` (contract 9.3). */
import { join } from "node:path";
import { assert, assertEquals } from "@std/assert";
import ts from "typescript";
import { openApiDocument } from "../../../shared/compiler/mod.ts";
import { describedProjects } from "../../support/described_projects.ts";
import { runTool } from "../../support/run_tool.ts";
import { withTempFolder } from "../../support/temp_folder.ts";

const STRICT: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  // The declarations of the platform are not on trial.
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
  types: [],
};

/** What has a default may be left out of a body, and is there in an answer. */
const WITHOUT_DEFAULTS = `
import type { components } from "./helpdesk";
import type { CustomersCreate } from "./helpdesk/index";
type Schemas = components["schemas"];
export const one: Schemas["CustomersCreate"] = { name: "Eve", email: "eve@example.com" };
export const other: CustomersCreate = { name: "Eve", email: "eve@example.com" };
export const batch: Schemas["CustomersCreateBatch"] = { records: [one] };
export const plan: "free" | "team" | "business" | undefined = one.plan;
`;

Deno.test("openapi-typescript and @hey-api/openapi-ts generate code that type-checks", () =>
  withTempFolder(async (folder) => {
    const { helpdesk, clinicV2, awkward } = await describedProjects();
    const projects = { helpdesk, clinicV2, awkward };
    for (const [name, model] of Object.entries(projects)) {
      const document = JSON.stringify(openApiDocument(model));
      await Deno.writeTextFile(join(folder, `${name}.json`), document);
    }
    const names = Object.keys(projects);
    const run = await runTool({
      tool: "generate_clients.ts",
      args: names,
      cwd: folder,
    });
    assert(run.success, run.err);
    await Deno.writeTextFile(join(folder, "use.ts"), WITHOUT_DEFAULTS);
    const roots = names.flatMap((name) =>
      [`${name}.ts`, join(name, "index.ts")].map((path) => join(folder, path))
    ).concat(join(folder, "use.ts"));
    assertEquals(faultsIn(roots), []);
    assertEquals(await addressSent(folder), FILTERED);
  }));

const CALL = `
import { listTickets } from "./helpdesk/sdk.gen.ts";
await listTickets({
  baseUrl: "http://x",
  fetch: ({ url }: Request) => (console.log(url), Promise.resolve(Response.json({}))),
  query: {
    limit: 2,
    sort: ["-createdAt", "id"],
    filters: { status: "open", "subject.like": "a b" },
    stampFilters: { "createdAt.gte": "2026-01-01" },
  },
});
`;

const FILTERED =
  "http://x/api/v1/tickets?limit=2&sort=-createdAt,id&status=open&subject.like=a%20b&createdAt.gte=2026-01-01";

/** A filter is a parameter of its own in what the generated client asks for (contract 4.3). */
async function addressSent(folder: string): Promise<string> {
  await Deno.writeTextFile(join(folder, "call.ts"), CALL);
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-q", "-A", "--no-config", "--no-check", "--unstable-sloppy-imports", "call.ts"],
    cwd: folder,
    env: { NO_COLOR: "1" },
  }).output();
  const decoder = new TextDecoder();
  return decoder.decode(stdout).trim() + decoder.decode(stderr);
}

Deno.test("code that does not type-check would be found", () =>
  withTempFolder(async (folder) => {
    const file = join(folder, "wrong.ts");
    await Deno.writeTextFile(
      file,
      "export const wrong: number = window.name;\n",
    );
    assertEquals(faultsIn([file]), [
      "Type 'string' is not assignable to type 'number'.",
    ]);
  }));

function faultsIn(roots: readonly string[]): readonly string[] {
  return ts.getPreEmitDiagnostics(ts.createProgram(roots, STRICT))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

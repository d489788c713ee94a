/** What others' generators make of `openapi.json` compiles under `strict` (contract 9.3). */
import { join } from "node:path";
import { assertEquals } from "@std/assert";
import { createClient } from "@hey-api/openapi-ts";
import openapiTypescript, { astToString } from "openapi-typescript";
import ts from "typescript";
import { openApiDocument } from "../../../shared/compiler/mod.ts";
import { describedProjects } from "../../support/described_projects.ts";
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

Deno.test("openapi-typescript and @hey-api/openapi-ts generate code that type-checks", () =>
  withTempFolder(async (folder) => {
    const { helpdesk, clinicV2, awkward } = await describedProjects();
    const roots: string[] = [];
    for (const [name, model] of Object.entries({ helpdesk, clinicV2, awkward })) {
      const document = openApiDocument(model);
      const [types, client] = [join(folder, `${name}.ts`), join(folder, name)];
      const nodes = await openapiTypescript(JSON.stringify(document));
      await Deno.writeTextFile(types, astToString(nodes));
      await createClient({ input: { ...document }, output: client, logs: { level: "silent" } });
      roots.push(types, join(client, "index.ts"));
    }
    assertEquals(faultsIn(roots), []);
  }));

Deno.test("code that does not type-check would be found", () =>
  withTempFolder(async (folder) => {
    const file = join(folder, "wrong.ts");
    await Deno.writeTextFile(file, "export const wrong: number = window.name;\n");
    assertEquals(faultsIn([file]), ["Type 'string' is not assignable to type 'number'."]);
  }));

function faultsIn(roots: readonly string[]): readonly string[] {
  return ts.getPreEmitDiagnostics(ts.createProgram(roots, STRICT))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

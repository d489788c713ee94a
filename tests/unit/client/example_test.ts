/** The examples' pages, as a compiler sees their plain JavaScript beside the types of their APIs (docs/client.md). */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert, assertEquals } from "@std/assert";
import ts from "typescript";
import { validate } from "../../../shared/compiler/mod.ts";
import { clientTypes } from "../../../shared/compiler/phases/6-emit/client_types/client_types.ts";
import { projectFiles } from "../../support/sample_files.ts";
import { withTempFolder } from "../../support/temp_folder.ts";

const CLIENT = fileURLToPath(new URL("../../../library/client/mod.ts", import.meta.url));
const EXAMPLES = new URL("../../../examples/", import.meta.url);

/** As docs/client.md has it. */
const TYPED = '/** @type {import("quickback/client").Client<import("./client.d.ts").Api>} */\n';

/** What is wrong with the scripts of a page under the types of its API, after one text was replaced by another. */
function faultsOf(example: string, from = "", to = ""): Promise<readonly string[]> {
  return withTempFolder(async (folder) => {
    const home = new URL(`${example}/`, EXAMPLES);
    const result = validate(await projectFiles(home));
    assert(result.ok, JSON.stringify(result));
    await Deno.writeTextFile(join(folder, "client.d.ts"), clientTypes(result.model));
    const web = new URL("web/", home);
    for (const { name } of Deno.readDirSync(web)) {
      if (!name.endsWith(".js")) continue;
      const text = await Deno.readTextFile(new URL(name, web));
      const typed = text.replace(/^(export )?const api = /m, `${TYPED}$&`);
      await Deno.writeTextFile(join(folder, name), typed.replace(from, to));
    }
    const program = ts.createProgram([join(folder, "main.js")], {
      allowJs: true,
      checkJs: true,
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      paths: { "quickback/client": [CLIENT] },
      lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
      types: [],
    });
    return ts.getPreEmitDiagnostics(program).map(({ messageText }) =>
      ts.flattenDiagnosticMessageText(messageText, "\n")
    );
  });
}

for (const example of ["helpdesk", "field-service"]) {
  Deno.test(`the page of ${example} compiles against the types of its API`, async () => {
    assertEquals(await faultsOf(example), []);
  });
}

Deno.test("the helpdesk's page does not compile when it asks for a column that is none", async () => {
  const [first = ""] = await faultsOf(
    "helpdesk",
    'fields: ["id", "subject"',
    'fields: ["id", "subjekt"',
  );
  assertEquals(/"subjekt"/.test(first), true);
});

/** The example's page, as a compiler sees its plain JavaScript beside the helpdesk's types (docs/client.md). */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assertEquals } from "@std/assert";
import ts from "typescript";
import { clientTypes } from "../../../shared/compiler/phases/6-emit/client_types/client_types.ts";
import { describedProjects } from "../../support/described_projects.ts";
import { withTempFolder } from "../../support/temp_folder.ts";

const CLIENT = fileURLToPath(new URL("../../../library/client/mod.ts", import.meta.url));
const SCRIPT = new URL("../../../examples/helpdesk/web/main.js", import.meta.url);
const { helpdesk } = await describedProjects();

/** As docs/client.md has it. */
const TYPED =
  `/** @type {import("quickback/client").Client<import("./client.d.ts").Api>} */\nconst api = `;

/** What is wrong with the script under the helpdesk's types, after one text of it was replaced by another. */
function faultsOf(from = "", to = ""): Promise<readonly string[]> {
  return withTempFolder(async (folder) => {
    const script = join(folder, "main.js");
    await Deno.writeTextFile(join(folder, "client.d.ts"), clientTypes(helpdesk));
    const text = (await Deno.readTextFile(SCRIPT)).replace("const api = ", TYPED);
    await Deno.writeTextFile(script, text.replace(from, to));
    const program = ts.createProgram([script], {
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

Deno.test("the helpdesk's page compiles against the helpdesk's types", async () => {
  assertEquals(await faultsOf(), []);
});

Deno.test("the helpdesk's page does not compile when it asks for a column that is none", async () => {
  const [first = ""] = await faultsOf('fields: ["id", "subject"', 'fields: ["id", "subjekt"');
  assertEquals(/"subjekt"/.test(first), true);
});

/** The examples of docs/client.md and the types that it relies on, as a compiler sees them (contract 9.5). */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assertEquals } from "@std/assert";
import ts from "typescript";
import { clientTypes } from "../../../shared/compiler/phases/6-emit/client_types/client_types.ts";
import { describedProjects } from "../../support/described_projects.ts";
import { withTempFolder } from "../../support/temp_folder.ts";

const CLIENT = fileURLToPath(new URL("../../../library/client", import.meta.url));
const PAGE = new URL("../../../docs/client.md", import.meta.url);
const { helpdesk } = await describedProjects();

const MASKS = `import type { CustomersRecord, Masked } from "./client.d.ts";
declare const customer: CustomersRecord;
export const shown: string = \`\${customer.email}\`;
export const address: Masked<string> = customer.email;
// @ts-expect-error What may be a mask is no number.
export const wrong: number = customer.email;
export const plain: string = customer.name;
`;

Deno.test("the examples of docs/client.md compile against the helpdesk's types", () =>
  withTempFolder(async (folder) => {
    const examples = [...(await Deno.readTextFile(PAGE)).matchAll(/^```ts\n([^]*?)^```$/gm)]
      // The configuration of Vite has a test of its own.
      .filter(([, text = ""]) => text.includes('"quickback/client"'));
    assertEquals(examples.length, 2);
    await Deno.writeTextFile(join(folder, "client.d.ts"), clientTypes(helpdesk));
    const files = { "masks.ts": MASKS };
    for (const [at, [, text = ""]] of examples.entries()) {
      const imported = text.replace('"quickback/client"', `"${CLIENT}/mod.ts"`)
        .replace('"quickback/client/tanstack"', `"${CLIENT}/tanstack.ts"`);
      Object.assign(files, { [`page_${at}.ts`]: imported });
    }
    for (const [name, text] of Object.entries(files)) {
      await Deno.writeTextFile(join(folder, name), text);
    }
    assertEquals(faultsIn(Object.keys(files).map((name) => join(folder, name))), []);
  }));

function faultsIn(files: readonly string[]): readonly string[] {
  const program = ts.createProgram(files, {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    types: [],
  });
  return ts.getPreEmitDiagnostics(program)
    .map(({ file, messageText }) =>
      `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`
    );
}

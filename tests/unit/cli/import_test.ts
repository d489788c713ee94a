/** `import` drafts definitions that compile, type-check, admit nobody, and overwrite nothing. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { main } from "../../../cli/main.ts";
import { validate } from "../../../shared/compiler/mod.ts";
import { readProjectFolder } from "../../../cli/project_folder.ts";
import { withSteadyFolder } from "../../support/temp_folder.ts";
import { recordingTerminal } from "./recording_terminal.ts";

const input = (name: string) =>
  fileURLToPath(new URL(`../adoption/input/${name}`, import.meta.url));
const CONFIG = fileURLToPath(new URL("../../../deno.json", import.meta.url));

const PROJECT = `import { defineConfig } from "quickback";
export default defineConfig({ name: "adopted" });
`;

async function inProject(body: (folder: string) => Promise<void>, config = PROJECT): Promise<void> {
  await withSteadyFolder(async (folder) => {
    await Deno.mkdir(join(folder, "quickback"), { recursive: true });
    await Deno.writeTextFile(join(folder, "quickback/quickback.config.ts"), config);
    await body(folder);
  });
}

async function modelOf(folder: string) {
  const result = validate((await readProjectFolder(folder)).rawFiles);
  assert(result.ok, JSON.stringify(result, null, 2));
  return result.model;
}

const SCHEMAS: readonly (readonly [kind: string, file: string, resources: readonly string[]])[] = [
  ["sql", "postgresql.sql", ["customers", "invoices", "lineItems"]],
  ["prisma", "schema.prisma", ["comments", "posts"]],
  ["openapi", "openapi.yaml", ["bases", "customers", "orders"]],
];

Deno.test("what import drafts compiles, type-checks and admits nobody", async () => {
  await withSteadyFolder(async (all) => {
    for (const [kind, file, resources] of SCHEMAS) {
      const folder = join(all, kind);
      await Deno.mkdir(join(folder, "quickback"), { recursive: true });
      await Deno.writeTextFile(join(folder, "quickback/quickback.config.ts"), PROJECT);
      const terminal = recordingTerminal();
      assertEquals(await main(["import", kind, input(file), folder], terminal), 0);
      assertStringIncludes(terminal.outText(), "DECIDE.md");
      const model = await modelOf(folder);
      assertEquals(model.resources.map(({ table }) => table).sort(), resources);
      for (const { read, create, update, delete: remove } of model.resources) {
        const rules = [read, create, update, remove].map((operation) => operation?.access.kind);
        assertEquals(rules, ["nobody", "nobody", "nobody", "nobody"]);
      }
      const decisions = await Deno.readTextFile(join(folder, "DECIDE.md"));
      assert(decisions.split("\n").filter((line) => line.startsWith("- [ ] ")).length > 5);
    }
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["check", "--quiet", "--config", CONFIG, all],
    }).output();
    assert(success, new TextDecoder().decode(stderr));
  });
});

Deno.test("a drafted reference has the type of the project's ids", async () => {
  const serial = `import { defineConfig, defineDatabase } from "quickback";
export default defineConfig({
  name: "adopted",
  providers: { database: defineDatabase("libsql", { generateId: "serial" }) },
});
`;
  await inProject(async (folder) => {
    const args = ["import", "prisma", input("schema.prisma"), folder];
    assertEquals(await main(args, recordingTerminal()), 0);
    const text = await Deno.readTextFile(join(folder, "quickback/features/comments/comments.ts"));
    assertStringIncludes(text, "postId: q.int().required().references(() => posts.id");
  }, serial);
});

Deno.test("a project of one tenant gets tables without an organization", async () => {
  const single = `import { defineConfig } from "quickback";
export default defineConfig({ name: "adopted", features: { organizations: false } });
`;
  await inProject(async (folder) => {
    const args = ["import", "sql", input("postgresql.sql"), folder];
    assertEquals(await main(args, recordingTerminal()), 0);
    const { tables } = await modelOf(folder);
    assertEquals(tables.filter(({ scope }) => scope.organization !== null), []);
  }, single);
});

Deno.test("import overwrites nothing, and then writes nothing", async () => {
  await inProject(async (folder) => {
    await Deno.writeTextFile(join(folder, "DECIDE.md"), "mine");
    const terminal = recordingTerminal();
    const args = ["import", "sql", input("postgresql.sql"), folder];
    assertEquals(await main(args, terminal), 1);
    assertStringIncludes(terminal.errText(), "DECIDE.md");
    assertEquals(await Deno.readTextFile(join(folder, "DECIDE.md")), "mine");
    assertEquals(Array.from(Deno.readDirSync(join(folder, "quickback"))).length, 1);
  });
});

const REFUSED: readonly (readonly [args: readonly string[], code: number, message: string])[] = [
  [["xml", "schema.xml"], 2, "choose one of openapi, prisma, sql"],
  [["toString", "schema.sql"], 2, "choose one of openapi, prisma, sql"],
  [["sql", "no-such-file.sql"], 1, 'There is no file "no-such-file.sql"'],
  [["prisma", input("postgresql.sql")], 1, "is it a Prisma schema"],
  [["sql", input("openapi.yaml")], 1, "It has no CREATE TABLE"],
];

for (const [args, code, message] of REFUSED) {
  Deno.test(`import ${args[0]} refuses with ${code}: ${message}`, async () => {
    await inProject(async (folder) => {
      const terminal = recordingTerminal();
      assertEquals(await main(["import", ...args, folder], terminal), code);
      assertStringIncludes(terminal.errText(), message);
    });
  });
}

Deno.test("import needs a project to write into", async () => {
  await withSteadyFolder(async (folder) => {
    const terminal = recordingTerminal();
    assertEquals(await main(["import", "sql", input("postgresql.sql"), folder], terminal), 1);
    assertStringIncludes(terminal.errText(), "quickback.config.ts");
  });
});

/** `why` over a record as a database holds it, and callers as people write them (docs/proof.md). */
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { dirname, join } from "node:path";
import { UsageError } from "../../../cli/exit_codes.ts";
import { main } from "../../../cli/main.ts";
import { callerText, readCaller } from "../../../cli/commands/why/read_caller.ts";
import { openDatabase } from "../../../library/platform/open_database.ts";
import { validate } from "../../../shared/compiler/mod.ts";
import { schemaOf } from "../../support/model_database.ts";
import { projectFiles } from "../../support/sample_files.ts";
import { withTempFolder } from "../../support/temp_folder.ts";
import { recordingTerminal } from "./recording_terminal.ts";

const HELPDESK = "examples/helpdesk";
const validation = validate(
  await projectFiles(new URL(`../../../${HELPDESK}/`, import.meta.url)),
);
assert(validation.ok);
const { model } = validation;

const CALLERS: readonly (readonly [written: string, understood: string])[] = [
  ["anonymous", "anonymous"],
  ["agent", "agent of org_1 user u1 with token"],
  ["agent,admin of org_2 user ann team t1", "agent,admin of org_2 user ann team t1 with token"],
  ["member of none", "member of no organization user u1 with token"],
  ["sysadmin with apiKey", "sysadmin of org_1 user u1 with apiKey"],
  ["agent with scope", "agent of org_1 with scope"],
];

for (const [written, understood] of CALLERS) {
  Deno.test(`--as "${written}" is ${understood}`, () => {
    assertEquals(callerText(readCaller(written, model)), understood);
  });
}

const WRONG = ["agnt", "agent of", "agent at org_1", "agent with cookie", "kiosk/reader"];

for (const written of WRONG) {
  Deno.test(`--as "${written}" is refused with a way out`, () => {
    assertThrows(() => readCaller(written, model), UsageError);
  });
}

const TIMES = "'2026-01-01T00:00:00.000Z'";

Deno.test("why reads the record from a database", () =>
  withTempFolder(async (folder) => {
    const url = `file:${folder}/test.db`;
    const database = await openDatabase({ url });
    await database.migrate([
      ...schemaOf(model),
      {
        sql:
          `INSERT INTO customers (id, organization_id, name, email, created_at, modified_at, created_by) VALUES ` +
          `('cus_1', 'org_2', 'Ann', 'a@example.com', ${TIMES}, ${TIMES}, 'u2')`,
        args: [],
      },
    ]);
    await database.close();
    const ask = async (id: string) => {
      const terminal = recordingTerminal();
      const args = ["why", HELPDESK, "--as", "agent of org_1", "--database", url];
      assertEquals(await main([...args, "GET", `/api/v1/customers/${id}`], terminal), 0);
      return terminal.outText();
    };
    assertStringIncludes(
      await ask("cus_1"),
      'fails: organizationId equals ctx.activeOrgId: "org_2" against "org_1"',
    );
    assertStringIncludes(await ask("cus_9"), "there is such a row");
  }));

for (const command of [["why", "--as", "member"], ["leakcheck"], ["audit-sql"]]) {
  Deno.test(`${command[0]} names the rules that follow relations, which it does not judge`, () =>
    withTempFolder(async (folder) => {
      for (const [path, text] of Object.entries(RELATED)) {
        await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
        await Deno.writeTextFile(join(folder, path), text);
      }
      const terminal = recordingTerminal();
      const [name = "", ...options] = command;
      const asked = name === "why" ? ["GET", "/api/v1/lines/l1"] : [];
      assertEquals(await main([name, folder, ...options, ...asked], terminal), 1);
      assertStringIncludes(
        terminal.errText(),
        "Rules that follow relations are not judged by this command yet: firewall of lines, updateLines, batchUpdateLines, mask of lines.price.",
      );
    }));
}

const RELATED = {
  "quickback/quickback.config.ts": 'export default { name: "related" };\n',
  "quickback/features/orders/orders.ts": `import { feature, q } from "quickback";
export default feature("orders", {
  columns: { id: q.id(), organizationId: q.scope("organization"), keeper: q.text() },
  read: { access: { roles: ["member"] } },
});
`,
  "quickback/features/orders/lines.ts": `import { feature, q } from "quickback";
import orders from "./orders";
export default feature("lines", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    orderId: q.text().required().references(() => orders.id),
    price: q.int(),
  },
  firewall: [
    { field: "organizationId", equals: "ctx.activeOrgId" },
    { through: "order", where: { keeper: "$ctx.userId" } },
  ],
  guards: { updatable: ["price"] },
  masking: { price: { type: "redact", show: { record: { order: { keeper: "$ctx.userId" } } } } },
  read: { access: { roles: ["member"] } },
  update: { access: { roles: ["member"], record: { order: { keeper: "$ctx.userId" } } } },
});
`,
};

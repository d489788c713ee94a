/** `why` over a record as a database holds it, and callers as people write them (docs/proof.md). */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { assertThrows } from "@std/assert";
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

function withRelated(body: (folder: string) => Promise<void>): Promise<void> {
  return withTempFolder(async (folder) => {
    for (const [path, text] of Object.entries(RELATED)) {
      await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
      await Deno.writeTextFile(join(folder, path), text);
    }
    await body(folder);
  });
}

const ASKED: readonly (readonly [
  what: string,
  options: readonly string[],
  request: readonly [method: string, path: string],
  told: readonly string[],
])[] = [
  [
    "admits",
    ["--row", '{"orderId":"o1"}', "--related", '{"orders":[{"id":"o1","keeper":"u1"}]}'],
    ["GET", "/api/v1/lines/l1"],
    [
      'holds: its order\n *holds: the row "o1" of orders\n *holds: keeper equals ctx.userId: "u1" against "u1"',
      "price is plain",
    ],
  ],
  [
    "refuses",
    ["--row", '{"orderId":"o1"}', "--related", '{"orders":[{"id":"o1","keeper":"u2"}]}'],
    ["GET", "/api/v1/lines/l1"],
    ['fails: keeper equals ctx.userId: "u2" against "u1"', "403 FIREWALL_NOT_FOUND"],
  ],
  [
    "finds deleted",
    [
      "--row",
      '{"orderId":"o1"}',
      "--related",
      '{"orders":[{"id":"o1","keeper":"u1","deletedAt":"2026-01-01T00:00:00.000Z"}]}',
    ],
    ["GET", "/api/v1/lines/l1"],
    ['fails: the row "o1" of orders is deleted', "403 FIREWALL_NOT_FOUND"],
  ],
  [
    "finds in another organization",
    [
      "--row",
      '{"orderId":"o1"}',
      "--related",
      '{"orders":[{"id":"o1","keeper":"u1","organizationId":"org_2"}]}',
    ],
    ["GET", "/api/v1/lines/l1"],
    [`fails: the row "o1" of orders is another tenant's`],
  ],
  [
    "misses",
    ["--row", '{"orderId":null}', "--related", '{"orders":[]}'],
    ["GET", "/api/v1/lines"],
    ["fails: orderId is null", "the row is not in the answer"],
  ],
  [
    "refuses where the record is moved to",
    [
      "--row",
      '{"orderId":"o1"}',
      "--body",
      '{"orderId":"o2"}',
      "--related",
      '{"orders":[{"id":"o1","keeper":"u1"},{"id":"o2","keeper":"u2"}]}',
    ],
    ["PATCH", "/api/v1/lines/l1"],
    ["no   firewall        as it will be: its order", "403 FIREWALL_NOT_FOUND"],
  ],
];

for (const [what, options, request, told] of ASKED) {
  Deno.test(`why tells the chain of relations that ${what}`, () =>
    withRelated(async (folder) => {
      const terminal = recordingTerminal();
      const args = ["why", folder, "--as", "member of org_1 user u1", ...options, ...request];
      assertEquals(await main(args, terminal), 0, terminal.errText());
      for (const text of told) assertMatch(terminal.outText(), new RegExp(text));
    }));
}

Deno.test("why asks for the rows that relations lead to, or reads them from the database", () =>
  withRelated(async (folder) => {
    const ask = async (...options: string[]) => {
      const terminal = recordingTerminal();
      const args = ["why", folder, "--as", "member of org_1 user u1", ...options];
      const code = await main([...args, "GET", "/api/v1/lines/l1"], terminal);
      return `${code} ${terminal.errText()}${terminal.outText()}`;
    };
    assertStringIncludes(
      await ask("--row", '{"orderId":"o1"}'),
      "2 error The rules ask rows of orders, too",
    );
    assertStringIncludes(
      await ask("--row", '{"orderId":"o1"}', "--related", '{"order":[]}'),
      '2 error --related names no table by "order"; the tables are lines, orders',
    );
    assertStringIncludes(
      await ask("--row", '{"orderId":"o1"}', "--related", '{"orders":[{"owner":1}]}'),
      '2 error "orders" has no column "owner"',
    );
    assertStringIncludes(
      await ask("--related", '{"orders":[]}'),
      "2 error --related goes with --row",
    );
    const related = validate(RELATED);
    assert(related.ok);
    const url = `file:${folder}/test.db`;
    const database = await openDatabase({ url });
    const stamps = `${TIMES}, ${TIMES}`;
    await database.migrate([
      ...schemaOf(related.model),
      ...[
        `INSERT INTO orders (id, organization_id, keeper, created_at, modified_at) VALUES ('o1', 'org_1', 'u2', ${stamps})`,
        `INSERT INTO lines (id, organization_id, order_id, created_at, modified_at) VALUES ('l1', 'org_1', 'o1', ${stamps})`,
      ].map((sql) => ({ sql, args: [] })),
    ]);
    await database.close();
    assertStringIncludes(
      await ask("--database", url),
      'fails: keeper equals ctx.userId: "u2" against "u1"',
    );
  }));

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
  guards: { updatable: ["price", "orderId"] },
  masking: { price: { type: "redact", show: { record: { order: { keeper: "$ctx.userId" } } } } },
  read: { access: { roles: ["member"] } },
  update: { access: { roles: ["member"], record: { order: { keeper: "$ctx.userId" } } } },
});
`,
};

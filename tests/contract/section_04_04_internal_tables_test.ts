/** Contract 1.3, 4.4 rule 3: a table without routes belongs to the organizations of its feature, whoever writes to it. */
import { assertEquals } from "@std/assert";
import { ofOneDatabase } from "../support/databases.ts";
import type { RawFiles } from "../../shared/compiler/mod.ts";
import { withCompiled } from "../support/compiled_actions.ts";
import { type WebhooksUnderTest, withWebhooks } from "../support/webhooks.ts";

const test = ofOneDatabase("ids, and the SQL of code across tenants, are of one database");

const ANNA = { sub: "anna", orgId: "org_a", roles: ["member"] };
const BERT = { sub: "bert", orgId: "org_b", roles: ["member"] };
/** Without an organization. */
const LONER = { sub: "lena", roles: ["member"] };

const MEMBERS = '{ roles: ["member"] }';

const action = (execute: string) =>
  `import { defineAction } from "quickback";
import { z } from "zod";
import { levels, scores } from "../../tasks/schema";

export default defineAction({
  description: "Works on tables without routes",
  path: "/board/NAME",
  input: z.object({ id: z.string().optional(), points: z.number().optional() }),
  access: ${MEMBERS},
  async execute({ db, input }) {
    ${execute}
  },
});
`;

const ACTIONS: Readonly<Record<string, string>> = {
  list: "return { rows: await db.select({ points: scores.points }).from(scores) };",
  add: "return { rows: await db.insert(scores).values({ ...input }).returning() };",
  raise: "return { rows: await db.update(scores).set({ points: 99 }).returning() };",
  wipe: "return { rows: await db.delete(scores).returning() };",
  learn: 'return { rows: await db.insert(levels).values({ name: "novice" }).returning() };',
  levels: "return { rows: await db.select({ name: levels.name }).from(levels) };",
};

const FILES: RawFiles = {
  "quickback/quickback.config.ts":
    `export default { name: "board", webhooks: { inbound: ["bell"] } };\n`,
  "quickback/features/tasks/tasks.ts": `import { feature, q } from "quickback";
export default feature("tasks", {
  columns: { organizationId: q.scope("organization"), title: q.text() },
});
`,
  "quickback/features/tasks/scores.ts":
    `import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
export const scores = sqliteTable("scores", {
  id: text("id").primaryKey(),
  points: integer("points").unique(),
});
`,
  "quickback/features/tasks/levels.ts": `import { q } from "quickback";
export const levels = q.table("levels", { name: q.text() }, { exception: true });
`,
  "quickback/services/bell.ts": `import { defineWebhookProvider, onWebhookEvent } from "quickback";
import { scores } from "../features/tasks/schema";
export default defineWebhookProvider({
  name: "bell",
  verifySignature: () => true,
  parseEvent: (payload) => ({ type: "rung", data: JSON.parse(payload) }),
});
export const rung = onWebhookEvent("bell:rung", async ({ data, scopeTo }) => {
  await scopeTo(data, async ({ db }) => {
    await db.insert(scores).values({ points: 7 });
  });
});
`,
  ...Object.fromEntries(
    Object.entries(ACTIONS).map(([name, execute]) => [
      `quickback/features/board/actions/${name}.ts`,
      action(execute).replace("NAME", name),
    ]),
  ),
};

function withBoard(body: (api: WebhooksUnderTest) => Promise<void>): Promise<void> {
  return withCompiled(
    FILES,
    ({ model, code }) =>
      withWebhooks(body, { project: model, code, env: { BELL_WEBHOOK_SECRET: "s" } }),
  );
}

async function points(api: WebhooksUnderTest): Promise<unknown> {
  const { rows } = await api.database.run({
    sql: "SELECT organization_id, points FROM scores WHERE deleted_at IS NULL ORDER BY 1, 2",
    args: [],
  });
  return rows.map((row) => [...row]);
}

async function board(api: WebhooksUnderTest): Promise<void> {
  for (const [as, given] of [[ANNA, 1], [ANNA, 2], [BERT, 1]] as const) {
    const added = await api.ask("board/add", { as, body: { points: given } });
    assertEquals(added.status, 200, added.text);
  }
}

Deno.test("a handler that reads, changes or deletes every row of an internal table reaches its own tenant's", async () => {
  await withBoard(async (api) => {
    await board(api);
    const listed = await api.ask("board/list", { as: BERT, body: {} });
    assertEquals(listed.body, { rows: [{ points: 1 }] });
    assertEquals((await api.ask("board/raise", { as: BERT, body: {} })).status, 200);
    assertEquals(await points(api), [["org_a", 1], ["org_a", 2], ["org_b", 99]]);
    const wiped = await api.ask("board/wipe", { as: ANNA, body: {} });
    assertEquals(wiped.status, 200, wiped.text);
    assertEquals(await points(api), [["org_b", 99]]);
  });
});

test("a unique column of an internal table is unique in its tenant, and a taken key says nothing", async () => {
  await withBoard(async (api) => {
    await board(api);
    const again = await api.ask("board/add", { as: BERT, body: { points: 1 } });
    assertEquals([again.status, again.body["code"]], [409, "DB_UNIQUE_VIOLATION"]);
    assertEquals(
      (await api.ask("board/add", { as: ANNA, body: { id: "mine", points: 5 } })).status,
      200,
    );
    const taken = await api.ask("board/add", { as: BERT, body: { id: "mine", points: 6 } });
    assertEquals([taken.status, taken.body["code"]], [409, "DB_UNIQUE_VIOLATION"]);
    assertEquals([taken.body["details"], taken.body["pointer"]], [undefined, undefined]);
    const own = await api.ask("board/add", { as: ANNA, body: { id: "mine", points: 6 } });
    assertEquals(own.body["title"], taken.body["title"]);
    assertEquals(own.body["detail"], taken.body["detail"]);
  });
});

test("nobody writes an internal table without an organization, in an action or in unattended work", async () => {
  await withBoard(async (api) => {
    await board(api);
    assertEquals((await api.ask("board/list", { as: LONER, body: {} })).body, { rows: [] });
    for (const name of ["add", "raise", "wipe"]) {
      const { status, body } = await api.ask(`board/${name}`, { as: LONER, body: {} });
      assertEquals([name, status, body["code"]], [name, 403, "ACCESS_NO_ORG"]);
    }
    await api.database.write((transaction) =>
      transaction.run({
        sql: `INSERT INTO auth_user (id, name, email, email_verified, created_at, updated_at)
          VALUES ('lena', 'Lena', 'lena@example.com', 1, '2026-01-01', '2026-01-01')`,
        args: [],
      })
    );
    const headers = { "bell-signature": "any" };
    const rung = { body: { userId: "lena" }, headers };
    assertEquals((await api.ask("/webhooks/v1/inbound/bell", rung)).status, 200);
    await api.work();
    const { rows } = await api.database.run({
      sql: "SELECT status, error FROM webhook_events",
      args: [],
    });
    assertEquals(rows.map((row) => [...row]), [["failed", "ACCESS_NO_ORG"]]);
    assertEquals(await points(api), [["org_a", 1], ["org_a", 2], ["org_b", 1]]);
  });
});

Deno.test("an internal table that is an exception is everybody's", async () => {
  await withBoard(async (api) => {
    assertEquals((await api.ask("board/learn", { as: LONER, body: {} })).status, 200);
    const { body } = await api.ask("board/levels", { as: BERT, body: {} });
    assertEquals(body, { rows: [{ name: "novice" }] });
  });
});

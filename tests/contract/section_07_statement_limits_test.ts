/** Definitions 8, `STATEMENT_TIMEOUT_MS` and `READ_TIMEOUT_MS`: what takes too long is ended, and keeps nobody else waiting. */
import { assert, assertEquals } from "@std/assert";
import type { Database, Statement } from "../../shared/runtime/mod.ts";
import { type ApiUnderTest, type Claims, withDefinitions } from "../support/api.ts";
import { withCompiledActions } from "../support/compiled_actions.ts";
import { limitedDriver } from "../support/databases.ts";
import { ANN, insertRelated, RELATED_FILES } from "../support/related_world.ts";

const LIMITS = { readMs: 200, statementMs: 400, transactionMs: 5000 };
const EVE: Claims = { ...ANN, sub: "eve", orgId: "org_b" };
const ENDLESS = "with recursive n(i) as (select 1 union all select i + 1 from n)";
const ROLES = `{ access: { roles: ["member"] } }`;

const action = (name: string, more: string, body: string) => ({
  [`quickback/features/notes/actions/${name}.ts`]: `import { defineAction } from "quickback";
import { z } from "zod";
export default defineAction({
  description: "Asks",
  path: "./${name}",
  input: z.object({}),
  ${more}
  allowRawSql: true,
  access: { roles: ["member"] },
  async execute({ db }) {
    ${body}
  },
});
`,
});

const FILES = {
  "quickback/quickback.config.ts": 'export default { name: "desk" };\n',
  "quickback/features/notes/notes.ts": `import { feature, q } from "quickback";
export default feature("notes", {
  columns: { id: q.id(), organizationId: q.scope("organization"), text: q.text() },
  guards: { createable: ["text"] },
  read: ${ROLES},
  create: ${ROLES},
});
`,
  ...action(
    "count",
    "",
    `await db.all('insert into notes (text) values (1) returning id');
    return { n: await db.all('${ENDLESS} select count(*) as n from n') };`,
  ),
  ...action("rows", "", `return { n: await db.all('${ENDLESS} select i from n') };`),
  ...action(
    "sparse",
    "",
    `return { n: await db.all('${ENDLESS} select i from n where i % 100000000 = 0') };`,
  ),
  ...action(
    "caught",
    "",
    `await db.all('insert into notes (text) values (1) returning id');
    try { await db.all('${ENDLESS} select count(*) as n from n'); } catch { /* goes on */ }
    return { n: 1 };`,
  ),
  ...action(
    "read",
    'method: "GET",',
    `return { n: await db.all('${ENDLESS} select i from n') };`,
  ),
};

Deno.test("an endless statement of a handler is ended, undone, and keeps nobody waiting", () =>
  withCompiledActions(FILES, async (api) => {
    for (const name of ["count", "rows", "sparse", "caught", "read"]) {
      const method = name === "read" ? "GET" : "POST";
      const ended = api.ask(`notes/${name}`, { as: ANN, method });
      // Another tenant reads meanwhile, and is answered first.
      const order: string[] = [];
      const read = api.ask("notes", { as: EVE });
      await Promise.all([read.then(() => order.push("read")), ended.then(() => order.push(name))]);
      assertEquals(order, ["read", name]);
      const { status, body, headers } = await ended;
      assertEquals([status, body["code"], body["layer"]], [503, "STATEMENT_TIMEOUT", "database"]);
      assertEquals(headers.get("retry-after"), null);
      assertEquals((await read).status, 200);
    }
    const { body } = await api.ask("notes", { as: ANN });
    assertEquals(body["data"], []);
    assertEquals((await api.ask("notes", { as: ANN, body: { text: "a" } })).status, 201);
  }, { driver: limitedDriver(LIMITS) }));

Deno.test("writes that wait behind an endless one are kept", () =>
  withCompiledActions(FILES, async (api) => {
    const asked = [
      api.ask("notes", { as: EVE, body: { text: "a" } }),
      api.ask("notes/count", { as: ANN, method: "POST" }),
      api.ask("notes", { as: EVE, body: { text: "b" } }),
      api.ask("notes", { as: EVE, body: { text: "c" } }),
    ];
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    assertEquals(statuses, [201, 503, 201, 201]);
    const { body: { data } } = await api.ask("notes", { as: EVE });
    assert(Array.isArray(data));
    assertEquals(data.length, 3);
  }, { driver: limitedDriver(LIMITS) }));

/** A reader of `where`, which takes some 100 ms with a limit of 1. */
const DEAR = JSON.stringify({
  and: Array.from({ length: 10 }, (_, at) => ({
    customer: { tickets: { none: { title: `Ticket ${at}`, id: `t${at + 1}` } } },
  })),
});

Deno.test("a list by relations is ended as well", () =>
  withDefinitions(RELATED_FILES, async (api) => {
    await insertRelated(api);
    const query = new URLSearchParams({ where: DEAR, total: "true" });
    const { status, body } = await api.ask(`tickets?${query}`, { as: ANN });
    assertEquals([status, body["code"]], [503, "STATEMENT_TIMEOUT"]);
    assertEquals((await api.ask("tickets?limit=1", { as: ANN })).status, 200);
  }, { driver: limitedDriver({ readMs: 1, statementMs: 400, transactionMs: 5000 }) }));

Deno.test("a tenant holds half of the long reads while others wait, and 100 wait at most", () =>
  withDefinitions(RELATED_FILES, async (api) => {
    await insertRelated(api);
    const query = new URLSearchParams({ where: DEAR });
    const order: string[] = [];
    const ask = async (as: Claims, name: string) => {
      const { status, body, headers } = await api.ask(`tickets?${query}`, { as });
      order.push(`${name} ${status}`);
      return { code: body["code"], after: headers.get("retry-after") };
    };
    const many = Array.from({ length: 130 }, () => ask(ANN, "ann"));
    const other = ask(EVE, "eve");
    const refused = (await Promise.all(many)).filter(({ code }) => code !== undefined);
    assertEquals(new Set(refused.map(({ code }) => code)), new Set(["DATABASE_UNAVAILABLE"]));
    assertEquals(new Set(refused.map(({ after }) => after)), new Set(["1"]));
    assert(refused.length >= 20 && refused.length < 35, `${refused.length}`);
    await other;
  }, { driver: limitedDriver({ readMs: 60_000, statementMs: 60_000, transactionMs: 5000 }) }));

/** What stays on the event loop is bounded by an index and a limit, or reads one table once. */
Deno.test("no statement on the event loop reads a table for each row of another", async () => {
  const kept: Statement[] = [];
  const noting = (statements: readonly Statement[]) =>
    kept.push(...statements.filter(({ unboundedFor }) => unboundedFor === undefined));
  const recorded = (database: Database): Database => ({
    ...database,
    run: (statement) => (noting([statement]), database.run(statement)),
    runAll: (statements) => (noting(statements), database.runAll(statements)),
  });
  await withDefinitions(RELATED_FILES, async (api) => {
    await insertRelated(api);
    const paths = [
      "tickets",
      "tickets/t1",
      "tickets/t1?include=customerId",
      "customers?include=tickets",
      "tickets?include=customerId&sort=-createdAt",
      "tickets?title=zzzz",
      "tickets?title.like=zz&total=true",
      "tickets?customerId=c1&sort=title",
      `tickets?where=${JSON.stringify({ title: "zzzz" })}`,
    ];
    for (const path of paths) {
      kept.length = 0;
      const { status, text } = await api.ask(path, { as: ANN });
      assert(status === 200 || status === 400, text);
      for (const { sql, args } of kept) await requireBounded(api, { sql, args });
    }
    assert(kept.length > 0);
  }, { wrap: recorded });
});

async function requireBounded({ database }: ApiUnderTest, { sql, args }: Statement): Promise<void> {
  const { rows } = await database.run({ sql: `EXPLAIN QUERY PLAN ${sql}`, args });
  const plan = rows.map((row) => String(row.at(-1)));
  // Of a page's rows, each has at most a few others, found by their key.
  const scans = plan.filter((step) =>
    /^SCAN (?!tickets USING COVERING|t\b|value|json_each|CONSTANT|\(|\w+ VIRTUAL)/.test(step)
  );
  assertEquals(scans, [], `${sql}\n${plan.join("\n")}`);
}

/** Definitions 8, `ROWS_MAX_PER_TENANT`: whatever makes rows is refused where the tenant has too many, and nobody else is. */
import { assertEquals } from "@std/assert";
import { rowQuotaOf } from "../../shared/runtime/mod.ts";
import type { Answer, ApiOptions, ApiUnderTest, Claims } from "../support/api.ts";
import { withCompiledActions } from "../support/compiled_actions.ts";
import { TENANT_DRIVERS } from "../support/databases.ts";

const ANN: Claims = { sub: "ann", orgId: "org_a", roles: ["member"] };
const EVE: Claims = { sub: "eve", orgId: "org_b", roles: ["member"] };
const MAX = 6;
const ROLES = `{ access: { roles: ["member"] } }`;

const action = (name: string, body: string) => ({
  [`quickback/features/notes/actions/${name}.ts`]: `import { defineAction } from "quickback";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { notes } from "../schema";
export default defineAction({
  description: "Makes notes",
  path: "./${name}",
  input: z.object({}),
  allowRawSql: true,
  access: { roles: ["member"] },
  async execute({ db }) {
    ${body}
    return { done: true };
  },
});
`,
});

const FILES = {
  "quickback/quickback.config.ts":
    `export default { name: "desk", contract: { changeset: true }, providers: { database: { name: "libsql", generateId: false } } };\n`,
  "quickback/features/notes/notes.ts": `import { feature, q } from "quickback";
export default feature("notes", {
  columns: { organizationId: q.scope("organization"), text: q.text() },
  guards: false,
  read: ${ROLES}, create: ${ROLES}, upsert: ${ROLES},
  delete: { mode: "hard", access: { roles: ["member"] } },
});
`,
  "quickback/features/drafts/drafts.ts": `import { feature, q } from "quickback";
export default feature("drafts", {
  columns: { organizationId: q.scope("organization"), text: q.text() },
  guards: false,
  read: ${ROLES}, create: ${ROLES},
  delete: { mode: "soft", access: { roles: ["member"] } },
});
`,
  ...action("built", 'await db.insert(notes).values({ id: "built", text: "a" });'),
  ...action(
    "raw",
    `await db.run(sql.raw("insert into notes (id, text) values ('raw1', 'a'), ('raw2', 'b')"));`,
  ),
  ...action(
    "copied",
    `await db.run(sql.raw("insert into notes (id, text) select id || 'c', text from notes"));`,
  ),
};

type Write = (api: ApiUnderTest, as: Claims) => Promise<Answer>;

let made = 0;
const note = (text = "a") => ({ id: `n${made++}`, text });

/** Every way to a new row, each of one or more rows. */
const WRITES: Readonly<Record<string, Write>> = {
  create: (api, as) => api.ask("notes", { as, body: note() }),
  "another table": (api, as) => api.ask("drafts", { as, body: note() }),
  batch: (api, as) => api.ask("notes/batch", { as, body: { records: [note(), note()] } }),
  PUT: (api, as) => api.ask(`notes/${note().id}`, { as, method: "PUT", body: { text: "a" } }),
  changeset: (api, as) =>
    api.ask("changeset", {
      as,
      body: { operations: [{ op: "create", resource: "notes", data: note() }] },
    }),
  builder: (api, as) => api.ask("notes/built", { as, method: "POST" }),
  "raw SQL": (api, as) => api.ask("notes/raw", { as, method: "POST" }),
  "INSERT … SELECT": (api, as) => api.ask("notes/copied", { as, method: "POST" }),
};

async function rows(api: ApiUnderTest, as: Claims): Promise<number> {
  const counts = await Promise.all(["notes", "drafts"].map(async (name) => {
    const { body } = await api.ask(`${name}?total=true`, { as });
    return Number(Object(body["pagination"]).total);
  }));
  return counts.reduce((sum, count) => sum + count);
}

async function fill(api: ApiUnderTest, as = ANN): Promise<void> {
  while (await rows(api, as) < MAX) assertEquals((await WRITES["create"]?.(api, as))?.status, 201);
}

const told = ({ status, body }: Answer) => {
  const { scope, limit } = Object(body["details"]);
  return [status, body["code"], body["layer"], { scope, limit }];
};
const REFUSED = [403, "QUOTA_EXCEEDED", "access", { scope: "tenant", limit: MAX }];

const withQuota = (body: (api: ApiUnderTest) => Promise<void>, options: ApiOptions = {}) =>
  withCompiledActions(FILES, body, { rowsMax: MAX, ...options });

for (const driver of [undefined, TENANT_DRIVERS[0]]) {
  const where = driver ? "where each organization has a database" : "in one database";
  Deno.test(`each way of making rows is refused at the limit, ${where}`, () =>
    withQuota(async (api) => {
      await fill(api);
      for (const [name, write] of Object.entries(WRITES)) {
        assertEquals(told(await write(api, ANN)), REFUSED, name);
        assertEquals(await rows(api, ANN), MAX, name);
      }
      // Whatever else there is to do goes on, and so do others.
      const { body } = await api.ask("notes", { as: ANN });
      const [first] = body["data"] as readonly { readonly id: string }[];
      const put = { as: ANN, method: "PUT", body: { text: "b" } };
      assertEquals((await api.ask(`notes/${first?.id}`, put)).status, 200);
      for (const name of ["create", "batch", "PUT"]) {
        const { status } = await WRITES[name]?.(api, EVE) ?? { status: 0 };
        assertEquals(status, 201, name);
      }
      const gone = await api.ask(`notes/${first?.id}`, { as: ANN, method: "DELETE" });
      assertEquals([gone.status, (await WRITES["create"]?.(api, ANN))?.status], [200, 201]);
    }, driver ? { driver } : {}));
}

Deno.test("a refusal under an Idempotency-Key is answered again", () =>
  withQuota(async (api) => {
    await fill(api);
    const headers = { "idempotency-key": "one" };
    for (const path of ["notes", "notes/batch"]) {
      const body = path === "notes" ? note() : { records: [note()] };
      const answers = [];
      for (const _ of [1, 2]) answers.push(await api.ask(path, { as: ANN, headers, body }));
      assertEquals(answers.map(told), [REFUSED, REFUSED]);
      assertEquals(answers.map((one) => one.headers.get("idempotency-replayed")), [null, "true"]);
      headers["idempotency-key"] = "two";
    }
  }));

Deno.test("a tool of MCP is refused as its route is", () =>
  withQuota(async (api) => {
    await fill(api);
    const call = { name: "create_record", arguments: { resource: "notes", data: note() } };
    const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: call };
    const { text } = await api.ask("/mcp", { as: ANN, body, method: "POST" });
    assertEquals(text.includes("QUOTA_EXCEEDED"), true, text);
  }));

Deno.test("soft-deleted rows count, and rows that came otherwise do after ten minutes", () =>
  withQuota(async (api) => {
    const { body } = await api.ask("drafts", { as: ANN, body: note() });
    await api.ask(`drafts/${body["id"]}`, { as: ANN, method: "DELETE" });
    for (let at = 1; at < MAX; at++) {
      assertEquals((await WRITES["create"]?.(api, ANN))?.status, 201);
    }
    assertEquals((await WRITES["create"]?.(api, ANN))?.status, 403);
    assertEquals((await WRITES["create"]?.(api, EVE))?.status, 201);
    await api.database.write((transaction) =>
      transaction.run({
        sql: `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MAX})
          INSERT INTO notes (id, organization_id, text, created_at)
          SELECT 'e' || i, 'org_b', 'a', '2026-01-01T00:00:00.000Z' FROM n`,
        args: [],
      })
    );
    assertEquals((await WRITES["create"]?.(api, EVE))?.status, 201);
    api.pass(600_001);
    assertEquals((await WRITES["create"]?.(api, EVE))?.status, 403);
  }));

Deno.test("a batch beyond the room makes nothing, and one within it everything", () =>
  withQuota(async (api) => {
    const batch = (count: number) =>
      api.ask("notes/batch", {
        as: ANN,
        body: { records: Array.from({ length: count }, () => note()) },
      });
    assertEquals(told(await batch(MAX + 1)), REFUSED);
    assertEquals([(await batch(MAX)).status, await rows(api, ANN)], [201, MAX]);
  }));

Deno.test("of a batch PUT those records are refused for which there is no room", () =>
  withQuota(async (api) => {
    const records = Array.from({ length: MAX + 2 }, () => note());
    const body = { records, options: { failFast: false } };
    const { status, text } = await api.ask("notes/batch", { as: ANN, method: "PUT", body });
    assertEquals([status, text.split("QUOTA_EXCEEDED").length - 1], [207, 2], text);
    assertEquals(await rows(api, ANN), MAX);
  }));

Deno.test("writes that begin to count at once add up", async () => {
  const quota = rowQuotaOf(MAX, { now: () => 0 });
  const counted = Promise.withResolvers<number>();
  const takes = Array.from({ length: MAX + 2 }, () => quota?.take("a", 1, () => counted.promise));
  counted.resolve(0);
  assertEquals((await Promise.all(takes)).filter((one) => one).length, MAX);
});

Deno.test("without a limit nothing is counted", () =>
  withCompiledActions(FILES, async (api) => {
    await fill(api);
    const statements: string[] = [];
    const { write } = api.database;
    Object.assign(api.database, {
      write: (body: Parameters<typeof write>[0], options: Parameters<typeof write>[1]) =>
        write.call(api.database, (transaction) =>
          body({
            ...transaction,
            run: (statement) => (statements.push(statement.sql), transaction.run(statement)),
            runAll: (all) => transaction.runAll(all),
          }), options),
    });
    assertEquals((await WRITES["create"]?.(api, ANN))?.status, 201);
    assertEquals(statements.filter((sql) => sql.includes("count(")), []);
  }));

/** The record of a service table decides what becomes of its rows: each kind of record, with the tables that are there. */
import { assertEquals } from "@std/assert";
import { type RawFiles, validate } from "../../../shared/compiler/mod.ts";
import * as model from "../../../shared/model/mod.ts";
import { organizationRowsOf } from "../../../shared/runtime/data/organization_rows.ts";
import { directoryTables, requeued } from "../../../shared/runtime/data/tenants/tenant_copy.ts";
import { tenantTables } from "../../../shared/runtime/data/tenants/tenant_copy.ts";
import type { Database, SqlValue } from "../../../shared/runtime/ports.ts";
import { withModelDatabase } from "../../support/model_database.ts";

/** A project that needs every service table but that of the databases of organizations. */
const FILES: RawFiles = {
  "quickback/quickback.config.ts": `import { defineConfig } from "quickback";
export default defineConfig({
  name: "desk",
  webhooks: { outbound: true, inbound: ["stripe"] },
  realtime: { push: true },
});
`,
  "quickback/features/notes/notes.ts": `import { feature, q } from "quickback";
export default feature("notes", {
  audit: true,
  columns: { organizationId: q.scope("organization"), text: q.text() },
  guards: { createable: ["text"] },
  read: { access: { roles: ["member"] } },
});
`,
  "quickback/jobs/sweep.ts": `import { defineJob, z } from "quickback";
export default defineJob({ input: z.object({}), async run() {} });
`,
};

const VALIDATION = validate(FILES);
if (!VALIDATION.ok) throw new Error(JSON.stringify(VALIDATION.errors, null, 2));
const PROJECT = VALIDATION.model;
const RECORDS = model.serviceRecordsOf(PROJECT);
const OUTBOXES = model.outboxesOf(PROJECT);

/** Every text of a row is its organization's id: whichever column names or refers to whom, the row is that organization's. */
async function insertRowOf(
  database: Database,
  { name, columns }: model.SqlTable,
  id: string,
): Promise<void> {
  const cells = columns.map(({ type }): SqlValue => type === "text" ? id : 1);
  const list = columns.map((column) => column.name).join(", ");
  const sql = `INSERT INTO ${name} (${list}) VALUES (${cells.map(() => "?").join(", ")})`;
  await database.write((transaction) => transaction.run({ sql, args: cells }));
}

async function withRowsOf(
  ids: readonly string[],
  body: (database: Database) => Promise<void>,
): Promise<void> {
  await withModelDatabase(PROJECT, async (database) => {
    for (const id of ids) for (const { table } of RECORDS) await insertRowOf(database, table, id);
    await body(database);
  });
}

/** Primary keys of a table's rows that fit, in their order. */
async function keysIn(
  database: Database,
  table: model.SqlTable,
  where = "1",
  args: SqlValue[] = [],
) {
  const key = table.columns.find(({ primaryKey }) => primaryKey)?.name;
  const sql = `SELECT ${key} FROM ${table.name} WHERE ${where} ORDER BY 1`;
  return (await database.run({ sql, args })).rows.map(([value]) => String(value));
}

/** Rows that belong to records go with them where the records are an organization's, and subscriptions are their users'. */
function isTraceable({ ownedBy }: model.ServiceTable): boolean {
  return ownedBy !== null && ownedBy.kind !== "record";
}

Deno.test("a purge deletes, erases or keeps an organization's rows as the record says, and keeps others'", async () => {
  await withRowsOf(["org_a", "org_b"], async (database) => {
    const rows = organizationRowsOf(PROJECT);
    const step = () => database.write((transaction) => rows.removeSome(transaction, "org_a"));
    while (await step()) continue;
    for (const record of RECORDS) {
      const { table, onPurge } = record;
      const isGone = isTraceable(record) && onPurge === "delete";
      const left = isGone ? ["org_b"] : ["org_a", "org_b"];
      assertEquals(await keysIn(database, table), left, table.name);
      if (onPurge !== "erase") continue;
      const optional = table.columns.filter(({ notNull }) => !notNull).map(({ name }) => name);
      const isEmpty = optional.map((name) => `${name} IS NULL`).join(" AND ");
      assertEquals(await keysIn(database, table, isEmpty), ["org_a"], table.name);
    }
  });
});

Deno.test("each row goes to its organization or to the directory when databases are split", async () => {
  await withRowsOf(["org_a", "org_b"], async (database) => {
    const leaving = new Map(tenantTables(PROJECT).map((table) => [table.name, table]));
    const staying = new Map(directoryTables(PROJECT).map((table) => [table.name, table]));
    for (const record of RECORDS) {
      const { table, home, inExport, onSplit } = record;
      const { condition: own = "0" } = leaving.get(table.name) ?? {};
      const { condition: rest = "0" } = staying.get(table.name) ?? {};
      const taken = await keysIn(database, table, own, own.includes("?") ? ["org_a"] : []);
      assertEquals(taken, inExport && isTraceable(record) ? ["org_a"] : [], table.name);
      const left = JSON.stringify(["org_a"]);
      const kept = await keysIn(database, table, rest, rest.includes("?") ? [left] : []);
      const all = onSplit === "leave" ? [] : ["org_a", "org_b"];
      const isDivided = home === "tenant" && isTraceable(record);
      // What a purge deletes is no deleted organization's: nobody's row is left.
      const others = record.onPurge === "delete" ? [] : ["org_b"];
      assertEquals(kept, isDivided ? others : all, table.name);
    }
  });
});

Deno.test("waiting work of every kind is handed over anew where its rows stand", async () => {
  await withModelDatabase(PROJECT, async (database) => {
    for (const { name } of OUTBOXES) {
      const { table, outbox } = model.SERVICE_TABLES[name];
      await insertRowOf(database, table, "waits");
      const fresh = "states" in outbox ? `, status = '${outbox.states.fresh}', attempts = 0` : "";
      const sql = `UPDATE ${name} SET queued_at = '2026'${fresh}`;
      await database.write((transaction) => transaction.run({ sql, args: [] }));
    }
    const unqueued = async () => {
      const found: string[] = [];
      for (const { name } of OUTBOXES) {
        const { table } = model.SERVICE_TABLES[name];
        if ((await keysIn(database, table, "queued_at IS NULL")).length > 0) found.push(name);
      }
      return found;
    };
    const requeue = (home: model.Home) =>
      database.write((transaction) => transaction.runAll(requeued(PROJECT, home)));
    await requeue("tenant");
    const inTenants = OUTBOXES.map(({ name }) => name).filter((name) =>
      model.SERVICE_TABLES[name].home !== "directory"
    );
    assertEquals(await unqueued(), inTenants);
    await requeue("directory");
    assertEquals(await unqueued(), OUTBOXES.map(({ name }) => name));
  });
});

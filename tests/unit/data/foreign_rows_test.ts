/** Definitions 8: an export is of one organization, whatever somebody wrote into its tables. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { type RawFiles, validate } from "../../../shared/compiler/mod.ts";
import { requireOwnRows } from "../../../shared/runtime/data/tenants/foreign_rows.ts";
import { tenantTables } from "../../../shared/runtime/data/tenants/tenant_copy.ts";
import type { Database, SqlValue } from "../../../shared/runtime/ports.ts";
import { foundAccounts } from "../../support/found_accounts.ts";
import { withModelDatabase } from "../../support/model_database.ts";

const ROLES = '{ roles: ["member"] }';

/** Every kind of table that an organization's database has. */
const FILES: RawFiles = {
  "quickback/quickback.config.ts": `import { defineConfig, defineDatabase } from "quickback";
export default defineConfig({
  name: "desk",
  webhooks: { outbound: true },
  realtime: { push: true },
  providers: { database: defineDatabase("libsql", { tenancy: "perOrganization" }) },
});
`,
  "quickback/features/notes/notes.ts": `import { feature, q } from "quickback";
export default feature("notes", {
  audit: true,
  columns: { organizationId: q.scope("organization"), text: q.text() },
  guards: { createable: ["text"] },
  read: { access: ${ROLES} },
});
`,
  "quickback/features/boards/boards.ts": `import { feature, q } from "quickback";
export default feature("boards", {
  columns: { teamId: q.scope("team"), text: q.text() },
  guards: { createable: ["text"] },
  read: { access: ${ROLES} },
});
`,
  "quickback/jobs/sweep.ts": `import { defineJob, z } from "quickback";
export default defineJob({ input: z.object({}), async run() {} });
`,
};

/** What makes a row of a table belong to the organization with this letter. */
function scopeCells(letter: string): ReadonlyMap<string, Readonly<Record<string, SqlValue>>> {
  const organization = { organization_id: `org_${letter}` };
  return new Map<string, Readonly<Record<string, SqlValue>>>([
    ["notes", organization],
    ["boards", { team_id: `team_${letter}` }],
    ["quickback_job_runs", organization],
    ["push_messages", { subscription_id: `subscription_${letter}` }],
    ["audit_events", { target_org_id: `org_${letter}` }],
    ["audit_changes", { chain: `org_${letter}` }],
    ["audit_chains", { chain: `org_${letter}` }],
    ["idempotency_keys", organization],
    ["webhook_endpoints", organization],
    ["webhook_deliveries", { endpoint_id: `endpoint_${letter}` }],
  ]);
}

async function insert(
  database: Database,
  table: string,
  cells: Readonly<Record<string, SqlValue>>,
): Promise<void> {
  const { rows } = await database.run({
    sql: `SELECT name, type FROM pragma_table_info(?) WHERE "notnull" = 1 AND name <> 'id'`,
    args: [table],
  });
  const needed = rows.map(([name, type]) =>
    [String(name), /int/i.test(String(type)) ? 1 : `some ${name}`] as const
  );
  const row = { ...Object.fromEntries(needed), ...cells };
  const names = Object.keys(row).map((name) => `"${name}"`).join(", ");
  const sql = `INSERT INTO "${table}" (${names}) VALUES (${Object.keys(row).map(() => "?")})`;
  await database.write((transaction) => transaction.run({ sql, args: Object.values(row) }));
}

const DESK = validate(FILES);
assert(DESK.ok, JSON.stringify(DESK));
const { model } = DESK;

async function withDirectory(body: (directory: Database) => Promise<void>): Promise<void> {
  await withModelDatabase(model, async (directory) => {
    await foundAccounts(directory, {
      organizations: ["org_a", "org_b"],
      users: ["user_a", "user_b"],
      teams: { team_a: "org_a", team_b: "org_b" },
    });
    for (const letter of ["a", "b"]) {
      await insert(directory, "auth_member", {
        organization_id: `org_${letter}`,
        user_id: `user_${letter}`,
        role: "member",
        id: `member_${letter}`,
      });
      await insert(directory, "push_subscriptions", {
        id: `subscription_${letter}`,
        owner_id: `user_${letter}`,
      });
    }
    await body(directory);
  });
}

const tables = tenantTables(model);

Deno.test("every table of an organization's database says whose its rows are", () => {
  assertEquals(tables.map(({ name }) => name).toSorted(), [...scopeCells("a").keys()].toSorted());
});

for (const { name: table } of tables) {
  Deno.test(`a row of another organization in ${table} makes an export none`, async () => {
    await withDirectory(async (directory) => {
      await withModelDatabase(model, async (source) => {
        const held = { source, directory, tables, organizationId: "org_a" };
        await insert(source, "webhook_endpoints", {
          id: "endpoint_a",
          organization_id: "org_a",
        });
        // The key of a chain is the organization.
        const keyed = (id: string) => table === "audit_chains" ? {} : { id };
        await insert(source, table, { ...scopeCells("a").get(table), ...keyed("own") });
        await requireOwnRows(held);
        await insert(source, table, { ...scopeCells("b").get(table), ...keyed("foreign") });
        await assertRejects(() => requireOwnRows(held), Error, `table "${table}" is not of`);
      });
    });
  });
}

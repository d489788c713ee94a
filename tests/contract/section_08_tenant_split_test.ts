/** A project with one database for all goes to one for each organization (definitions 8): nothing is lost, doubled or replaced. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { exportFiles } from "../../library/platform/mod.ts";
import type { Database, ExportFiles, Reader } from "../../shared/runtime/ports.ts";
import { type ApiUnderTest, withDefinitions } from "../support/api.ts";
import { ANNA, BERT, FILES, run, SHARED, texts, write } from "../support/apart_project.ts";
import { TENANT_DRIVERS } from "../support/databases.ts";

for (const driver of TENANT_DRIVERS) {
  const apart = (body: (api: ApiUnderTest) => Promise<void>) =>
    withDefinitions(FILES, body, { driver });
  const test = (name: string, body: () => Promise<void>) =>
    Deno.test(`${driver.name}: ${name}`, body);

  test("a shared database is split whole, again after it was broken off, and into no other's", async () => {
    await withDefinitions(SHARED, async (shared) => {
      for (const [as, text] of [[ANNA, "one"], [ANNA, "two"], [BERT, "of b"]] as const) {
        await write(shared, as, text);
      }
      assertEquals((await shared.ask("plans", { as: ANNA, body: { name: "Large" } })).status, 201);
      const source: Database = { ...shared.database, close: () => Promise.resolve() };
      const files: ExportFiles = { ...exportFiles(null), source: () => Promise.resolve(source) };
      await apart(async (api) => {
        const split = () => run(api, { kind: "split", from: "file:x" }, { files });
        const first = await split();
        assertEquals(first.lines, ["2 done, 0 were already, 0 failed"]);
        assertEquals((await split()).lines, ["0 done, 2 were already, 0 failed"]);
        assertEquals(await texts(api, ANNA), ["one", "two"]);
        assertEquals(await texts(api, BERT), ["of b"]);
        const plans = await api.ask("plans", { as: BERT });
        assert(JSON.stringify(plans.body).includes("Large"), plans.text);
        await write(api, ANNA, "three");
        assertEquals((await split()).lines.at(-1), "0 done, 1 were already, 1 failed");
        assertEquals(await texts(api, ANNA), ["one", "three", "two"]);
        assertEquals((await api.ask("plans", { as: ANNA, body: { name: "Small" } })).status, 201);
        await assertRejects(split, Error, '"plans" has other rows already');
      });
    });
  });

  test("what a shared database keeps of deleted organizations stays in the directory when it is split", async () => {
    await withDefinitions(SHARED, async (shared) => {
      await write(shared, ANNA, "one");
      await write(shared, BERT, "is being deleted");
      const all = [
        "INSERT INTO organization_purges VALUES ('pur_b', 'org_b', 'running', '2026', NULL)",
        "INSERT INTO organization_purges VALUES ('pur_c', 'org_c', 'done', '2026', '2026')",
        `INSERT INTO audit_events (id, request_id, action_name, operation, target_scope, target_org_id, result, created_at)
          VALUES ('aud_c', 'req', 'deleteOrganization', 'purge', 'organization', 'org_c', 'success', '2026')`,
        `INSERT INTO idempotency_keys VALUES ('key', 'f', 'p', 'org_d', 201, NULL, '[]', '', '2099')`,
      ].map((sql) => ({ sql, args: [] }));
      await shared.database.write((transaction) => transaction.runAll(all));
      const source: Database = { ...shared.database, close: () => Promise.resolve() };
      const files: ExportFiles = { ...exportFiles(null), source: () => Promise.resolve(source) };
      await apart(async (api) => {
        const split = await run(api, { kind: "split", from: "file:x" }, { files });
        assertEquals(split.lines, ["2 done, 0 were already, 0 failed"]);
        const { database: directory, tenants } = api.ports;
        const column = async (sql: string, database: Reader = directory) =>
          (await database.run({ sql, args: [] })).rows.map(([cell]) => cell);
        const named = "SELECT organization_id FROM tenant_databases ORDER BY 1";
        assertEquals(await column(named), ["org_a", "org_d"]);
        assertEquals(await column("SELECT id FROM audit_events"), ["aud_c"]);
        assertEquals(await column("SELECT id FROM organization_purges ORDER BY 1"), [
          "pur_b",
          "pur_c",
        ]);
        const keys = "SELECT id FROM idempotency_keys";
        const own = tenants?.of("org_d", "never");
        assertEquals([await column(keys), await column(keys, own)], [["key"], ["key"]]);
      });
    });
  });
}

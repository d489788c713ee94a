/** Jobs that declare `unsafe` (contract 4.4 rule 3, definitions 6): who queues them, what they reach, what is told of it. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { systemRandomness } from "../../library/platform/mod.ts";
import { newSecret, signatureOf } from "../../shared/runtime/webhooks/outbound/secret.ts";
import { type Claims, START } from "../support/api.ts";
import { withCompiled } from "../support/compiled_actions.ts";
import { type DriverUnderTest, ofOneDatabase, TENANT_DRIVERS } from "../support/databases.ts";
import { foundAccounts } from "../support/found_accounts.ts";
import { unsafeDesk } from "../support/unsafe_desk.ts";
import {
  ADMIN,
  dataOf,
  MEMBER,
  STRANGER,
  type WebhooksUnderTest,
  withWebhooks,
} from "../support/webhooks.ts";

const test = ofOneDatabase("it looks into one database for what stands in an organization's");

const ROOT: Claims = { sub: "root", userRole: "sysadmin" };
/** The same in an organization. */
const ROOT_IN_A: Claims = { ...ROOT, orgId: "org_a", roles: ["admin"] };
const SECRET = newSecret(systemRandomness);

function withDesk(
  body: (api: WebhooksUnderTest) => Promise<void>,
  { config = "", ...options }: { readonly config?: string; readonly driver?: DriverUnderTest } = {},
): Promise<void> {
  return withCompiled(unsafeDesk(config), ({ model, code }) =>
    withWebhooks(async (api) => {
      await foundAccounts(api.ports.database, { organizations: ["org_a", "org_b"] });
      await paper(api, MEMBER, "one");
      await paper(api, ADMIN, "two");
      const gone = await paper(api, MEMBER, "gone");
      assertEquals((await api.ask(gone, { as: MEMBER, method: "DELETE" })).status, 200);
      await paper(api, STRANGER, "of b");
      await body(api);
    }, { project: model, code, env: { STANDARD_WEBHOOK_SECRET: SECRET }, ...options }));
}

async function paper(api: WebhooksUnderTest, as: Claims, title: string): Promise<string> {
  const made = await api.ask("papers", { as, body: { title } });
  assertEquals(made.status, 201, made.text);
  return `papers/${made.body["id"]}`;
}

const tally = (api: WebhooksUnderTest, as: Claims, body: object, of = "papers") =>
  api.ask(`${of}/tally`, { as, body });

async function rows(api: WebhooksUnderTest, sql: string): Promise<readonly unknown[]> {
  return (await api.ports.database.run({ sql, args: [] })).rows;
}

const counts = async (api: WebhooksUnderTest) =>
  (await rows(api, "SELECT text FROM counts ORDER BY rowid")).flat();

const audits = (api: WebhooksUnderTest) =>
  rows(
    api,
    `SELECT action_name, actor_user_id, target_scope, target_org_id, result FROM audit_events
      WHERE action_name LIKE 'job:%' ORDER BY rowid`,
  );

test("an unsafe job meets the deleted rows of its tenant, and no other's", async () => {
  await withDesk(async (api) => {
    assertEquals((await tally(api, MEMBER, { job: "sweep" })).status, 200);
    await api.work();
    const titles = "SELECT DISTINCT title FROM papers ORDER BY title";
    assertEquals((await rows(api, titles)).flat(), ["2 of 3", "gone", "of b"]);
    assertEquals(await audits(api), [["job:sweep", "user_m", "organization", "org_a", "success"]]);
    await tally(api, MEMBER, { job: "sweep", how: "foreign" });
    await api.work();
    const [told] = dataOf(await api.ask("/jobs/v1?status=queued", { as: ADMIN }));
    assertStringIncludes(String(told?.["error"]), "FIREWALL_ORG_ISOLATION");
    assertEquals((await audits(api)).slice(1), [
      ["job:sweep", "user_m", "organization", "org_a", "denied"],
      ["job:sweep", "user_m", "organization", "org_b", "denied"],
    ]);
  });
});

test("a job across tenants is queued by sysadmin alone, is nobody's, and reaches everybody's rows", async () => {
  await withDesk(async (api) => {
    for (const as of [MEMBER, ADMIN]) {
      const refused = await tally(api, as, { job: "census" });
      assertEquals([refused.status, refused.body["code"]], [403, "ACCESS_ROLE_REQUIRED"]);
    }
    assertEquals(await rows(api, "SELECT id FROM quickback_job_runs"), []);
    for (const how of ["count", "scoped", "each"]) {
      assertEquals((await tally(api, ROOT_IN_A, { job: "census", how })).status, 200);
      await api.work();
    }
    // Deleted ones are met where no scope was named; a scope has the rows of every owner.
    assertEquals(await counts(api), ["count 4 ", "scoped 1 ", "each 2 1 "]);
    assertEquals(dataOf(await api.ask("/jobs/v1", { as: ADMIN })), []);
    const told = dataOf(await api.ask("/jobs/v1", { as: ROOT }));
    assertEquals(told.map(({ status }) => status), ["done", "done", "done"]);
    assertEquals(await audits(api), [
      ["job:census", "root", "all", null, "success"],
      ["job:census", "root", "all", "org_b", "success"],
      ["job:census", "root", "all", "org_a", "success"],
      ["job:census", "root", "all", "org_b", "success"],
    ]);
  });
});

test("schedules and jobs across tenants queue one, events from outside do not", async () => {
  await withDesk(async (api) => {
    await api.work();
    api.pass(5 * 60_000);
    await api.work();
    assertEquals(await counts(api), ["count 4 "]);
    assertEquals(await audits(api), [["job:census", null, "all", null, "success"]]);
    await tally(api, ROOT_IN_A, { job: "census", how: "again" });
    await api.work();
    await api.work();
    assertEquals(await counts(api), ["count 4 ", "again ", "count 4 "]);

    const body = JSON.stringify({ type: "told", data: {} });
    const timestamp = Math.floor(START / 1000) + 300;
    const signature = await signatureOf({ id: "1", timestamp, body }, [SECRET]);
    const hooked = await api.ask("/webhooks/v1/inbound/standard", {
      body,
      headers: {
        "webhook-id": "1",
        "webhook-timestamp": String(timestamp),
        "webhook-signature": signature,
      },
    });
    assertEquals(hooked.status, 200, hooked.text);
    await api.work();
    const errors = (await rows(api, "SELECT error FROM webhook_events")).flat();
    assertStringIncludes(String(errors[0]), "A job across tenants is queued by");
    assertEquals((await counts(api)).length, 3);
  });
});

test("a run that fails keeps what its steps did, and each is told of", async () => {
  await withDesk(async (api) => {
    await tally(api, ROOT_IN_A, { job: "census", how: "crash" });
    await api.work();
    const seen = "SELECT organization_id FROM papers WHERE title = 'seen'";
    assertEquals((await rows(api, seen)).flat(), ["org_b"]);
    assertEquals(await audits(api), [
      ["job:census", "root", "all", "org_b", "success"],
      ["job:census", "root", "all", "org_a", "error"],
    ]);
  });
});

test("what a tenant queued before its job reached across tenants does not run, however often it is retried", async () => {
  await withDesk(async (api) => {
    await tally(api, MEMBER, { job: "sweep" });
    // As it stands there when a new version of the project says crossTenant of a job that waits.
    const sql = "UPDATE quickback_job_runs SET job = 'census'";
    await api.ports.database.write(async (transaction) => {
      assertEquals((await transaction.run({ sql, args: [] })).changes, 1);
    });
    for (const wait of [0, 10_000, 10_000]) {
      api.pass(wait);
      await api.work();
    }
    const [told] = dataOf(await api.ask("/jobs/v1?status=failed", { as: ADMIN }));
    assertStringIncludes(String(told?.["error"]), "ACCESS_ROLE_REQUIRED");
    const again = await api.ask(`/jobs/v1/${told?.["id"]}/retry`, { as: ADMIN, method: "POST" });
    assertEquals(again.status, 200, again.text);
    await api.work();
    assertEquals(await counts(api), []);
    const denied = ["job:census", "user_m", "all", "org_a", "denied"];
    assertEquals(await audits(api), [denied, denied, denied, denied]);
  });
});

test("a step that fails is told of with what it reached and why", async () => {
  await withDesk(async (api) => {
    await tally(api, ROOT_IN_A, { job: "census", how: "stumble" });
    await api.work();
    assertEquals(await counts(api), ["stumble "]);
    const told = `SELECT target_org_id, result, error_code FROM audit_events
      WHERE action_name LIKE 'job:%' ORDER BY rowid`;
    assertEquals(await rows(api, told), [
      ["org_b", "error", "INTERNAL_ERROR"],
      [null, "success", null],
    ]);
  });
});

const DIVIDED = 'providers: { database: defineDatabase("libsql", { tenancy: "perOrganization" }) }';

for (const driver of TENANT_DRIVERS) {
  Deno.test(`${driver.name}: a job across tenants reaches one organization at a time`, async () => {
    await withDesk(async (api) => {
      for (const how of ["scoped", "each", "count"]) {
        assertEquals((await tally(api, ROOT, { job: "census", how }, "counts")).status, 200);
        await api.work();
      }
      assertEquals(await counts(api), ["scoped 1 ", "each 2 1 "]);
      const [told] = dataOf(await api.ask("/jobs/v1?status=queued", { as: ROOT }));
      assertStringIncludes(String(told?.["error"]), "reaches one organization at a time");
      const apart = await tally(api, ROOT_IN_A, { job: "census" });
      assertEquals([apart.status, apart.body["code"]], [500, "ACTION_EXECUTION_FAILED"]);
      assert(api.log.some(({ error }) => String(error).includes("belongs to no tenant")));
      const own = await tally(api, MEMBER, { job: "sweep" });
      assertEquals(own.status, 200, own.text);
      await api.work();
      const { body: { data } } = await api.ask("papers", { as: MEMBER });
      assert(JSON.stringify(data).includes("2 of 3"));
    }, { config: DIVIDED, driver });
  });
}

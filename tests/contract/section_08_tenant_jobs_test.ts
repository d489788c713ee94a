/** Jobs and schedules where each organization has a database of its own (definitions 2, `tenancy`; definitions 6). */
import { assert, assertEquals } from "@std/assert";
import { organizationEnding } from "../../shared/accounts/mod.ts";
import { exportFiles, systemTimer } from "../../library/platform/mod.ts";
import type { RawFiles } from "../../shared/compiler/mod.ts";
import {
  type BackgroundWorker,
  createBackgroundWorker,
  runTenantCommand,
} from "../../shared/runtime/mod.ts";
import type { Database, Reader, TenantDatabases } from "../../shared/runtime/ports.ts";
import { buryTenant, tenantName } from "../../shared/runtime/data/tenants/tenant_rows.ts";
import type { ApiUnderTest } from "../support/api.ts";
import { withCompiled } from "../support/compiled_actions.ts";
import { type DriverUnderTest, TENANT_DRIVERS, withDatabase } from "../support/databases.ts";
import { migrationOf } from "../support/divided_database.ts";
import { foundAccounts } from "../support/found_accounts.ts";
import { schemaOf } from "../support/model_database.ts";
import { jobDesk } from "../support/job_desk.ts";
import {
  ADMIN,
  dataOf,
  MEMBER,
  STRANGER,
  type WebhooksUnderTest,
  withWebhooks,
} from "../support/webhooks.ts";

const ROOT = { sub: "root", userRole: "sysadmin" } as const;
const HOUR = 60 * 60 * 1000;
const JOBS = "quickback_job_runs";

/** Price lists belong to nobody; whoever changes one has a job done for the own organization. */
const FILES: RawFiles = {
  "quickback/features/prices/prices.ts": `import { feature, q } from "quickback";
export default feature("prices", {
  columns: { name: q.text().required() },
  firewall: { exception: true },
  guards: { createable: ["name"] },
  read: { access: { roles: ["AUTHENTICATED"] } },
  create: { access: { roles: ["AUTHENTICATED"] } },
});
`,
  "quickback/features/prices/actions/announce.ts": `import { defineAction } from "quickback";
import { z } from "zod";
export default defineAction({
  description: "Tells the caller's organization of a price",
  input: z.object({ key: z.string().optional(), delay: z.number().optional() }),
  access: { roles: ["AUTHENTICATED"] },
  async execute({ jobs, record, input }) {
    return { job: await jobs.pulse.enqueue({ text: record.name }, input) };
  },
});
`,
};

interface Desk extends WebhooksUnderTest {
  readonly tenants: TenantDatabases;
  another(): BackgroundWorker;
}

function withDesk(
  driver: DriverUnderTest,
  body: (api: Desk) => Promise<void>,
): Promise<void> {
  return withCompiled(
    jobDesk(FILES),
    ({ model, code }) =>
      withWebhooks(async (api) => {
        await foundAccounts(api.ports.database, { organizations: ["org_a", "org_b"] });
        const { webhooks, tenants } = api.ports;
        assert(webhooks && tenants);
        const ports = { ...api.ports, webhooks, timer: systemTimer };
        const another = () => createBackgroundWorker(api.project, ports, code);
        await body({ ...api, tenants, another });
      }, { project: model, code, driver }),
  );
}

async function column(reader: Reader, sql: string): Promise<readonly unknown[]> {
  return (await reader.run({ sql, args: [] })).rows.map(([cell]) => cell);
}

async function shipped(api: ApiUnderTest, input = {}, as = MEMBER): Promise<string> {
  const order = await api.ask("orders", { as, body: { title: "Boots" } });
  assertEquals(order.status, 201, order.text);
  const answer = await api.ask(`orders/${order.body["id"]}/ship`, { as, body: input });
  assertEquals(answer.status, 200, answer.text);
  return String(answer.body["job"]);
}

async function announced(api: ApiUnderTest, input = {}): Promise<string> {
  const price = await api.ask("prices", { as: MEMBER, body: { name: "cheap" } });
  const answer = await api.ask(`prices/${price.body["id"]}/announce`, { as: MEMBER, body: input });
  assertEquals(answer.status, 200, answer.text);
  return String(answer.body["job"]);
}

async function drained(worker: BackgroundWorker): Promise<void> {
  while (await worker.tick() > 0) await worker.settled();
}

for (const driver of TENANT_DRIVERS) {
  const test = (name: string, body: (api: Desk) => Promise<void>) =>
    Deno.test(`${driver.name}: ${name}`, () => withDesk(driver, body));

  test("a job stands beside its effect, and whichever process looks for work finds it", async (api) => {
    const { database: directory } = api.ports;
    const own = api.tenants.of("org_a", "never");
    const id = await shipped(api);
    assertEquals(await column(directory, `SELECT id FROM ${JOBS}`), []);
    assertEquals(await column(own, `SELECT id FROM ${JOBS}`), [id]);
    await drained(api.another());
    assertEquals(await column(own, `SELECT status FROM ${JOBS}`), ["done"]);
    assertEquals(await column(own, "SELECT text FROM notes"), ["send org_a user_m true 0"]);
    assertEquals(await column(directory, "SELECT count(*) FROM notes"), [0]);
  });

  test("a job that waits keeps its organization known, and is forgotten when it is over", async (api) => {
    const marked = async () =>
      (await api.tenants.working("", 10)).map(({ organizationId }) => organizationId);
    await shipped(api, { delay: 600 });
    const worker = api.another();
    api.pass(120_000);
    await drained(worker);
    assertEquals(await marked(), ["org_a"]);
    api.pass(600_000);
    await drained(worker);
    const own = api.tenants.of("org_a", "never");
    assertEquals(await column(own, `SELECT status FROM ${JOBS}`), ["done"]);
    api.pass(120_000);
    await drained(worker);
    assertEquals(await marked(), []);
  });

  test("admins act on jobs of their own organization, and a sysadmin on those that are named", async (api) => {
    const own = await shipped(api, { how: "never" });
    const other = await shipped(api, {}, { ...STRANGER, roles: ["member"] });
    await api.work();
    for (const wait of [3000, 5000]) {
      api.pass(wait);
      await api.work();
    }
    const ids = async (as: object, search = "") =>
      dataOf(await api.ask(`/jobs/v1${search}`, { as: { sub: "x", ...as } })).map(({ id }) => id);
    assertEquals([await ids(ADMIN), await ids(STRANGER)], [[own], [other]]);
    assertEquals(await ids(ROOT), []);
    assertEquals(await ids(ROOT, "?organizationId=org_b"), [other]);
    assertEquals(await ids({ ...ADMIN, ...ROOT }, "?organizationId=org_b"), [other]);
    assertEquals((await api.ask("/jobs/v1?organizationId=org_b", { as: ADMIN })).status, 403);
    assertEquals((await api.ask("/jobs/v1", { as: MEMBER })).status, 403);
    const retry = (as: object, search = "") =>
      api.ask(`/jobs/v1/${own}/retry${search}`, {
        as: { sub: "x", ...as },
        method: "POST",
        headers: { "idempotency-key": "again" },
      });
    assertEquals((await retry(STRANGER)).status, 403);
    assertEquals((await retry(ROOT, "?organizationId=org_b")).status, 403);
    const again = await retry(ADMIN);
    assertEquals([again.status, again.body["status"]], [200, "queued"], again.text);
    assertEquals((await retry(ADMIN)).headers.get("idempotency-replayed"), "true");
    const cancelled = await api.ask(`/jobs/v1/${own}/cancel?organizationId=org_a`, {
      as: ROOT,
      method: "POST",
    });
    assertEquals([cancelled.status, cancelled.body["status"]], [200, "cancelled"], cancelled.text);
    // Nobody's database is made by whoever only looks.
    await ids(ROOT, "?organizationId=org_nobody");
    assertEquals(await api.tenants.organizations("", 10), ["org_a", "org_b"]);
  });

  test("a job that is queued beside rows of the directory goes to its organization, and once", async (api) => {
    const { database: directory } = api.ports;
    const id = await announced(api);
    assertEquals(await column(directory, `SELECT id FROM ${JOBS}`), [id]);
    const workers = [api.another(), api.another()];
    await Promise.all(workers.map(drained));
    await drained(api.another());
    const own = api.tenants.of("org_a", "never");
    assertEquals(await column(directory, `SELECT id FROM ${JOBS}`), []);
    assertEquals(await column(own, `SELECT id || ' ' || status FROM ${JOBS}`), [`${id} done`]);
    assertEquals(await column(own, "SELECT text FROM notes"), ["cheap org_a"]);
    // Put off, it is there to be cancelled; under a key it gives way to the one that waits.
    const later = await announced(api, { delay: 600, key: "k" });
    await api.work();
    await announced(api, { delay: 600, key: "k" });
    await api.work();
    const waiting = await api.ask("/jobs/v1?status=queued", { as: ADMIN });
    assertEquals(dataOf(waiting).map((job) => job["id"]), [later]);
    assertEquals(await column(directory, `SELECT id FROM ${JOBS}`), []);
  });

  test("a schedule for each organization reaches every database, and one without a tenant the directory", async (api) => {
    await api.work();
    api.pass(4 * HOUR);
    await api.work();
    for (const id of ["org_a", "org_b"]) {
      const own = api.tenants.of(id, "never");
      assertEquals(await column(own, "SELECT text FROM notes"), [`morning ${id}`]);
    }
    const { database: directory } = api.ports;
    assertEquals(await column(directory, "SELECT text FROM pulses"), ["tick null"]);
    assertEquals(await column(directory, `SELECT organization_id FROM ${JOBS}`), [null]);
  });

  test("a deleted organization's jobs run no more, and those on their way are dropped", async (api) => {
    await shipped(api);
    await announced(api);
    const { database: directory } = api.ports;
    const name = await tenantName("org_a");
    await directory.write((transaction) =>
      buryTenant(transaction, {
        organizationId: "org_a",
        name,
        createdAt: "2026-01-02T00:00:00.000Z",
      })
    );
    await api.tenants.remove("org_a");
    await api.work();
    assertEquals(await column(directory, `SELECT id FROM ${JOBS}`), []);
    assertEquals(await api.tenants.working("", 10), []);
    assert(api.log.some(({ message }) => message.includes("its organization was deleted")));
    const id = await shipped(api, {}, { ...STRANGER, roles: ["member"] });
    await api.work();
    const other = await api.ask(`/jobs/v1/${id}`, { as: STRANGER });
    assertEquals(other.body["status"], "done", other.text);
  });
}

const [files] = TENANT_DRIVERS;

Deno.test("jobs that wait go with their organizations when a project is split, and none is forgotten", async () => {
  const embedded: DriverUnderTest = { name: "embedded", with: withDatabase };
  await withCompiled(jobDesk(FILES), ({ model, code }) =>
    withWebhooks(async (shared) => {
      const id = await shipped(shared, { delay: 600 });
      await shared.work();
      const source: Database = { ...shared.database, close: () => Promise.resolve() };
      assert(files);
      await withDesk(files, async (api) => {
        const { database: directory, tenants, clock, random } = api.ports;
        assert(tenants);
        // The accounts come from there.
        await directory.write((transaction) =>
          transaction.run({ sql: "DELETE FROM auth_organization", args: [] })
        );
        const { hasFailed } = await runTenantCommand({ kind: "split", from: "file:x" }, {
          ...{ project: api.project, directory, tenants, clock, random },
          migrations: [migrationOf(schemaOf(api.project))],
          files: { ...exportFiles(null), source: () => Promise.resolve(source) },
          progress: () => {},
          endOrganization: organizationEnding(api.project),
        });
        assertEquals(hasFailed, false);
        assertEquals(await column(directory, `SELECT id FROM ${JOBS}`), []);
        api.pass(700_000);
        await drained(api.another());
        const own = tenants.of("org_a", "never");
        assertEquals(await column(own, `SELECT id || ' ' || status FROM ${JOBS}`), [`${id} done`]);
      });
    }, { project: model, code, driver: embedded }));
});

Deno.test("a job on its way waits for a database that cannot be reached, and stops nobody else's", async () => {
  let isAway = false;
  assert(files);
  const failing: DriverUnderTest = {
    name: files.name,
    with: (body) =>
      files.with((database, copy, store) => {
        assert(store);
        return body(database, copy, {
          ...store,
          async open(name) {
            if (isAway && name === await tenantName("org_a")) throw new Error("The disk is away");
            return await store.open(name);
          },
        });
      }),
  };
  await withDesk(failing, async (api) => {
    // So that it has a database.
    await shipped(api);
    await api.work();
    isAway = true;
    // Others take its place among the open ones.
    const push = async () => {
      for (const orgId of ["org_1", "org_2", "org_3"]) await shipped(api, {}, { ...MEMBER, orgId });
      await api.work();
    };
    await push();
    const id = await announced(api);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      api.pass(3000);
      await api.work();
    }
    const { database: directory } = api.ports;
    assertEquals(await column(directory, `SELECT id FROM ${JOBS}`), [id]);
    const [status] = await column(directory, `SELECT status FROM ${JOBS}`);
    assert(status === "queued" || status === "running");
    isAway = false;
    api.pass(3000);
    await api.work();
    assertEquals(await column(directory, `SELECT id FROM ${JOBS}`), []);
    const own = api.tenants.of("org_a", "never");
    const found = await column(own, `SELECT status FROM ${JOBS} WHERE id = '${id}'`);
    assertEquals(found, ["done"]);
  });
});

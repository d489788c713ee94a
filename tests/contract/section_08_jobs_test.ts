/** Definitions 6: jobs that actions queue, and schedules. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { organizationEnding } from "../../shared/accounts/mod.ts";
import { systemRandomness } from "../../library/platform/mod.ts";
import type { RawFiles } from "../../shared/compiler/mod.ts";
import {
  type BackgroundWorker,
  createBackgroundWorker,
  type Timer,
} from "../../shared/runtime/mod.ts";
import { beginPurge } from "../../shared/runtime/data/purges.ts";
import { buryTenant, tenantName } from "../../shared/runtime/data/tenants/tenant_rows.ts";
import { newSecret, signatureOf } from "../../shared/runtime/webhooks/outbound/secret.ts";
import { type Claims, START } from "../support/api.ts";
import { withCompiled } from "../support/compiled_actions.ts";
import { foundAccounts } from "../support/found_accounts.ts";
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
const HOOK_SECRET = newSecret(systemRandomness);
const SECOND = 1000;
const DAY = 24 * 60 * 60 * SECOND;

/** Waits a thousandth of the time, and keeps the process until then. */
const HASTY: Timer = {
  after(milliseconds, run) {
    const id = setTimeout(run, milliseconds / 1000);
    return () => clearTimeout(id);
  },
};

function withDesk(
  body: (api: WebhooksUnderTest, another: () => BackgroundWorker) => Promise<void>,
  { files, ...options }: { readonly timer?: Timer; readonly files?: RawFiles } = {},
): Promise<void> {
  return withCompiled(
    jobDesk(files),
    ({ model, code }) =>
      withWebhooks(async (api) => {
        await foundAccounts(api.database, { organizations: ["org_a", "org_b"] });
        const { webhooks } = api.ports;
        assert(webhooks);
        const ports = { ...api.ports, webhooks, timer: HASTY };
        await body(api, () => createBackgroundWorker(model, ports, code));
      }, { project: model, code, env: { STANDARD_WEBHOOK_SECRET: HOOK_SECRET }, ...options }),
  );
}

async function orderOf(api: WebhooksUnderTest, as = MEMBER): Promise<string> {
  return String((await api.ask("orders", { as, body: { title: "Boots" } })).body["id"]);
}

async function ship(
  api: WebhooksUnderTest,
  order: string,
  input: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const { body, status, text } = await api.ask(`orders/${order}/ship`, { as: MEMBER, body: input });
  assertEquals(status, 200, text);
  return String(body["job"]);
}

async function column(api: WebhooksUnderTest, sql: string): Promise<readonly unknown[]> {
  return (await api.database.run({ sql, args: [] })).rows.map(([cell]) => cell);
}

const notes = (api: WebhooksUnderTest) => column(api, "SELECT text FROM notes ORDER BY rowid");

Deno.test("a job runs as the tenant of its action, with the writes and stamps of whoever queued it", async () => {
  await withDesk(async (api) => {
    const order = await orderOf(api);
    const id = await ship(api, order);
    const [queued] = dataOf(await api.ask("/jobs/v1", { as: ADMIN }));
    assertEquals([queued?.["id"], queued?.["status"], queued?.["attempts"]], [id, "queued", 0]);
    assertEquals(queued?.["input"], { orderId: order, how: "send", token: "[REDACTED]" });
    await api.work();
    assertEquals(await notes(api), ["send org_a user_m true 0"]);
    assertEquals(await column(api, "SELECT organization_id FROM notes"), ["org_a"]);
    // Of another owner than the job's reader: the owner does not bind it.
    assertEquals(await column(api, "SELECT mails FROM orders"), [1]);
    const { body } = await api.ask(`/jobs/v1/${id}`, { as: ADMIN });
    assertEquals([body["status"], body["attempts"], body["error"]], ["done", 1, null]);
  });
});

Deno.test("a job is bound by no rule that follows relations, its unsafe database neither", async () => {
  const job = (jobDesk()["quickback/jobs/send-mail.ts"] ?? "")
    .replace("  timeout: 60,", '  timeout: 60, unsafe: { reason: "Counts all" },')
    .replace("db, ctx, attempt", "db, unsafeDb, ctx, attempt")
    .replace(
      /const \[order\] = .*\n/,
      `$&
    const found = [db, unsafeDb].map(async (one) => (await one.select().from(lines)).length);
    await db.insert(notes).values({ text: (await Promise.all(found)).join(" ") });
    if (order) return;
`,
    ).replace(
      "import { orders }",
      'import { lines } from "../features/lines/lines";\nimport { orders }',
    );
  const lines = `import { feature, q } from "quickback";
import { orders } from "../orders/orders";
export const lines = feature("lines", {
  columns: {
    id: q.id(), organizationId: q.scope("organization"),
    orderId: q.text().references(() => orders.id),
  },
  firewall: [
    { field: "organizationId", equals: "ctx.activeOrgId" },
    { through: "order", where: { title: "nobody's" } },
  ],
  read: { access: { roles: ["member", "admin"] } },
});
export default lines;
`;
  const files = {
    "quickback/jobs/send-mail.ts": job,
    "quickback/features/lines/lines.ts": lines,
  };
  await withDesk(async (api) => {
    const order = await orderOf(api);
    await api.database.write((transaction) =>
      transaction.run({
        sql: "INSERT INTO lines (id, organization_id, order_id, created_at, modified_at) " +
          "VALUES ('l1', 'org_a', ?, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')",
        args: [order],
      })
    );
    assertEquals(dataOf(await api.ask("lines", { as: MEMBER })), []);
    await ship(api, order);
    await api.work();
    assertEquals(await notes(api), ["1 1"]);
  }, { files });
});

Deno.test("a job goes with the action that threw, with a dry run, and runs no sooner than it was put off to", async () => {
  await withDesk(async (api) => {
    const order = await orderOf(api);
    await api.ask(`orders/${order}/ship`, { as: MEMBER, body: { fails: true } });
    const rehearsed = await api.ask(`orders/${order}/ship?dryRun=true`, { as: MEMBER, body: {} });
    assertEquals(rehearsed.status, 200);
    assertEquals(await column(api, "SELECT count(*) FROM quickback_job_runs"), [0]);
    await ship(api, order, { delay: 60 });
    await api.work();
    assertEquals(await notes(api), []);
    api.pass(61 * SECOND);
    await api.work();
    assertEquals((await notes(api)).length, 1);
    const refused = await api.ask(`orders/${order}/ship`, {
      as: MEMBER,
      body: { delay: 31 * 24 * 3600 },
    });
    assertEquals([refused.status, refused.body["code"]], [500, "ACTION_EXECUTION_FAILED"]);
  });
});

Deno.test("a key stands for one job that waits, runs or finished within a day", async () => {
  await withDesk(async (api) => {
    const order = await orderOf(api);
    const first = await ship(api, order, { key: "once" });
    assertEquals(await ship(api, order, { key: "once", how: "other" }), first);
    await api.work();
    assertEquals(await ship(api, order, { key: "once" }), first);
    api.pass(DAY + SECOND);
    assert(await ship(api, order, { key: "once" }) !== first);
  });
});

Deno.test("a job is tried three times, and what a failed run wrote is not there", async () => {
  await withDesk(async (api) => {
    const order = await orderOf(api);
    await ship(api, order, { how: "flaky" });
    const late = await ship(api, order, { how: "late" });
    for (const wait of [0, 2, 4]) {
      api.pass(wait * SECOND + 50);
      await api.work();
    }
    assertEquals(await notes(api), ["flaky org_a user_m true 0"]);
    assertEquals(await column(api, "SELECT mails FROM orders"), [1]);
    const { body } = await api.ask(`/jobs/v1/${late}`, { as: ADMIN });
    assertEquals([body["status"], body["attempts"], body["error"]], [
      "failed",
      3,
      "After its writes",
    ]);
    assert(body["finishedAt"] !== null);
  });
});

Deno.test("a step that was finished is not run again, and a later attempt gets what it gave", async () => {
  await withDesk(async (api) => {
    await ship(api, await orderOf(api), { how: "steps" });
    await api.work();
    assertEquals(await notes(api), ["step 1"]);
    api.pass(2 * SECOND + 50);
    await api.work();
    assertEquals((await notes(api)).slice(0, 2), ["step 1", "made by 1"]);
  });
});

Deno.test("a job queues another one with its own transaction", async () => {
  await withDesk(async (api) => {
    await ship(api, await orderOf(api), { how: "chain" });
    await api.work();
    assertEquals((await notes(api)).length, 2);
    assertEquals(await column(api, "SELECT DISTINCT organization_id FROM quickback_job_runs"), [
      "org_a",
    ]);
  });
});

Deno.test("admins of the tenant list, retry and cancel its jobs, and nobody else's", async () => {
  await withDesk(async (api) => {
    const order = await orderOf(api);
    const failing = await ship(api, order, { how: "never" });
    for (const wait of [0, 2, 4]) {
      api.pass(wait * SECOND + 50);
      await api.work();
    }
    const waiting = await ship(api, order, { delay: 3600 });
    const refusals = [
      await api.ask("/jobs/v1", { as: MEMBER }),
      await api.ask(`/jobs/v1/${failing}`, { as: STRANGER }),
      await api.ask(`/jobs/v1/${failing}/retry`, { as: STRANGER, method: "POST" }),
      await api.ask(`/jobs/v1/${failing}/cancel`, { as: ADMIN, method: "POST" }),
      await api.ask(`/jobs/v1/${waiting}/retry`, { as: ADMIN, method: "POST" }),
      await api.ask("/jobs/v1?organizationId=org_a", { as: STRANGER }),
      await api.ask("/jobs/v1?order=id", { as: ADMIN }),
    ];
    assertEquals(refusals.map(({ status, body }) => [status, body["code"]]), [
      [403, "ACCESS_ROLE_REQUIRED"],
      [403, "FIREWALL_NOT_FOUND"],
      [403, "FIREWALL_NOT_FOUND"],
      [409, "JOB_STATE"],
      [409, "JOB_STATE"],
      [403, "FIREWALL_ORG_ISOLATION"],
      [400, "VALIDATION_INVALID_INPUT"],
    ]);
    assertEquals(dataOf(await api.ask("/jobs/v1", { as: STRANGER })), []);
    assertEquals(dataOf(await api.ask("/jobs/v1", { as: ROOT })), []);
    const named = await api.ask("/jobs/v1?organizationId=org_a&status=failed", { as: ROOT });
    assertEquals(dataOf(named).map(({ id }) => id), [failing]);
    const cancelled = await api.ask(`/jobs/v1/${waiting}/cancel`, { as: ADMIN, method: "POST" });
    assertEquals(cancelled.body["status"], "cancelled");
    const again = await api.ask(`/jobs/v1/${failing}/retry`, { as: ADMIN, method: "POST" });
    assertEquals([again.body["status"], again.body["attempts"]], ["queued", 0]);
    api.pass(3700 * SECOND);
    await api.work();
    assertEquals(await notes(api), []);
    const { body } = await api.ask(`/jobs/v1/${failing}`, { as: ADMIN });
    assertEquals([body["status"], body["attempts"]], ["queued", 1]);
  });
});

Deno.test("a tick of a schedule queues its job once, and a new schedule begins with the next one", async () => {
  await withDesk(async (api) => {
    const pulses = () => column(api, "SELECT text FROM pulses ORDER BY rowid");
    await api.work();
    assertEquals(await pulses(), []);
    api.pass(5 * 60 * SECOND);
    await api.work();
    await api.work();
    assertEquals(await pulses(), ["tick null"]);
    // Three ticks later one run takes the place of those that were missed.
    api.pass(15 * 60 * SECOND);
    await api.work();
    assertEquals(await pulses(), ["tick null", "tick null"]);
    assert(api.log.some(({ message }) => message.includes("missed")));
  });
});

Deno.test("a schedule for each organization queues a job with its scope", async () => {
  await withDesk(async (api) => {
    await api.work();
    api.pass(4 * 60 * 60 * SECOND);
    await api.work();
    assertEquals(await column(api, "SELECT text FROM pulses"), ["tick null"]);
    assertEquals(
      await column(api, "SELECT organization_id || ': ' || text FROM notes ORDER BY text"),
      ["org_a: morning org_a", "org_b: morning org_b"],
    );
  });
});

/** A schedule whose job takes a list of names with a number each. */
const counted = (input: string, check = "") => ({
  "quickback/jobs/count.ts": `import { defineJob, z } from "quickback";
export default defineJob({
  input: z.strictObject({ parts: z.array(z.object({ times: z.number() })) })${check},
  run: () => {},
});
`,
  "quickback/schedules/nightly.ts": `import { defineSchedule } from "quickback";
export default defineSchedule({ cron: "0 3 * * *", job: "count", input: ${input} });
`,
});

Deno.test("a schedule with an input that its job refuses keeps the API from starting, and says where", async () => {
  const begun: string[] = [];
  const starts = (files: RawFiles, name: string) =>
    withDesk(() => Promise.resolve(void begun.push(name)), { files });
  await assertRejects(
    () => starts(counted('{ parts: [{ times: 1 }, { times: "2" }], more: 1 }'), "wrong"),
    Error,
    'Cannot start: schedule "nightly" queues job "count" with what its schema refuses (' +
      "input.parts.1.times: Invalid input: expected number, received string; " +
      'input: Unrecognized key: "more"): correct "input" in quickback/schedules/nightly.ts',
  );
  await starts(counted("{ parts: [{ times: 1 }] }"), "right");
  // Only a promise can tell.
  await starts(counted("{ parts: [] }", ".refine(async () => false)"), "later");
  assertEquals(begun, ["right", "later"]);
});

Deno.test("a run that holds the only writer for longer than five seconds is undone, with the way out", async () => {
  await withDesk(async (api) => {
    const id = await ship(api, await orderOf(api), { how: "long" });
    await api.work();
    assertEquals(await notes(api), []);
    const { body } = await api.ask(`/jobs/v1/${id}`, { as: ADMIN });
    assertStringIncludes(String(body["error"]), "step()");
  }, { timer: HASTY });
});

Deno.test("a run whose lease is another's by now leaves nothing", async () => {
  await withDesk(async (api) => {
    const write = (sql: string) =>
      api.database.write(async (transaction) => void await transaction.run({ sql, args: [] }));
    const status = () => column(api, "SELECT status FROM quickback_job_runs");
    await ship(api, await orderOf(api), { how: "wait" });
    await api.worker.tick();
    while ((await status())[0] !== "running") await new Promise((done) => setTimeout(done, 5));
    await write("UPDATE quickback_job_runs SET lease = lease + 1");
    await write(
      "INSERT INTO pulses (id, text, created_at, modified_at) VALUES ('p1', 'go', '', '')",
    );
    await api.worker.settled();
    assertEquals([await notes(api), await status()], [[], ["running"]]);
    assert(api.log.some(({ message }) => message.includes("too late")));
  });
});

Deno.test("the deletion of an organization takes its jobs along", async () => {
  await withDesk(async (api) => {
    await ship(api, await orderOf(api), { delay: 60 });
    const { database: accounts, tenants } = api.ports;
    const createdAt = "2026-01-02T03:04:05.678Z";
    await accounts.write(async (transaction) => {
      const endOrganization = organizationEnding(api.project);
      const how = { now: createdAt, endOrganization };
      await beginPurge(transaction, { id: "p1", organizationId: "org_a" }, how);
      const name = await tenantName("org_a");
      if (tenants) await buryTenant(transaction, { organizationId: "org_a", name, createdAt });
    });
    await api.work();
    assertEquals(await column(api, "SELECT count(*) FROM quickback_job_runs"), [0]);
  });
});

Deno.test("a tick is queued once over two instances that look at the same time", async () => {
  await withDesk(async (api, another) => {
    const second = another();
    await api.worker.tick();
    for (let tick = 0; tick < 3; tick += 1) {
      api.pass(5 * 60 * SECOND);
      await Promise.all([api.worker.tick(), second.tick()]);
      await Promise.all([api.worker.settled(), second.settled()]);
    }
    await api.work();
    const queued = await column(api, "SELECT count(*) FROM quickback_job_runs");
    assertEquals(queued, [3]);
    assertEquals((await column(api, "SELECT text FROM pulses")).length, 3);
  });
});

Deno.test("handlers of events queue jobs for the organization that they name, and for no other", async () => {
  await withDesk(async (api) => {
    const hook = async (id: string, data: object) => {
      const body = JSON.stringify({ type: "told", data });
      const timestamp = Math.floor(START / 1000);
      const signature = await signatureOf({ id, timestamp, body }, [HOOK_SECRET]);
      return await api.ask("/webhooks/v1/inbound/standard", {
        body,
        headers: {
          "webhook-id": id,
          "webhook-timestamp": String(timestamp),
          "webhook-signature": signature,
        },
      });
    };
    assertEquals((await hook("1", { organizationId: "org_b" })).status, 200);
    assertEquals((await hook("2", {})).status, 200);
    await api.work();
    assertEquals(await notes(api), ["hook org_b"]);
    const errors = await column(api, "SELECT error FROM webhook_events ORDER BY external_id");
    assertEquals(errors[0], null);
    assertStringIncludes(String(errors[1]), "organizationId");
  });
});

Deno.test("/mcp lists, retries and cancels jobs for those who may", async () => {
  await withDesk(async (api) => {
    const order = await orderOf(api);
    const waiting = await ship(api, order, { delay: 60 });
    const call = async (as: Claims, name: string, args: object) => {
      const { text } = await api.ask("/mcp", {
        as,
        body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
        headers: { accept: "application/json, text/event-stream" },
      });
      return text;
    };
    assertStringIncludes(await call(ADMIN, "list_jobs", { status: "queued" }), waiting);
    assertStringIncludes(await call(ADMIN, "retry_job", { id: waiting }), "JOB_STATE");
    assertStringIncludes(await call(ADMIN, "cancel_job", { id: waiting }), "cancelled");
    assertStringIncludes(await call(MEMBER, "list_jobs", {}), "no such tool");
    assert(!(await call(STRANGER, "list_jobs", {})).includes(waiting));
  });
});

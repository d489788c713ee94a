/** Definitions 6: the jobs and the schedule of the example `saas`, from what queues them to what they tell. */
import { assertEquals } from "@std/assert";
import { isRecord } from "../support/api.ts";
import { withCompiled } from "../support/compiled_actions.ts";
import { foundAccounts } from "../support/found_accounts.ts";
import { projectFiles } from "../support/sample_files.ts";
import { ADMIN, dataOf, type WebhooksUnderTest, withWebhooks } from "../support/webhooks.ts";

const SAAS = await projectFiles(new URL("../../examples/saas/", import.meta.url));
const OTHER = { sub: "user_o", orgId: "org_b", roles: ["admin"] } as const;
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

function withSaas(body: (api: WebhooksUnderTest) => Promise<void>): Promise<void> {
  return withCompiled(SAAS, ({ model, code }) =>
    withWebhooks(async (api) => {
      await foundAccounts(api.database, { organizations: ["org_a", "org_b"] });
      await body(api);
    }, { project: model, code }));
}

async function made(
  api: WebhooksUnderTest,
  path: string,
  body: object = {},
  as: typeof ADMIN | typeof OTHER = ADMIN,
): Promise<string> {
  const answer = await api.ask(path, { as, body });
  assertEquals([200, 201].includes(answer.status), true, answer.text);
  return String(answer.body["id"]);
}

/** Type and data of what was sent to the endpoint. */
function told({ dialled }: WebhooksUnderTest, url: string, type: string): readonly unknown[] {
  return dialled.filter((call) => call.url === url).flatMap(({ body }) => {
    const event: unknown = JSON.parse(typeof body === "string" ? body : "null");
    return isRecord(event) && event["type"] === type ? [event["data"]] : [];
  });
}

const HOOK = "https://hooks.example.com/a";
const OTHER_HOOK = "https://hooks.example.com/b";

Deno.test("an invoice that nobody has paid two weeks after it was sent is told of once, and a paid one is not", async () => {
  await withSaas(async (api) => {
    await api.register({ url: HOOK });
    const ids: string[] = [];
    for (const number of ["2026-1", "2026-2"]) {
      const id = await made(api, "invoices", {
        ...{ number, customerName: "Acme", billingEmail: "pay@acme.example", amount: 4200 },
      });
      await made(api, `invoices/${id}/send`);
      ids.push(id);
    }
    await made(api, `invoices/${ids[1]}/pay`);
    const waiting = dataOf(await api.ask("/jobs/v1?status=queued", { as: ADMIN }));
    assertEquals(waiting.map(({ job }) => job), ["remind", "remind"]);
    assertEquals(waiting.map(({ key }) => key).toSorted(), ids.toSorted());
    api.pass(13 * DAY);
    await api.work();
    assertEquals(told(api, HOOK, "invoice.overdue"), []);
    api.pass(DAY + HOUR);
    await api.work();
    assertEquals(told(api, HOOK, "invoice.overdue"), [
      { id: ids[0], number: "2026-1", amount: 4200, currency: "EUR" },
    ]);
    const done = dataOf(await api.ask("/jobs/v1?status=done", { as: ADMIN }));
    assertEquals(done.filter(({ job }) => job === "remind").length, 2);
  });
});

Deno.test("each night every organization hears how many of its own tasks are open", async () => {
  await withSaas(async (api) => {
    await api.register({ url: HOOK });
    await api.register({ url: OTHER_HOOK, as: OTHER });
    const projectId = await made(api, "projects", { name: "Site" });
    for (const priority of ["high", "low", "normal"]) {
      const id = await made(api, "tasks", { projectId, title: "Write", priority });
      if (priority === "low") await made(api, `tasks/${id}/complete`);
    }
    const elsewhere = await made(api, "projects", { name: "Shop" }, OTHER);
    await made(api, "tasks", { projectId: elsewhere, title: "Read" }, OTHER);
    // The schedule is seen for the first time; its next tick is the first that counts.
    await api.work();
    api.pass(DAY);
    await api.work();
    assertEquals(told(api, HOOK, "tasks.open"), [{ tasks: 2, urgent: 1 }]);
    assertEquals(told(api, OTHER_HOOK, "tasks.open"), [{ tasks: 1, urgent: 0 }]);
    const [job, ...others] = dataOf(await api.ask("/jobs/v1", { as: ADMIN }));
    assertEquals([job?.["job"], job?.["status"], others], ["digest", "done", []]);
  });
});

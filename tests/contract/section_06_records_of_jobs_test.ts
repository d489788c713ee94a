/** Definitions 6, `db.records` and hooks where no route is asked: in jobs, and in what inbound events do (contract 6.2). */
import { assertEquals } from "@std/assert";
import { systemRandomness } from "../../library/platform/mod.ts";
import type { RawFiles } from "../../shared/compiler/mod.ts";
import { newSecret } from "../../shared/runtime/webhooks/outbound/secret.ts";
import { withCompiled } from "../support/compiled_actions.ts";
import { foundAccounts } from "../support/found_accounts.ts";
import { jobDesk } from "../support/job_desk.ts";
import { serviceDesk } from "../support/service_desk.ts";
import { ADMIN, MEMBER, type WebhooksUnderTest, withWebhooks } from "../support/webhooks.ts";

function withProject(
  files: RawFiles,
  body: (api: WebhooksUnderTest) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  return withCompiled(files, ({ model, code }) =>
    withWebhooks(async (api) => {
      await foundAccounts(api.database, { organizations: ["org_a", "org_b"] });
      await body(api);
    }, { project: model, code, env }));
}

const JOB = `import { defineJob } from "quickback";
import { z } from "zod";
import { notes } from "../features/notes/notes";
import { orders } from "../features/orders/orders";
export default defineJob({
  input: z.object({ orderId: z.string(), how: z.string(), token: z.string() }),
  async run({ input: { orderId, how }, db }) {
    await db.records.update(orders, orderId, { mails: 5 });
    const told = [];
    try { await db.records.create(notes, { text: 7 }); } catch (error) { told.push(error.code); }
    try { await db.records.update(orders, "none", { mails: 1 }); } catch (error) { told.push(error.code); }
    await db.records.create(notes, { text: told.join() });
    if (how === "fail") throw new Error("No");
  },
});
`;

const HOOKS = `import { defineHooks } from "quickback";
import { orders } from "../orders";
export default defineHooks(orders, {
  beforeUpdate: ({ record, next, ctx }) => ({ title: record.title + " of " + ctx.organizationId + ": " + next.mails }),
});
`;

Deno.test("a job's db.records run hooks, and are kept and undone with the run", () =>
  withProject(
    jobDesk({
      "quickback/jobs/send-mail.ts": JOB,
      "quickback/features/orders/hooks/orders.ts": HOOKS,
    }),
    async (api) => {
      const { body } = await api.ask("orders", { as: MEMBER, body: { title: "Boots" } });
      const path = `orders/${body["id"]}`;
      const noted = async () =>
        (await api.database.run({ sql: "SELECT text, organization_id FROM notes", args: [] })).rows
          .map((row) => [...row]);
      await api.ask(`${path}/ship`, { as: MEMBER, body: { how: "fail" } });
      await api.work();
      assertEquals(await noted(), []);
      await api.ask(`${path}/ship`, { as: MEMBER, body: {} });
      await api.work();
      const { body: order } = await api.ask(path, { as: MEMBER });
      assertEquals([order["title"], order["mails"]], ["Boots of org_a: 5", 5]);
      assertEquals(await noted(), [["VALIDATION_ERROR,FIREWALL_NOT_FOUND", "org_a"]]);
    },
    { STANDARD_WEBHOOK_SECRET: newSecret(systemRandomness) },
  ));

Deno.test("scopeTo of an inbound event has db.records, which run hooks", () => {
  const files = Object.fromEntries(
    Object.entries(serviceDesk()).map(([path, text]) => [
      path,
      text.replaceAll(/db\.insert\(tickets\)\.values\(/g, "db.records.create(tickets, "),
    ]),
  );
  const hooks = `import { defineHooks } from "quickback";
import { tickets } from "../schema";
export default defineHooks(tickets, { beforeCreate: ({ changes, ctx }) => ({ title: changes.title + " in " + ctx.organizationId }) });
`;
  return withProject(
    { ...files, "quickback/features/tickets/hooks/tickets.ts": hooks },
    async (api) => {
      const knock = { kind: "opened", id: "e1", organization: "org_a", title: "Knock" };
      const event = JSON.stringify(knock);
      const headers = { "x-forge-signature": `s3cret:${event.length}` };
      await api.ask("/webhooks/v1/inbound/forge", { body: event, headers });
      await api.work();
      const { body } = await api.ask("tickets?fields=title", { as: ADMIN });
      assertEquals(body["data"], [{ title: "Knock in org_a" }]);
    },
    { FORGE_WEBHOOK_SECRET: "s3cret" },
  );
});

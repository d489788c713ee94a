/** Authors of changes that no request makes, and the history of the example `saas` (definitions 4, `audit`). */
import { assertEquals } from "@std/assert";
import { systemRandomness } from "../../library/platform/mod.ts";
import type { RawFiles } from "../../shared/compiler/mod.ts";
import { newSecret } from "../../shared/runtime/webhooks/outbound/secret.ts";
import type { Claims } from "../support/api.ts";
import { withCompiled } from "../support/compiled_actions.ts";
import { foundAccounts } from "../support/found_accounts.ts";
import { jobDesk } from "../support/job_desk.ts";
import { projectFiles } from "../support/sample_files.ts";
import { serviceDesk } from "../support/service_desk.ts";
import { ADMIN, MEMBER, type WebhooksUnderTest, withWebhooks } from "../support/webhooks.ts";

const SAAS = await projectFiles(new URL("../../examples/saas/", import.meta.url));

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

/** The file with its resource's history kept. */
function audited(files: RawFiles, file: string): RawFiles {
  return {
    ...files,
    [file]: (files[file] ?? "").replace("  guards:", "  audit: true,\n  guards:"),
  };
}

async function authors(api: WebhooksUnderTest, path: string, as: Claims = ADMIN) {
  const { status, text } = await api.ask(`${path}/history`, { as });
  assertEquals(status, 200, text);
  const { data }: { data: Readonly<Record<string, unknown>>[] } = JSON.parse(text);
  return data.map(({ kind, actorUserId, operation }) => [kind, actorUserId, operation]);
}

Deno.test("what a job changes is told of whoever queued it, once for each run that stays", async () => {
  const files = audited(jobDesk(), "quickback/features/orders/orders.ts");
  await withProject(files, async (api) => {
    const { body } = await api.ask("orders", { as: MEMBER, body: { title: "Boots" } });
    const path = `orders/${body["id"]}`;
    await api.ask(`${path}/ship`, { as: MEMBER, body: {} });
    await api.work();
    // Its writes are undone with it.
    await api.ask(`${path}/ship`, { as: MEMBER, body: { how: "late" } });
    await api.work();
    assertEquals(await authors(api, path, { ...MEMBER, roles: ["admin"] }), [
      ["update", MEMBER.sub, "job:sendMail"],
      ["create", MEMBER.sub, "createOrders"],
    ]);
  }, { STANDARD_WEBHOOK_SECRET: newSecret(systemRandomness) });
});

Deno.test("what an inbound event changes is told of the event, and of nobody", async () => {
  const files = audited(serviceDesk(), "quickback/features/tickets/tickets.ts");
  await withProject(files, async (api) => {
    const knock = { kind: "opened", id: "e1", organization: "org_a", title: "Knock" };
    const event = JSON.stringify(knock);
    const headers = { "x-forge-signature": `s3cret:${event.length}` };
    const answer = await api.ask("/webhooks/v1/inbound/forge", { body: event, headers });
    assertEquals(answer.status, 200, answer.text);
    await api.work();
    const { body } = await api.ask("tickets", { as: ADMIN });
    const [ticket] = Array.isArray(body["data"]) ? body["data"] : [];
    assertEquals(await authors(api, `tickets/${ticket?.id}`), [[
      "create",
      null,
      "event:forge:opened",
    ]]);
  }, { FORGE_WEBHOOK_SECRET: "s3cret" });
});

Deno.test("the books of the example saas tell of every move of an invoice, to admins alone", async () => {
  await withProject(SAAS, async (api) => {
    const invoice = {
      number: "2026-1",
      customerName: "Acme",
      billingEmail: "pay@acme.example",
      amount: 4200,
    };
    const { body } = await api.ask("invoices", { as: ADMIN, body: invoice });
    const path = `invoices/${body["id"]}`;
    await api.ask(path, { method: "PATCH", as: ADMIN, body: { customerName: "Acme Ltd" } });
    await api.ask(`${path}/send`, { as: ADMIN, body: {} });
    const { text } = await api.ask(`${path}/history?limit=2`, { as: ADMIN });
    const { data } = JSON.parse(text);
    assertEquals(
      data.map(({ before, after }: Record<string, Record<string, unknown>>) => [
        before?.["status"] ?? before?.["customerName"],
        after?.["status"] ?? after?.["customerName"],
      ]),
      [["draft", "sent"], ["Acme", "Acme Ltd"]],
    );
    const member = await api.ask(`${path}/history`, { as: { ...MEMBER, roles: ["member"] } });
    assertEquals(member.body["code"], "ACCESS_ROLE_REQUIRED");
  });
});

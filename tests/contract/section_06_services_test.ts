/** Contract 2.11, 6.1, 6.2 and definitions 6: services, and events that handlers emit. */
import { assert, assertEquals } from "@std/assert";
import type { RawFiles } from "../../shared/compiler/mod.ts";
import { withCompiled } from "../support/compiled_actions.ts";
import { foundAccounts } from "../support/found_accounts.ts";
import { serviceDesk } from "../support/service_desk.ts";
import {
  ADMIN,
  dataOf,
  MEMBER,
  type WebhooksUnderTest,
  withWebhooks,
} from "../support/webhooks.ts";

const ENV = { FORGE_WEBHOOK_SECRET: "forged", GREETING: "hello" };
const SYSADMIN = { sub: "user_r", userRole: "sysadmin" };
const STRANGER = { sub: "user_s", orgId: "org_b", roles: ["admin"] };

function withDesk(
  body: (api: WebhooksUnderTest) => Promise<void>,
  files: RawFiles = {},
): Promise<void> {
  return withCompiled(
    serviceDesk(files),
    ({ model, code }) =>
      withWebhooks(async (api) => {
        await foundAccounts(api.database, { organizations: ["org_a", "org_b"] });
        await body(api);
      }, { project: model, code, env: ENV }),
  );
}

async function ticketOf(api: WebhooksUnderTest, as = MEMBER, title = "Leak"): Promise<unknown> {
  return (await api.ask("tickets", { as, body: { title } })).body["id"];
}

/** The bodies that went out, as far as they say what was emitted. */
function sent({ dialled }: WebhooksUnderTest): readonly unknown[] {
  return dialled.map(({ body }) => {
    const { type, data } = JSON.parse(String(body));
    return [type, data];
  });
}

Deno.test("a handler's services work in its own tenant, and see what its transaction wrote", async () => {
  await withDesk(async (api) => {
    const id = await ticketOf(api);
    await ticketOf(api);
    await ticketOf(api, STRANGER);
    const { status, body } = await api.ask(`tickets/${id}/close`, { as: MEMBER, body: {} });
    assertEquals([status, body], [200, { open: 1, isOne: true }]);
  });
});

Deno.test("an event of an action goes out when the action commits, and only to its organization", async () => {
  await withDesk(async (api) => {
    await api.register();
    await api.register({ as: STRANGER, url: "https://hooks.example.com/other" });
    const id = await ticketOf(api);
    await api.ask(`tickets/${id}/close`, { as: MEMBER, body: {} });
    await api.work();
    assertEquals(sent(api), [["ticket.closed", { id, open: 0 }]]);
  });
});

Deno.test("an event goes with the action that threw, and with a dry run", async () => {
  await withDesk(async (api) => {
    await api.register();
    const id = await ticketOf(api);
    const failed = await api.ask(`tickets/${id}/close`, { as: MEMBER, body: { fails: true } });
    assertEquals([failed.status, failed.body["code"]], [500, "ACTION_EXECUTION_FAILED"]);
    const dry = await api.ask(`tickets/${id}/close?dryRun=true`, { as: MEMBER, body: {} });
    assertEquals([dry.status, dry.body["open"]], [200, 0]);
    await api.work();
    assertEquals(sent(api), []);
  });
});

Deno.test("an event reaches no scope that its caller could not reach", async () => {
  await withDesk(async (api) => {
    await api.register({ as: STRANGER });
    await api.database.write((transaction) =>
      transaction.runAll([
        ["user_m", "org_a"],
        ["user_c", "org_a"],
        ["user_s", "org_b"],
      ].flatMap(([user = "", organization = ""]) => memberStatements(user, organization)))
    );
    const tell = async (body: unknown) => {
      const { status, body: answer } = await api.ask("tickets/tell", { as: MEMBER, body });
      return [status, answer["code"]];
    };
    assertEquals(await tell({ organizationId: "org_a" }), [200, undefined]);
    assertEquals(await tell({ organizationId: "org_b" }), [403, "FIREWALL_ORG_ISOLATION"]);
    assertEquals(await tell({ userId: "user_m" }), [200, undefined]);
    assertEquals(await tell({ userId: "user_c" }), [200, undefined]);
    assertEquals(await tell({ userId: "user_s" }), [403, "FIREWALL_USER_ISOLATION"]);
    assertEquals(await tell({ userId: "nobody" }), [403, "FIREWALL_USER_ISOLATION"]);
    await api.work();
    assertEquals(sent(api), []);
  });
});

function memberStatements(user: string, organization: string) {
  const at = "2026-01-01T00:00:00.000Z";
  return [
    {
      sql: `INSERT INTO auth_user (id, name, email, email_verified, created_at, updated_at)
        VALUES (?, ?, ?, 1, ?, ?)`,
      args: [user, user, `${user}@example.com`, at, at],
    },
    {
      sql:
        `INSERT OR IGNORE INTO auth_organization (id, name, slug, created_at) VALUES (?, ?, ?, ?)`,
      args: [organization, organization, organization, at],
    },
    {
      sql: `INSERT INTO auth_member (id, organization_id, user_id, role, created_at)
        VALUES (?, ?, ?, 'member', ?)`,
      args: [`mem_${user}`, organization, user, at],
    },
  ];
}

Deno.test("an event without a scope reaches nobody, and the log says so", async () => {
  await withDesk(async (api) => {
    await api.register();
    const told = await api.ask("tickets/tell", { as: MEMBER, body: {} });
    assertEquals(told.status, 200);
    await api.work();
    assertEquals(sent(api), []);
    assert(
      api.log.some(({ message }) => message === "A webhook event without a scope reaches nobody"),
    );
  });
});

Deno.test("an event that nobody waits for is still part of the action, or logged", async () => {
  await withDesk(async (api) => {
    await api.register();
    const tell = (body: Readonly<Record<string, unknown>>) =>
      api.ask("tickets/tell", { as: MEMBER, body: { ...body, isAwaited: false } });
    assertEquals((await tell({ organizationId: "org_a" })).status, 200);
    assertEquals((await tell({ organizationId: "org_b" })).status, 200);
    await api.work();
    assertEquals(sent(api), [["desk.told", null]]);
    assert(api.log.some(({ message }) => message === "A webhook event was not emitted"));
  });
});

Deno.test("emitWebhookEvent needs the env of its handler, or a copy of it", async () => {
  await withDesk(async (api) => {
    await api.register();
    const tell = async (env: string) => {
      const body = { organizationId: "org_a", env };
      return (await api.ask("tickets/tell", { as: MEMBER, body })).status;
    };
    assertEquals([await tell("given"), await tell("spread"), await tell("foreign")], [
      200,
      200,
      500,
    ]);
    await api.work();
    assertEquals(sent(api).length, 2);
  });
});

const EVENTS = "/webhooks/v1/inbound/events";

function sendForge(api: WebhooksUnderTest, event: unknown, signature?: string) {
  const body = typeof event === "string" ? event : JSON.stringify(event);
  return api.ask("/webhooks/v1/inbound/forge", {
    method: "POST",
    body,
    headers: { "x-forge-signature": signature ?? `forged:${body.length}` },
  });
}

Deno.test("a provider of the project's own receives, and its handlers work in the scope that they name", async () => {
  await withDesk(async (api) => {
    await api.register();
    const event = { kind: "opened", id: "e1", organization: "org_a", title: "From the forge" };
    assertEquals((await sendForge(api, event)).body, { received: true, duplicate: false });
    assertEquals((await sendForge(api, event)).body, { received: true, duplicate: true });
    await api.work();
    const [stored] = dataOf(await api.ask(EVENTS, { as: ADMIN }));
    assertEquals([stored?.["eventType"], stored?.["status"]], ["forge:opened", "processed"]);
    const tickets = dataOf(await api.ask("tickets", { as: MEMBER }));
    assertEquals(tickets.map(({ title, createdBy }) => [title, createdBy]), [[
      "From the forge",
      null,
    ]]);
    assertEquals(dataOf(await api.ask("tickets", { as: STRANGER })), []);
    assertEquals(
      new Set(sent(api)),
      new Set([
        ["ticket.opened", { open: 1 }],
        ["forge.seen", { type: "forge:opened" }],
      ]),
    );
  });
});

Deno.test("what a failing handler wrote and emitted in its scope is taken back, and the event is tried again", async () => {
  await withDesk(async (api) => {
    await api.register({ events: ["ticket.opened"] });
    const event = { kind: "opened", id: "e1", organization: "org_a", title: "No", fails: true };
    await sendForge(api, event);
    await api.work();
    const [stored] = dataOf(await api.ask(EVENTS, { as: ADMIN }));
    const { status, error, attempts } = stored ?? {};
    assertEquals([status, error, attempts], ["failed", "The desk is closed", 1]);
    assertEquals(dataOf(await api.ask("tickets", { as: MEMBER })), []);
    assertEquals(sent(api), []);
    api.pass(2000);
    await api.work();
    const [again] = dataOf(await api.ask(EVENTS, { as: ADMIN }));
    assertEquals(again?.["attempts"], 2);
  });
});

Deno.test("an event for an organization that does not exist writes nothing, is tried again, and fails by its code", async () => {
  await withDesk(async (api) => {
    await sendForge(api, { kind: "opened", id: "e1", title: "For nobody" });
    await api.work();
    const stored = async () => dataOf(await api.ask(EVENTS, { as: SYSADMIN }))[0] ?? {};
    const { status, error, attempts } = await stored();
    assertEquals([status, error, attempts], ["failed", "FIREWALL_ORG_ISOLATION", 1]);
    const { rows } = await api.database.run({ sql: "SELECT count(*) FROM tickets", args: [] });
    assertEquals(rows[0]?.[0], 0);
    const logged = api.log.filter(({ message }) => message === "A webhook handler failed");
    assertEquals(logged.map(({ level, fields }) => [level, fields?.["type"]]), [
      ["error", "forge:opened"],
    ]);
    api.pass(2000);
    await foundAccounts(api.database, { organizations: ["undefined"] });
    await api.work();
    assertEquals((await stored())["status"], "processed");
  });
});

Deno.test("a provider's own code decides what is genuine, and fails closed", async () => {
  await withDesk(async (api) => {
    const rows: readonly [unknown, string | undefined, number, string | undefined][] = [
      [{ kind: "opened", id: "1" }, "wrong", 401, "WEBHOOK_SIGNATURE_INVALID"],
      [{ kind: "opened", id: "1" }, "", 401, "WEBHOOK_SIGNATURE_INVALID"],
      ["no json", undefined, 400, "VALIDATION_ERROR"],
      [{ id: "without a kind" }, undefined, 400, "VALIDATION_ERROR"],
      [{ kind: "opened", id: 7 }, undefined, 400, "VALIDATION_ERROR"],
      [{ kind: "seen" }, undefined, 200, undefined],
    ];
    for (const [event, signature, status, code] of rows) {
      const answer = await sendForge(api, event, signature);
      assertEquals([answer.status, answer.body["code"]], [status, code], JSON.stringify(event));
    }
    const unsigned = await api.ask("/webhooks/v1/inbound/forge", { method: "POST", body: "{}" });
    assertEquals(unsigned.status, 401);
    assertEquals(dataOf(await api.ask(EVENTS, { as: SYSADMIN })).length, 1);
  });
});

Deno.test("a verification that promises, throws or answers truthily verifies nothing", async () => {
  const provider = (verify: string) => ({
    "quickback/services/forge.ts": `import { defineWebhookProvider } from "quickback";
export default defineWebhookProvider({
  name: "forge",
  verifySignature: ${verify},
  parseEvent: (payload) => ({ type: "seen", data: payload }),
});
`,
  });
  for (
    const [verify, status] of [
      ['() => { throw new Error("no"); }', 401],
      ['() => JSON.parse("1")', 401],
      ["() => Promise.resolve(false)", 401],
      ["(payload, signature) => Promise.resolve(payload === signature)", 200],
    ] as const
  ) {
    await withDesk(async (api) => {
      const answer = await api.ask("/webhooks/v1/inbound/forge", {
        method: "POST",
        body: "plain text",
        headers: { "forge-signature": "plain text" },
      });
      assertEquals(answer.status, status, verify);
    }, provider(verify));
  }
});

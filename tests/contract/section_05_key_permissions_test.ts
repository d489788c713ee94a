/** API keys that were narrowed when they were made: what they may still do, wherever it is asked (contract 5.1). */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createSecretBox, databaseQueue, memoryPubSub } from "../../shared/runtime/mod.ts";
import {
  admin,
  founder,
  helpdesk,
  signedUp,
  type Visitor,
  withAccountsApi,
} from "../support/accounts_api.ts";
import { type Answer, type ApiUnderTest, AUTH_SECRET } from "../support/api.ts";
import { withCompiled } from "../support/compiled_actions.ts";
import { connected } from "../support/mcp_client.ts";
import { manualTimer } from "../support/realtime.ts";
import { projectFiles } from "../support/sample_files.ts";
import { answered } from "../support/webhooks.ts";

const HELPDESK = await projectFiles(new URL("../../examples/helpdesk/", import.meta.url));

type Permissions = Readonly<Record<string, readonly string[]>>;

interface Scene {
  readonly api: ApiUnderTest;
  /** Owner of the organization, who may do everything. */
  readonly anna: Visitor;
  readonly customer: string;
  readonly ticket: string;
  /** Asks with a key of Anna's that was narrowed so. */
  as(permissions: Permissions): Promise<(path: string, ask?: Asked) => Promise<Answer>>;
}

interface Asked {
  readonly method?: string;
  readonly body?: unknown;
}

const made = (visitor: Visitor, asked: unknown) => visitor.ask("/api/auth/api-key/create", asked);

function withHelpdesk(body: (scene: Scene) => Promise<void>): Promise<void> {
  return withCompiled(HELPDESK, ({ model, code }) =>
    withAccountsApi(async (api) => {
      const anna = await founder(api, "anna", "acme");
      const customer = await anna.ask("customers", { name: "Eve", email: "eve@example.com" });
      const customerId = String(customer.body["id"]);
      const ticket = await anna.ask("tickets", { customerId, subject: "Printer" });
      assertEquals(ticket.status, 201, ticket.text);
      await body({
        api,
        anna,
        customer: customerId,
        ticket: String(ticket.body["id"]),
        as: async (permissions) => {
          const key = await made(anna, { permissions });
          assertEquals(key.status, 200, key.text);
          const headers = { "x-api-key": String(key.body["key"]) };
          return (path, asked) => api.ask(path, { headers, ...asked });
        },
      });
    }, {
      project: model,
      code,
      realtime: ({ clock }) => ({ pubSub: memoryPubSub(clock), timer: manualTimer(clock) }),
    }));
}

const outcome = ({ status, body }: Answer) => body["code"] ?? status;

Deno.test("a key that reads only reads everything that its maker reads, and changes nothing", () =>
  withHelpdesk(async ({ as, customer, ticket }) => {
    const ask = await as({ "*": ["read"] });
    const rows: readonly (readonly [string, Asked, string | number])[] = [
      ["tickets", {}, 200],
      ["tickets/views/queue", {}, 200],
      [`tickets/${ticket}?include=customerId`, {}, 200],
      [`customers/${customer}`, {}, 200],
      ["tickets", { body: { customerId: customer, subject: "x" } }, "ACCESS_ROLE_REQUIRED"],
      [`tickets/${ticket}`, { method: "PATCH", body: { subject: "x" } }, "ACCESS_ROLE_REQUIRED"],
      [`tickets/${ticket}`, { method: "DELETE" }, "ACCESS_ROLE_REQUIRED"],
      [`tickets/${ticket}/resolve`, { body: {} }, "ACCESS_ROLE_REQUIRED"],
      ["/openapi.json", {}, 200],
    ];
    for (const [path, asked, expected] of rows) {
      assertEquals(outcome(await ask(path, asked)), expected, `${asked.method ?? ""} ${path}`);
    }
    assertEquals((await ask(`tickets/${ticket}`)).body["subject"], "Printer");
  }));

Deno.test("a refusal names what the key lacks", () =>
  withHelpdesk(async ({ as, ticket }) => {
    const ask = await as({ tickets: ["read"] });
    const { body } = await ask(`tickets/${ticket}`, { method: "DELETE" });
    assertMatch(String(body["detail"]), /permissions do not hold delete of "tickets"/);
    assertMatch(String(body["hint"]), /among its permissions/);
  }));

Deno.test("permissions of one resource show nothing of another, wherever it comes along", () =>
  withHelpdesk(async ({ as, ticket, anna }) => {
    const ask = await as({ tickets: ["read", "update"] });
    const read = await ask(`tickets/${ticket}`);
    assertEquals((await anna.ask(`tickets/${ticket}`)).body["customer_label"], "Eve");
    assertEquals([read.status, read.body["customer_label"]], [200, null]);
    assertEquals(outcome(await ask("customers")), "ACCESS_ROLE_REQUIRED");
    const included = await ask(`tickets/${ticket}?include=customerId`);
    assertEquals(outcome(included), "ACCESS_ROLE_REQUIRED");
    const where = encodeURIComponent(JSON.stringify({ customer: { plan: "free" } }));
    assertEquals(outcome(await ask(`tickets?where=${where}`)), "ACCESS_ROLE_REQUIRED");
    const changed = await ask(`tickets/${ticket}`, { method: "PATCH", body: { subject: "Ink" } });
    assertEquals([changed.status, changed.body["customer_label"]], [200, null]);
  }));

Deno.test("permissions of one action run that action, and no other", () =>
  withHelpdesk(async ({ as, ticket }) => {
    const ask = await as({ tickets: ["resolve"] });
    assertEquals(
      outcome(await ask(`tickets/${ticket}/reopen`, { body: {} })),
      "ACCESS_ROLE_REQUIRED",
    );
    assertEquals(outcome(await ask(`tickets/${ticket}/resolve`, { body: {} })), 200);
    assertEquals(outcome(await ask("tickets")), "ACCESS_ROLE_REQUIRED");
  }));

Deno.test("permissions add nothing: a key may what its maker may at the time of the call", () =>
  withHelpdesk(async ({ api, as, ticket }) => {
    const ask = await as({ tickets: ["read", "delete"] });
    const become = (role: string) =>
      api.database.write((transaction) =>
        transaction.run({ sql: "UPDATE auth_member SET role = ?", args: [role] })
      );
    await become("agent");
    assertEquals(outcome(await ask("tickets")), 200);
    assertEquals(
      outcome(await ask(`tickets/${ticket}`, { method: "DELETE" })),
      "ACCESS_ROLE_REQUIRED",
    );
    await become("admin");
    assertEquals(outcome(await ask(`tickets/${ticket}`, { method: "DELETE" })), 200);
  }));

Deno.test("an agent with a narrowed key is offered the tools that it may use", () =>
  withHelpdesk(async ({ api, anna }) => {
    const toolsOf = async (permissions?: Permissions) => {
      const { body } = await made(anna, permissions ? { permissions } : {});
      const { names } = await connected(api, { "x-api-key": String(body["key"]) });
      return await names();
    };
    const [all, reading] = [await toolsOf(), await toolsOf({ "*": ["read"] })];
    assert(all.some((name) => name.includes("create")), all.join());
    assertEquals(reading.filter((name) => /create|update|delete|resolve/.test(name)), []);
    assert(reading.some((name) => name.startsWith("list")), reading.join());
  }));

Deno.test("what no permission names is closed to narrowed keys: webhook endpoints", () =>
  withAccountsApi(async (api) => {
    const anna = await admin(api, "anna", "acme");
    const outcomes = [];
    for (const asked of [{}, { permissions: { "*": ["read", "create", "update", "delete"] } }]) {
      const { body } = await made(anna, asked);
      const headers = { "x-api-key": String(body["key"]) };
      outcomes.push(outcome(await api.ask("/webhooks/v1/endpoints", { headers })));
    }
    assertEquals(outcomes, [200, "ACCESS_ROLE_REQUIRED"]);
  }, {
    project: { ...helpdesk, webhooks: { ...helpdesk.webhooks, outbound: true } },
    webhooks: (ports) => ({
      queue: databaseQueue(ports),
      secrets: createSecretBox({ authSecret: AUTH_SECRET }, ports.random),
      resolver: {
        resolve: () => Promise.resolve({ addresses: ["8.8.8.8"], exists: true, failure: null }),
      },
      dialer: { post: () => Promise.resolve(answered(200)) },
      env: {},
    }),
  }));

Deno.test("a key with permissions that name nothing may do nothing", () =>
  withHelpdesk(async ({ as }) => {
    for (const permissions of [{}, { tickets: [] }]) {
      const ask = await as(permissions);
      assertEquals(outcome(await ask("tickets")), "ACCESS_ROLE_REQUIRED");
    }
  }));

Deno.test("an organization's owner sees its keys with their permissions, and takes any of them back", () =>
  withHelpdesk(async ({ api, anna }) => {
    const ben = await signedUp(api, "ben");
    const [{ rows: [organization] }, { rows: [user] }] = await Promise.all([
      api.database.run({ sql: "SELECT id FROM auth_organization", args: [] }),
      api.database.run({ sql: "SELECT id FROM auth_user WHERE name = 'ben'", args: [] }),
    ]);
    await api.database.write((transaction) =>
      transaction.run({
        sql: "INSERT INTO auth_member (id, organization_id, user_id, role, created_at) VALUES " +
          "('m', ?, ?, 'agent', '2026-01-01T00:00:00.000Z')",
        args: [organization?.[0] ?? "", user?.[0] ?? ""],
      })
    );
    const organizationId = String(organization?.[0]);
    await ben.ask("/api/auth/organization/set-active", { organizationId });
    const key = await made(ben, { name: "export", permissions: { tickets: ["read"] } });
    const headers = { "x-api-key": String(key.body["key"]) };
    assertEquals((await api.ask("tickets", { headers })).status, 200);

    const refused = await ben.ask("/api/auth/organization/list-api-keys");
    assertEquals([refused.status, refused.body["code"]], [403, "ACCESS_ROLE_REQUIRED"]);
    const listed = await anna.ask("/api/auth/organization/list-api-keys");
    assertEquals(listed.text.includes(headers["x-api-key"]), false);
    const keys = listed.body["apiKeys"];
    assert(Array.isArray(keys) && keys.length === 1, listed.text);
    const { id, name, userId, permissions, enabled } = keys[0];
    assertEquals({ name, userId, permissions, enabled }, {
      name: "export",
      userId: String(user?.[0]),
      permissions: { tickets: ["read"] },
      enabled: true,
    });

    const revoke = (visitor: Visitor, keyId: string) =>
      visitor.ask("/api/auth/organization/revoke-api-key", { keyId });
    assertEquals((await revoke(ben, id)).status, 403);
    assertEquals((await revoke(anna, "unknown")).status, 404);
    const carl = await founder(api, "carl", "bolt");
    assertEquals((await revoke(carl, id)).status, 404);
    assertEquals((await api.ask("tickets", { headers })).status, 200);
    assertEquals((await revoke(anna, id)).status, 200);
    assertEquals(outcome(await api.ask("tickets", { headers })), "AUTH_INVALID_TOKEN");
  }));

const REFUSED: readonly (readonly [unknown, RegExp])[] = [
  [{ ticket: ["read"] }, /ticket/],
  [{ tickets: ["write"] }, /read.*resolve/],
  [{ customers: ["resolve"] }, /create.*update/],
  [{ "*": ["everything"] }, /reopen/],
  [{ tickets: "read" }, /tickets/],
  [["tickets"], /permissions/],
];

Deno.test("permissions that the project does not know are refused when the key is made", () =>
  withHelpdesk(async ({ anna, api }) => {
    for (const [permissions, says] of REFUSED) {
      const refused = await made(anna, { permissions });
      assertEquals(refused.status, 400, JSON.stringify(permissions));
      assertMatch(refused.text, says);
    }
    const { rows } = await api.database.run({ sql: "SELECT id FROM auth_apikey", args: [] });
    assertEquals(rows, []);
  }));

/** Deleting an organization: nothing of it is lost by mistake, and nothing of it stays (definitions 7). */
import { assert, assertEquals } from "@std/assert";
import { organizationEnding } from "../../shared/accounts/mod.ts";
import { ofOneDatabase } from "../support/databases.ts";
import { beginPurge } from "../../shared/runtime/data/purges.ts";
import { createPurgeWork } from "../../shared/runtime/background/purge.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import { createSecretBox, databaseQueue, memoryPubSub } from "../../shared/runtime/mod.ts";
import type { Database } from "../../shared/runtime/ports.ts";
import {
  admin,
  helpdesk,
  signedUp,
  type Visitor,
  withAccountsApi,
} from "../support/accounts_api.ts";
import { type ApiUnderTest, AUTH_SECRET } from "../support/api.ts";
import {
  type Listener,
  listeningApi,
  type ManualTimer,
  manualTimer,
  type RealtimeUnderTest,
} from "../support/realtime.ts";
import { limiterOf } from "../support/limiter.ts";
import { answered } from "../support/webhooks.ts";

const test = ofOneDatabase("an organization is deleted with its database, and not row by row");

const DELETE = "/auth/v1/organization/delete";
const PURGE = `${DELETE}?purge=true`;
const PASSWORD = "correct horse battery";

async function organizationOf(api: ApiUnderTest, slug: string): Promise<string> {
  const sql = `SELECT "id" FROM "auth_organization" WHERE "slug" = ?`;
  return String((await api.database.run({ sql, args: [slug] })).rows[0]?.[0]);
}

/** Rows of every table, by its name. */
async function counts(api: ApiUnderTest): Promise<Record<string, number>> {
  const { rows } = await api.database.run({
    sql: `SELECT "name" FROM sqlite_schema WHERE "type" = 'table' AND "name" NOT LIKE 'sqlite_%'`,
    args: [],
  });
  const names = rows.map(([name]) => String(name)).sort();
  const results = await api.database.runAll(
    names.map((name) => ({ sql: `SELECT count(*) FROM "${name}"`, args: [] })),
  );
  const all = names.map((name, place) => [name, Number(results[place]?.rows[0]?.[0])] as const);
  return Object.fromEntries(all.filter(([, count]) => count > 0));
}

async function everythingOf(visitor: Visitor, name: string): Promise<void> {
  const project = await visitor.ask("projects", { name }, {
    origin: "http://localhost:8000",
    "idempotency-key": `key-${name}`,
  });
  assertEquals(project.status, 201, project.text);
  const gone = await visitor.ask("projects", { name: `${name} deleted` });
  assertEquals(gone.status, 201, gone.text);
  assertEquals((await visitor.ask("/auth/v1/api-key/create", { name: "ci" })).status, 200);
  const invitation = { email: `guest-of-${name.toLowerCase()}@example.com`, role: "member" };
  assertEquals((await visitor.ask("/auth/v1/organization/invite-member", invitation)).status, 200);
  assertEquals((await visitor.ask("/auth/v1/organization/create-team", { name })).status, 200);
}

async function softDelete(api: ApiUnderTest, visitor: Visitor): Promise<void> {
  const { body } = await visitor.ask("projects");
  for (const { id } of Array.isArray(body["data"]) ? body["data"] : []) {
    const answer = await api.ask(`projects/${id}`, {
      method: "DELETE",
      headers: { cookie: visitor.cookie, origin: "http://localhost:8000" },
    });
    assertEquals(answer.status, 200, answer.text);
  }
}

Deno.test("an organization with records is not deleted without a word, soft-deleted ones included", async () => {
  await withAccountsApi(async (api) => {
    const anna = await admin(api, "anna", "acme");
    await everythingOf(anna, "Apollo");
    const organizationId = await organizationOf(api, "acme");
    const before = await counts(api);
    const refused = await anna.ask(DELETE, { organizationId });
    assertEquals([refused.status, refused.body["code"]], [409, "ORG_NOT_EMPTY"]);
    assert(String(refused.body["hint"]).includes("?purge=true"), refused.text);
    assertEquals(await counts(api), before);
    await softDelete(api, anna);
    assertEquals((await anna.ask(DELETE, { organizationId })).body["code"], "ORG_NOT_EMPTY");
    assertEquals((await anna.ask("projects")).status, 200);
  });
});

test("an empty organization is deleted, and the row of the audit stays", async () => {
  await withAccountsApi(async (api) => {
    const anna = await admin(api, "anna", "acme");
    const organizationId = await organizationOf(api, "acme");
    const deleted = await anna.ask(DELETE, { organizationId });
    assertEquals([deleted.status, deleted.body["slug"]], [200, "acme"]);
    assertEquals(await counts(api), {
      audit_events: 1,
      auth_account: 1,
      auth_session: 1,
      auth_user: 1,
      // The link that confirms anna's address, and the count of her mails.
      auth_verification: 2,
      organization_purges: 1,
      // Accounts keep their own log.
      qb_security_events: 2,
    });
  });
});

test("a purge takes every row of the organization along, and no row of another", async () => {
  await withAccountsApi(async (api) => {
    const ben = await admin(api, "ben", "bolt");
    await everythingOf(ben, "Beta");
    const alone = await counts(api);
    const anna = await admin(api, "anna", "acme");
    await everythingOf(anna, "Apollo");
    await softDelete(api, anna);
    const organizationId = await organizationOf(api, "acme");
    const purged = await anna.ask(PURGE, { organizationId, password: PASSWORD });
    assertEquals(purged.status, 200, purged.text);
    assertEquals(Object(purged.body["purge"]).status, "done");
    assertEquals(await counts(api), {
      ...alone,
      audit_events: 1,
      auth_account: 2,
      auth_session: 2,
      auth_user: 2,
      // Beside ben's: anna's own link, and three counts of mails. The link of the invitation is gone.
      auth_verification: Number(alone["auth_verification"]) + 4,
      organization_purges: 1,
      qb_security_events: 6,
    });
    const { rows } = await api.database.run({
      sql: `SELECT "operation", "target_org_id", "result" FROM "audit_events"`,
      args: [],
    });
    assertEquals(rows, [["purge", organizationId, "success"]]);
    assertEquals((await anna.ask("projects")).status, 403);
    const { body } = await ben.ask("projects");
    assertEquals(Array.isArray(body["data"]) && body["data"].length, 2);
  });
});

const HOOKED: ProjectModel = {
  ...helpdesk,
  webhooks: { ...helpdesk.webhooks, outbound: true },
};

async function hook(visitor: Visitor): Promise<void> {
  const endpoint = { name: "Hook", url: "https://hooks.example.com/in", events: ["*"] };
  const { status, text, body } = await visitor.ask("/webhooks/v1/endpoints", endpoint);
  assertEquals(status, 201, text);
  const tried = await visitor.ask(`/webhooks/v1/endpoints/${body["id"]}/test`, {});
  assert(tried.status < 300, tried.text);
}

Deno.test("a purge takes the organization's webhook endpoints and deliveries along, and those of no other", async () => {
  await withAccountsApi(async (api) => {
    const anna = await admin(api, "anna", "acme");
    await hook(anna);
    const acme = await counts(api);
    assertEquals([acme["webhook_endpoints"], acme["webhook_deliveries"]], [1, 1]);
    await hook(await admin(api, "ben", "bolt"));
    const organizationId = await organizationOf(api, "acme");
    const purged = await anna.ask(PURGE, { organizationId, password: PASSWORD });
    assertEquals(purged.status, 200, purged.text);
    const left = await counts(api);
    assertEquals([left["webhook_endpoints"], left["webhook_deliveries"]], [1, 1]);
    const sql = `SELECT DISTINCT "organization_id" FROM "webhook_endpoints"`;
    const { rows } = await api.database.run({ sql, args: [] });
    assertEquals(rows, [[await organizationOf(api, "bolt")]]);
  }, {
    project: HOOKED,
    webhooks: (ports) => ({
      queue: databaseQueue(ports),
      secrets: createSecretBox({ authSecret: AUTH_SECRET }, ports.random),
      resolver: {
        resolve: () => Promise.resolve({ addresses: ["8.8.8.8"], exists: true, failure: null }),
      },
      dialer: { post: () => Promise.resolve(answered(200)) },
      env: {},
    }),
  });
});

Deno.test("a purge needs the password or a session of ten minutes, and a wrong password is refused even so", async () => {
  await withAccountsApi(async (api) => {
    const anna = await admin(api, "anna", "acme");
    await everythingOf(anna, "Apollo");
    const organizationId = await organizationOf(api, "acme");
    const before = await counts(api);
    const wrong = await anna.ask(PURGE, { organizationId, password: "not the password" });
    assertEquals([wrong.status, wrong.body["code"]], [401, "AUTH_INVALID_TOKEN"]);
    const old = new Date(api.ports.clock.now() - 10 * 60_000).toISOString();
    await api.database.write((transaction) =>
      transaction.run({ sql: `UPDATE "auth_session" SET "created_at" = ?`, args: [old] })
    );
    const stale = await anna.ask(PURGE, { organizationId });
    assertEquals([stale.status, stale.body["code"]], [401, "AUTH_FRESH_SESSION_REQUIRED"]);
    assertEquals(await counts(api), before);
    const purged = await anna.ask(PURGE, { organizationId, password: PASSWORD });
    assertEquals(purged.status, 200, purged.text);
  });
});

Deno.test("only an owner and sysadmin delete an organization, and a stranger learns nothing of it", async () => {
  await withAccountsApi(async (api) => {
    const anna = await admin(api, "anna", "acme");
    const organizationId = await organizationOf(api, "acme");
    const ben = await signedUp(api, "ben");
    const invited = await anna.ask("/auth/v1/organization/invite-member", {
      email: "ben@example.com",
      role: "admin",
    });
    await ben.ask("/auth/v1/organization/accept-invitation", { invitationId: invited.body["id"] });
    const member = await ben.ask(PURGE, { organizationId, password: PASSWORD });
    assertEquals([member.status, member.body["code"]], [403, "ACCESS_ROLE_REQUIRED"]);
    const carl = await signedUp(api, "carl");
    const foreign = await carl.ask(PURGE, { organizationId, password: PASSWORD });
    const unknown = await carl.ask(PURGE, { organizationId: "none", password: PASSWORD });
    assertEquals([foreign.status, foreign.body["code"]], [403, "FIREWALL_ORG_ISOLATION"]);
    assertEquals([unknown.status, unknown.body["code"]], [403, "FIREWALL_ORG_ISOLATION"]);
    const nobody = await api.ask(PURGE, { body: { organizationId } });
    assertEquals([nobody.status, nobody.body["code"]], [401, "AUTH_MISSING"]);
    const root = await signedUp(api, "root");
    const purged = await root.ask(PURGE, { organizationId });
    assertEquals(purged.status, 200, purged.text);
  }, { sysadminEmails: ["root@example.com"] });
});

Deno.test("tokens and keys of a deleted organization are over at once, and a token is no failed attempt", async () => {
  await withAccountsApi(async (api) => {
    const anna = await admin(api, "anna", "acme");
    await everythingOf(anna, "Apollo");
    const dora = await admin(api, "dora", "dogs");
    const organizationId = await organizationOf(api, "acme");
    const as = { sub: "u", orgId: organizationId, roles: ["admin"] };
    const { body: { key } } = await anna.ask("/auth/v1/api-key/create", {});
    assertEquals((await api.ask("projects", { as })).status, 200);
    assertEquals((await anna.ask(PURGE, { organizationId })).status, 200);
    const token = await api.ask("projects", { as, body: { name: "late" } });
    assertEquals([token.status, token.body["code"]], [403, "FIREWALL_ORG_ISOLATION"]);
    const scoped = { sub: "scope:kiosk", scope: "kiosk", orgId: organizationId };
    for (const one of [as, { ...as, userRole: "sysadmin" }, scoped]) {
      for (const path of ["projects", "/openapi.json"]) {
        const answer = await api.ask(path, { as: one });
        assertEquals([answer.status, answer.body["code"]], [403, "FIREWALL_ORG_ISOLATION"], path);
      }
    }
    const withKey = await api.ask("projects", { headers: { "x-api-key": String(key) } });
    assertEquals([withKey.status, withKey.body["code"]], [401, "AUTH_INVALID_TOKEN"]);
    // The session goes on, in no organization.
    const session = await anna.ask("projects");
    assertEquals([session.status, session.body["code"]], [403, "ACCESS_NO_ORG"]);
    assertEquals((await dora.ask("projects")).status, 200);
  });
});

Deno.test("a token of a deleted organization is refused for ever, and never locks its client out", async () => {
  const taken: string[] = [];
  const limiter = limiterOf((bucket) => {
    taken.push(bucket);
    return Promise.resolve(true);
  });
  await withAccountsApi(async (api) => {
    const anna = await admin(api, "anna", "acme");
    const organizationId = await organizationOf(api, "acme");
    assertEquals((await anna.ask(PURGE, { organizationId })).status, 200);
    taken.length = 0;
    // Somebody else may sign tokens, too: each of these is new, and true but for its organization.
    for (const days of [0, 1, 3, 400]) {
      api.pass(days * 86_400_000);
      const as = { sub: "u", orgId: organizationId, roles: ["admin"] };
      const answer = await api.ask("projects", { as, clientIp: "192.0.2.7" });
      assertEquals([answer.status, answer.body["code"]], [403, "FIREWALL_ORG_ISOLATION"]);
    }
    assertEquals(taken.filter((bucket) => bucket.startsWith("authentication:failed")), []);
  }, { limiter });
});

test("a purge that takes long is 202, invisible at once, and a worker that starts goes on with it", async () => {
  let slow: ApiUnderTest | null = null;
  const slowly = (database: Database): Database => ({
    run: (statement) => database.run(statement),
    runAll: (statements) => database.runAll(statements),
    migrate: (statements) => database.migrate(statements),
    close: () => database.close(),
    write(body) {
      slow?.pass(6000);
      return database.write(body);
    },
  });
  await withAccountsApi(async (api) => {
    const anna = await admin(api, "anna", "acme");
    const organizationId = await organizationOf(api, "acme");
    await everythingOf(anna, "Apollo");
    slow = api;
    const answer = await anna.ask(PURGE, { organizationId });
    assertEquals(answer.status, 202, answer.text);
    assertEquals(Object(answer.body["purge"]).status, "running");
    assertEquals((await counts(api))["projects"], 2);
    assertEquals((await anna.ask("projects")).body["code"], "ACCESS_NO_ORG");
    assertEquals((await anna.ask("/auth/v1/organization/list")).text, "[]");
    const step = createPurgeWork(helpdesk, api.ports);
    while (await step());
    assertEquals((await counts(api))["projects"], undefined);
    const sql = `SELECT "status" FROM "organization_purges"`;
    assertEquals((await api.database.run({ sql, args: [] })).rows, [["done"]]);
  }, { wrap: slowly });
});

const STREAMED: ProjectModel = {
  ...helpdesk,
  realtime: { ...helpdesk.realtime, enabled: true },
};

function withStreams(body: (api: RealtimeUnderTest) => Promise<void>): Promise<void> {
  let timer: ManualTimer | null = null;
  return withAccountsApi((api) => body(listeningApi(api, () => timer?.fire())), {
    project: STREAMED,
    realtime({ clock }) {
      timer = manualTimer(clock);
      return { pubSub: memoryPubSub(clock), timer };
    },
  });
}

const listenIn = (api: RealtimeUnderTest, orgId: string) =>
  api.listen({ sub: "u", orgId, roles: ["admin"] });

async function assertClosed(listener: Listener): Promise<void> {
  assertEquals((await listener.next()).data["reason"], "credentials");
  assert(await listener.hasEnded());
}

Deno.test("streams of an organization end with its purge, those of another go on", () =>
  withStreams(async (api) => {
    const anna = await admin(api, "anna", "acme");
    await admin(api, "ben", "other");
    const organizationId = await organizationOf(api, "acme");
    const own = await listenIn(api, organizationId);
    const other = await listenIn(api, await organizationOf(api, "other"));
    let hasOtherEnded = false;
    const ended = other.hasEnded().then(() => hasOtherEnded = true);
    assertEquals((await anna.ask(PURGE, { organizationId })).status, 200);
    await assertClosed(own);
    api.elapse(2000);
    assertEquals(hasOtherEnded, false);
    await other.leave();
    await ended;
  }));

Deno.test("streams of an organization end soon after another process has purged it", () =>
  withStreams(async (api) => {
    await admin(api, "anna", "acme");
    const organizationId = await organizationOf(api, "acme");
    const listener = await listenIn(api, organizationId);
    const purge = { id: "pur_elsewhere", organizationId };
    const now = new Date(api.ports.clock.now()).toISOString();
    const how = { now, endOrganization: organizationEnding(api.project) };
    await api.database.write((transaction) => beginPurge(transaction, purge, how));
    api.elapse(2000);
    await assertClosed(listener);
  }));

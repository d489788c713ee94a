/**
 * Inbound events belong to whom they are attributed to (contract 4.6): platform roles see and retry all of them, an organization's
 * owner and admins their own.
 */
import { assert, assertEquals } from "@std/assert";
import type { RawFiles } from "../../shared/compiler/mod.ts";
import type { Claims } from "../support/api.ts";
import { DEFAULT_DRIVER, type DriverUnderTest, TENANT_DRIVERS } from "../support/databases.ts";
import { organizationEnding } from "../../shared/accounts/mod.ts";
import { beginPurge } from "../../shared/runtime/data/purges.ts";
import { withCompiled } from "../support/compiled_actions.ts";
import { foundAccounts } from "../support/found_accounts.ts";
import { serviceDesk } from "../support/service_desk.ts";
import { dataOf, type WebhooksUnderTest, withWebhooks } from "../support/webhooks.ts";

const EVENTS = "/webhooks/v1/inbound/events";
const REDACTED = '"[REDACTED]"';

const SYSADMIN: Claims = { sub: "user_r", userRole: "sysadmin" };
const APPMANAGER: Claims = { sub: "user_p", orgId: "org_b", roles: [], userRole: "appmanager" };
const of = (organization: string, role: string): Claims => ({
  sub: `user_${organization}_${role}`,
  orgId: organization,
  roles: [role],
});

/** The provider names an organization by `installation`, handlers work in those of `works`. */
const FORGE: RawFiles = {
  "quickback/services/forge.ts": `import { defineWebhookProvider } from "quickback";

export default defineWebhookProvider({
  name: "forge",
  signatureHeader: "x-forge-signature",
  verifySignature: (payload, signature, secret) => signature === \`\${secret}:\${payload.length}\`,
  parseEvent(payload) {
    const { kind, id, ...data } = JSON.parse(payload);
    return { type: kind, data, externalId: id };
  },
  async organizationOf({ data }) {
    const installation = Object(data)["installation"];
    if (installation === "throws") throw new Error("Unknown installation");
    return await Promise.resolve(installation);
  },
});
`,
  "quickback/services/forge-events.ts": `import { onWebhookEvent } from "quickback";
import { tickets } from "../features/tickets/schema";

onWebhookEvent("forge:*", async ({ data, scopeTo }) => {
  const works = Array.isArray(data["works"]) ? data["works"] : [];
  for (const organizationId of works) {
    await scopeTo({ organizationId }, async ({ db }) => {
      await db.insert(tickets).values({ title: "From the forge" });
    });
  }
  if (data["fails"] === true) throw new Error(\`No ticket for \${works.join(" and ")}\`);
});
`,
};

const ENV = { FORGE_WEBHOOK_SECRET: "forged" };

function withForge(
  body: (api: WebhooksUnderTest) => Promise<void>,
  { driver, multiTenant = true }: {
    readonly driver?: DriverUnderTest;
    readonly multiTenant?: boolean;
  } = {},
): Promise<void> {
  return withCompiled(
    serviceDesk(FORGE),
    ({ model, code }) =>
      withWebhooks(async (api) => {
        if (multiTenant) {
          await foundAccounts(api.database, { organizations: ["org_a", "org_b"] });
        }
        await body(api);
      }, { project: { ...model, multiTenant }, code, env: ENV, ...(driver ? { driver } : {}) }),
  );
}

interface Sent {
  readonly installation?: unknown;
  readonly works?: readonly unknown[];
  readonly fails?: boolean;
}

let count = 0;

/** Sends an event, and gives its payload. */
async function send(api: WebhooksUnderTest, sent: Sent): Promise<string> {
  count += 1;
  const body = JSON.stringify({ kind: "opened", id: `e${count}`, ...sent });
  const headers = { "x-forge-signature": `forged:${body.length}` };
  const answer = await api.ask("/webhooks/v1/inbound/forge", { method: "POST", body, headers });
  assertEquals(answer.status, 200, answer.text);
  return body;
}

/** Payloads of the events that a caller sees, the oldest first. */
async function seen(api: WebhooksUnderTest, as: Claims, search = ""): Promise<readonly unknown[]> {
  const answer = await api.ask(`${EVENTS}${search}`, { as });
  assertEquals(answer.status, 200, answer.text);
  return dataOf(answer).map(({ payload }) => payload).toReversed();
}

async function idOf(api: WebhooksUnderTest, sent: string): Promise<unknown> {
  const all = dataOf(await api.ask(`${EVENTS}?limit=100`, { as: SYSADMIN }));
  return all.find(({ payload }) => payload === sent)?.["id"];
}

async function retried(
  api: WebhooksUnderTest,
  sent: string,
  as: Claims,
): Promise<readonly [number, unknown]> {
  const path = `${EVENTS}/${await idOf(api, sent)}/retry`;
  const { status, body } = await api.ask(path, { as, method: "POST" });
  return [status, body["code"] ?? body["payload"]];
}

for (const driver of new Set([DEFAULT_DRIVER, ...TENANT_DRIVERS.slice(0, 1)])) {
  Deno.test(`an organization sees the events that are attributed to it, and what they say where the provider named it (${driver.name})`, async () => {
    await withForge(async (api) => {
      const nobodys = await send(api, {});
      api.pass(1);
      const named = await send(api, { installation: "org_a" });
      api.pass(1);
      const worked = await send(api, { works: ["org_a"] });
      api.pass(1);
      const both = await send(api, { installation: "org_b", works: ["org_a"] });
      api.pass(1);
      const broken = await send(api, { installation: "throws" });
      await api.work();
      for (const as of [SYSADMIN, APPMANAGER]) {
        assertEquals(await seen(api, as), [nobodys, named, worked, both, broken]);
      }
      for (const role of ["owner", "admin"]) {
        assertEquals(await seen(api, of("org_a", role)), [named, REDACTED, REDACTED]);
        assertEquals(await seen(api, of("org_b", role)), [both]);
        assertEquals(await seen(api, of("org_c", role)), []);
      }
      assert(
        api.log.some(({ level, message }) =>
          level === "error" && message.includes("The organization of an event of 'forge'")
        ),
      );
      const admin = of("org_a", "admin");
      const first = await api.ask(`${EVENTS}?limit=2`, { as: admin });
      assertEquals(dataOf(first).map(({ payload }) => payload), [REDACTED, REDACTED]);
      const { nextCursor } = Object(first.body["pagination"]);
      assertEquals(await seen(api, admin, `?limit=2&starting_after=${nextCursor}`), [named]);
      assertEquals(await seen(api, admin, "?status=failed"), []);
      assertEquals((await api.ask(EVENTS, { as: of("org_a", "member") })).status, 403);
    }, { driver });
  });

  Deno.test(`an organization retries what is attributed to it alone, and a foreign event is as one that there is not (${driver.name})`, async () => {
    await withForge(async (api) => {
      const nobodys = await send(api, { fails: true });
      const worked = await send(api, { works: ["org_a"], fails: true });
      const named = await send(api, { installation: "org_a", fails: true });
      const both = await send(api, { installation: "org_a", works: ["org_b"], fails: true });
      for (let attempt = 0; attempt < 3; attempt += 1) {
        await api.work();
        api.pass(60_000);
      }
      const miss = [403, "FIREWALL_NOT_FOUND"] as const;
      for (const role of ["owner", "admin"]) {
        const [a, b] = [of("org_a", role), of("org_b", role)];
        assertEquals(await retried(api, nobodys, a), miss);
        assertEquals(await retried(api, both, a), miss);
        assertEquals(await retried(api, both, b), miss);
        assertEquals(await retried(api, worked, b), miss);
        assertEquals(await retried(api, named, b), miss);
      }
      // What a handler said may be of others, too.
      const told = dataOf(await api.ask(EVENTS, { as: of("org_b", "admin") }));
      assertEquals(told.map(({ error }) => error), ["[REDACTED]"]);
      const own = dataOf(await api.ask(EVENTS, { as: of("org_a", "admin") }));
      assertEquals(
        own.map(({ error }) => error).toSorted(),
        ["No ticket for ", "No ticket for org_a", "[REDACTED]"],
      );
      assertEquals(await retried(api, worked, of("org_a", "owner")), [200, REDACTED]);
      assertEquals(await retried(api, worked, of("org_a", "owner")), [
        409,
        "WEBHOOK_EVENT_NOT_FAILED",
      ]);
      assertEquals(await retried(api, named, of("org_a", "admin")), [200, named]);
      assertEquals(await retried(api, both, SYSADMIN), [200, both]);
      assertEquals(await retried(api, nobodys, APPMANAGER), [200, nobodys]);
    }, { driver });
  });
}

Deno.test("an event is of nobody where its provider's code gives something else than an id", async () => {
  await withForge(async (api) => {
    const strange = [7, true, {}, ["org_a"], ""];
    for (const installation of strange) await send(api, { installation });
    for (const installation of [null, undefined]) await send(api, { installation });
    assertEquals((await seen(api, SYSADMIN)).length, 7);
    assertEquals(await seen(api, of("org_a", "owner")), []);
    const said = api.log.filter(({ message }) => message.includes("is not known"));
    assertEquals(said.length, strange.length);
  });
});

Deno.test("a repeated event stays whose it was, and an organization that is not there gets none", async () => {
  await withForge(async (api) => {
    const sent = await send(api, { installation: "org_a" });
    const headers = { "x-forge-signature": `forged:${sent.length}` };
    await api.ask("/webhooks/v1/inbound/forge", { method: "POST", body: sent, headers });
    await send(api, { works: ["org_nowhere"] });
    await api.work();
    assertEquals(await seen(api, of("org_a", "owner")), [sent]);
    assertEquals(await seen(api, of("org_nowhere", "owner")), []);
  });
});

Deno.test("what is forgotten, and a deleted organization, leave no attribution", async () => {
  await withForge(async (api) => {
    await send(api, { installation: "org_a", works: ["org_b"] });
    await api.work();
    const sql = "SELECT organization_id FROM quickback_event_organizations ORDER BY 1";
    const rows = async () => (await api.database.run({ sql, args: [] })).rows.flat();
    assertEquals(await rows(), ["org_a", "org_b"]);
    const purge = { id: "pur_1", organizationId: "org_b" };
    await api.database.write((transaction) =>
      beginPurge(transaction, purge, {
        now: "2026-01-02T03:04:05.678Z",
        endOrganization: organizationEnding(api.project),
      })
    );
    api.pass(3000);
    await api.work();
    assertEquals(await rows(), ["org_a"]);
    api.pass(91 * 86_400_000);
    await api.work();
    assertEquals(await rows(), []);
  });
});

Deno.test("without organizations, admins and platform roles see all events as they are", async () => {
  await withForge(async (api) => {
    const sent = await send(api, { installation: "org_a" });
    for (const as of [{ sub: "user_a", roles: ["admin"] }, SYSADMIN]) {
      assertEquals(await seen(api, as), [sent]);
    }
    assertEquals((await api.ask(EVENTS, { as: { sub: "u", roles: ["owner"] } })).status, 403);
    const sql = "SELECT name FROM sqlite_schema WHERE name LIKE 'quickback_event%'";
    assertEquals((await api.database.run({ sql, args: [] })).rows, []);
  }, { multiTenant: false });
});

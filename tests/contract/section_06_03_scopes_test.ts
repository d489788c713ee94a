/** Contract 6.3, 4.4 rule 3 and definitions 6: what is told of writes in a scope that code names itself. */
import { assert, assertEquals } from "@std/assert";
import { ofOneDatabase } from "../support/databases.ts";
import type { RawFiles } from "../../shared/compiler/mod.ts";
import {
  createAuthHooks,
  createBackgroundWorker,
  createSecretBox,
  databaseQueue,
  memoryPubSub,
} from "../../shared/runtime/mod.ts";
import type { CompiledCode } from "../support/compiled_actions.ts";
import { AUTH_SECRET, withApi } from "../support/api.ts";
import { board } from "../support/board_project.ts";
import { withCompiled } from "../support/compiled_actions.ts";
import { foundAccounts } from "../support/found_accounts.ts";
import { listeningApi, type RealtimeUnderTest } from "../support/realtime.ts";

const test = ofOneDatabase("it looks into one database for what stands in an organization's");

const EMITTING = "enabled: true, emitFromActions: true";
const ADMIN = { sub: "user_a", orgId: "org_a", roles: ["admin"] };
const OTHER = { sub: "user_b", orgId: "org_b", roles: ["admin"] };
const SYSADMIN = { sub: "user_s", orgId: "org_s", roles: ["admin"], userRole: "sysadmin" };

/** The board, with an action, an account hook and a handler of events that each write a card of another organization. */
function files(realtime: string): RawFiles {
  const config = board({ realtime })["quickback/quickback.config.ts"] ?? "";
  return {
    ...board({ realtime }),
    "quickback/quickback.config.ts": config.replace(
      "export default {",
      'export default { webhooks: { inbound: ["bell"] },',
    ),
    "quickback/features/cards/actions/deal.ts": `import { defineAction } from "quickback";
import { z } from "zod";
import { cards } from "../schema";
export default defineAction({
  description: "Deals a card to another organization",
  path: "./deal",
  input: z.object({ organizationId: z.string(), fails: z.boolean().optional() }),
  access: { roles: ["admin"] },
  unsafe: { reason: "Support deals cards", crossTenant: true },
  async execute({ unsafeDb, input }) {
    const db = unsafeDb.scopeTo({ organizationId: input.organizationId });
    await db.insert(cards).values({ title: "dealt", email: "jane@example.com" });
    if (input.fails) throw new Error("No");
    return {};
  },
});
`,
    "quickback/hooks/auth.ts": `import type { AuthHooks } from "quickback";
import cards from "../features/cards/cards";
export default {
  async onMemberAdded({ organization, user, scopeTo }) {
    await scopeTo({ organizationId: organization.id }, async ({ db }) => {
      await db.insert(cards).values({ title: "welcome" });
      if (user.name === "clumsy") throw new Error("No");
    });
  },
} satisfies AuthHooks;
`,
    "quickback/services/bell.ts":
      `import { defineWebhookProvider, onWebhookEvent } from "quickback";
import cards from "../features/cards/cards";
export default defineWebhookProvider({
  name: "bell",
  verifySignature: () => true,
  parseEvent: (payload) => ({ type: "rung", data: JSON.parse(payload) }),
});
export const rung = onWebhookEvent("bell:rung", async ({ data, scopeTo }) => {
  await scopeTo({ organizationId: String(data["organizationId"]) }, async ({ db }) => {
    await db.insert(cards).values({ title: "rung" });
  });
});
`,
  };
}

interface Scoped extends RealtimeUnderTest {
  readonly code: CompiledCode;
}

function withScopes(
  realtime: string,
  body: (api: Scoped) => Promise<void>,
): Promise<void> {
  return withCompiled(
    files(realtime),
    ({ model, code }) =>
      withApi(model, async (api) => {
        await foundAccounts(api.database, { organizations: ["org_b"] });
        await body({ ...listeningApi(api, () => {}), code });
      }, {
        actions: { ...code, env: { BELL_WEBHOOK_SECRET: "s" } },
        realtime: ({ clock }) => ({
          pubSub: memoryPubSub(clock),
          timer: { after: () => () => {} },
        }),
        webhooks: (ports) => ({
          queue: databaseQueue(ports),
          secrets: createSecretBox({ authSecret: AUTH_SECRET }, ports.random),
          resolver: { resolve: () => Promise.reject(new Error("Nothing is resolved")) },
          dialer: { post: () => Promise.reject(new Error("Nothing is sent")) },
          env: { BELL_WEBHOOK_SECRET: "s" },
        }),
      }),
  );
}

/** A change that everybody of its organization is told of, so that what is not told before it is seen to be missing. */
async function marked(api: Scoped, as: typeof ADMIN): Promise<string> {
  const { status, body } = await api.ask("cards", { as, body: { title: "end" } });
  assertEquals(status, 201);
  return String(body["id"]);
}

async function memberAdded(api: Scoped, organizationId: string, name: string): Promise<void> {
  const { ports, project, code } = api;
  const hooks = createAuthHooks(project, ports, code);
  const organization = { id: organizationId, name: "Org", slug: "org" };
  const user = { id: "user_n", email: "n@example.com", name };
  await hooks.after("onMemberAdded", { user, organization, role: "member" });
}

async function rung(api: Scoped, organizationId: string): Promise<void> {
  const { ports, project, code } = api;
  assert(ports.webhooks);
  const headers = { "bell-signature": "any" };
  const received = await api.ask("/webhooks/v1/inbound/bell", {
    body: { organizationId },
    headers,
  });
  assertEquals(received.status, 200);
  const worker = createBackgroundWorker(project, { ...ports, webhooks: ports.webhooks }, code);
  while (await worker.tick() > 0) await worker.settled();
}

test("writes in a scope that code names are told to that scope, and to no other", async () => {
  await withScopes(EMITTING, async (api) => {
    const [here, there] = [await api.listen(ADMIN), await api.listen(OTHER)];
    const dealt = await api.ask("cards/deal", { as: SYSADMIN, body: { organizationId: "org_b" } });
    assertEquals(dealt.status, 200, dealt.text);
    await memberAdded(api, "org_b", "anna");
    await rung(api, "org_b");
    for (const title of ["dealt", "welcome", "rung"]) {
      const { data } = await there.next();
      assertEquals([data["type"], data["resource"]], ["record.created", "cards"]);
      const card = data["data"];
      assert(typeof card === "object" && card !== null && "title" in card);
      assertEquals(card.title, title);
    }
    const end = await marked(api, ADMIN);
    assertEquals(await here.brief(1), [`record.created cards ${end}`]);
    for (const listener of [here, there]) await listener.leave();
  });
});

Deno.test("a write that is taken back is told to nobody, whatever scope it was in", async () => {
  await withScopes(EMITTING, async (api) => {
    const there = await api.listen(OTHER);
    const fails = { organizationId: "org_b", fails: true };
    assertEquals((await api.ask("cards/deal", { as: SYSADMIN, body: fails })).status, 500);
    await memberAdded(api, "org_b", "clumsy");
    const end = await marked(api, OTHER);
    assertEquals(await there.brief(1), [`record.created cards ${end}`]);
    await there.leave();
  });
});

test("without emitFromActions none of them is told", async () => {
  await withScopes("enabled: true", async (api) => {
    const there = await api.listen(OTHER);
    await api.ask("cards/deal", { as: SYSADMIN, body: { organizationId: "org_b" } });
    await memberAdded(api, "org_b", "anna");
    await rung(api, "org_b");
    const end = await marked(api, OTHER);
    assertEquals(await there.brief(1), [`record.created cards ${end}`]);
    const { rows } = await api.database.run({ sql: "SELECT count(*) FROM cards", args: [] });
    assertEquals(rows[0]?.[0], 4);
    await there.leave();
  });
});

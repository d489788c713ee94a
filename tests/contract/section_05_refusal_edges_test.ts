/** Contract 2.7, 4.1, 5: each refusal of the layers is given to exactly the callers that it names. */
import { assertEquals } from "@std/assert";
import { foundAccounts } from "../support/found_accounts.ts";
import { ofOneDatabase } from "../support/databases.ts";
import { memoryRateLimiter } from "../../library/platform/memory_rate_limiter.ts";
import {
  type Answer,
  type ApiUnderTest,
  BASE_URL,
  type Claims,
  withDefinitions,
} from "../support/api.ts";
import { signedUp, withAccountsApi } from "../support/accounts_api.ts";

const test = ofOneDatabase("a role beyond the firewall needs an organization there");

const FILES = {
  "quickback/quickback.config.ts":
    `export default { name: "edges", auth: { roleHierarchy: ["member", "editor"] } };\n`,
  // Its owner needs no organization.
  "quickback/features/notes/notes.ts": `import { feature, q } from "quickback";
export default feature("notes", {
  columns: { ownerId: q.scope("owner"), title: q.text() },
  guards: { createable: ["title"], updatable: ["title"] },
  read: { access: { roles: ["AUTHENTICATED"] } },
  create: { access: { roles: ["AUTHENTICATED"] } },
});
`,
  // A sysadmin reads every organization's rows, and makes rows in their own.
  "quickback/features/plans/plans.ts": `import { feature, q } from "quickback";
export default feature("plans", {
  columns: { organizationId: q.scope("organization"), title: q.text(), state: q.text().default("open"), authorId: q.text().optional() },
  firewall: [{ field: "organizationId", equals: "ctx.activeOrgId", exceptRoles: ["sysadmin"] }],
  guards: { createable: ["title", "state"], updatable: ["title"] },
  read: { access: { roles: ["AUTHENTICATED"] } },
  create: { access: { roles: ["AUTHENTICATED"] } },
  update: { access: { record: { createdBy: { equals: "$ctx.userId" }, state: { equals: "open" } } } },
  delete: { access: { roles: ["editor"] } },
});
`,
  // Anybody may file one in the organization that they name.
  "quickback/features/reports/reports.ts": `import { feature, q } from "quickback";
export default feature("reports", {
  columns: { organizationId: q.scope("organization"), title: q.text() },
  guards: { createable: ["title"], updatable: ["title"] },
  read: { access: { roles: ["member+"] } },
  create: { access: { roles: ["PUBLIC"] } },
  update: { access: { roles: ["PUBLIC"] } },
});
`,
};

const CARLA: Claims = { sub: "carla", orgId: "acme", roles: ["member"] };
const DORA: Claims = { sub: "dora", orgId: "acme", roles: ["member"] };
const LONER: Claims = { sub: "lou" };
const SYSADMIN: Claims = { sub: "sue", userRole: "sysadmin" };

const told = ({ status, body }: Answer) =>
  body["code"] === undefined ? status : `${status} ${body["code"]}`;

const withEdges = (body: (api: ApiUnderTest) => Promise<void>) => withDefinitions(FILES, body);

Deno.test("a caller without an organization is refused only where the table isolates organizations", async () => {
  await withEdges(async (api) => {
    assertEquals(told(await api.ask("notes", { as: LONER, body: { title: "mine" } })), 201);
    assertEquals(told(await api.ask("notes", { as: LONER })), 200);
    assertEquals(told(await api.ask("plans", { as: LONER })), "403 ACCESS_NO_ORG");
    assertEquals(
      told(await api.ask("plans", { as: LONER, body: { title: "no" } })),
      "403 ACCESS_NO_ORG",
    );
  });
});

test("a role beyond the firewall reads without an organization, and makes no row without one", async () => {
  await withEdges(async (api) => {
    assertEquals(told(await api.ask("plans", { as: CARLA, body: { title: "a plan" } })), 201);
    const all = await api.ask("plans", { as: SYSADMIN });
    assertEquals([all.status, JSON.parse(all.text).data.length], [200, 1]);
    const made = await api.ask("plans", { as: SYSADMIN, body: { title: "nobody's" } });
    assertEquals(told(made), "403 ACCESS_NO_ORG");
  });
});

Deno.test("the organization that a write names is an anonymous caller's, and never another's than the signed-in one's", async () => {
  await withEdges(async (api) => {
    await foundAccounts(api.ports.database, { organizations: ["acme"] });
    const report = { body: { title: "a report" } };
    assertEquals(told(await api.ask("reports", report)), "400 ORG_REQUIRED");
    assertEquals(told(await api.ask("reports?organizationId=acme", report)), 201);
    const own = await api.ask("reports?organizationId=acme", { as: CARLA, ...report });
    assertEquals(told(own), 201);
    const other = await api.ask("reports?organizationId=globex", { as: CARLA, ...report });
    assertEquals(told(other), "403 FIREWALL_ORG_ISOLATION");

    const change = { method: "PATCH", body: { title: "changed" } };
    const path = `reports/${own.body["id"]}`;
    assertEquals(told(await api.ask(path, change)), "400 ORG_REQUIRED");
    assertEquals(told(await api.ask(`${path}?organizationId=acme`, change)), 200);
    const stranger = await api.ask(`${path}?organizationId=globex`, { as: CARLA, ...change });
    assertEquals(told(stranger), "403 FIREWALL_ORG_ISOLATION");
  });
});

Deno.test("a failed condition is a matter of ownership only when nothing but the owner is asked for", async () => {
  await withEdges(async (api) => {
    const made = async (as: Claims, state: string) => {
      const { body } = await api.ask("plans", { as, body: { title: "a", state } });
      return `plans/${body["id"]}`;
    };
    const update = { method: "PATCH", as: CARLA, body: { title: "b" } };
    assertEquals(told(await api.ask(await made(CARLA, "open"), update)), 200);
    const foreign = await api.ask(await made(DORA, "open"), update);
    assertEquals(told(foreign), "403 ACCESS_OWNERSHIP_REQUIRED");
    const closed = await api.ask(await made(DORA, "closed"), update);
    assertEquals(told(closed), "403 ACCESS_CONDITION_FAILED");
  });
});

Deno.test("a missing role is answered with the roles that the caller holds, the platform's beside the project's", async () => {
  await withEdges(async (api) => {
    const { body: { id } } = await api.ask("plans", { as: CARLA, body: { title: "a" } });
    const roles = async (as: Claims) => {
      const { body } = await api.ask(`plans/${id}`, { method: "DELETE", as });
      return body["details"];
    };
    assertEquals(await roles(CARLA), { required: ["editor"], current: ["member"] });
    assertEquals(await roles({ ...CARLA, userRole: "sysadmin" }), {
      required: ["editor"],
      current: ["member", "sysadmin"],
    });
  });
});

Deno.test("an entry of a batch that is no object has no id", async () => {
  await withEdges(async (api) => {
    for (const entry of [null, 7, "x", []]) {
      const answer = await api.ask("plans/batch", {
        method: "PATCH",
        as: CARLA,
        body: { records: [entry] },
      });
      assertEquals(told(answer), "400 BATCH_MISSING_IDS", JSON.stringify(entry));
    }
  });
});

Deno.test("an address below its limit is let through", async () => {
  const limiter = memoryRateLimiter({ clock: { now: () => 0 } });
  const settings = { clientRateLimit: 2 };
  await withDefinitions(FILES, async (api) => {
    const statuses: number[] = [];
    for (let count = 0; count < 3; count += 1) {
      const request = new Request(`${BASE_URL}/health`, { headers: { host: "localhost:8000" } });
      const response = await api.fetch(request, { clientIp: "203.0.113.7" });
      await response.body?.cancel();
      statuses.push(response.status);
    }
    assertEquals(statuses, [200, 200, 429]);
  }, { limiter, settings });
});

Deno.test("a write with a cookie is told to say where it comes from only where it said nothing", async () => {
  await withAccountsApi(async (api) => {
    const { cookie } = await signedUp(api, "mia");
    const hint = async (headers: Readonly<Record<string, string>>) => {
      const { status, body } = await api.ask("token", {
        method: "POST",
        headers: { cookie, ...headers },
      });
      assertEquals([status, body["code"]], [403, "ORIGIN_FORBIDDEN"]);
      return String(body["hint"]).startsWith("Send an Origin header");
    };
    assertEquals(await hint({}), true);
    assertEquals(await hint({ origin: "https://evil.example" }), false);
    assertEquals(await hint({ "sec-fetch-site": "cross-site" }), false);
  }, { settings: { production: true } });
});

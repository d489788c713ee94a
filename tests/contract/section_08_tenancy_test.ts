/** A database for each organization (definitions 2, `tenancy`): whose rows stand where, and what keeps organizations apart. */
import { assert, assertEquals } from "@std/assert";
import { buryTenant, tenantName } from "../../shared/runtime/data/tenants/tenant_rows.ts";
import type { RawFiles } from "../../shared/compiler/mod.ts";
import type { Reader, TenantDatabases } from "../../shared/runtime/ports.ts";
import { createBackgroundWorker } from "../../shared/runtime/mod.ts";
import {
  type ApiOptions,
  type ApiUnderTest,
  type Claims,
  withDefinitions,
} from "../support/api.ts";
import { withCompiledActions } from "../support/compiled_actions.ts";
import { conformanceOf } from "../support/conformance.ts";
import { TENANT_DRIVERS } from "../support/databases.ts";
import { ADMIN, STRANGER, URL, webhooksProject, withWebhooks } from "../support/webhooks.ts";

const CONFIG = `import { defineConfig, defineDatabase } from "quickback";
export default defineConfig({
  name: "apart",
  contract: { version: "v1", changeset: true },
  providers: { database: defineDatabase("libsql", { tenancy: "perOrganization" }) },
});
`;

const ROLES =
  `read: { access: { roles: ["AUTHENTICATED"] } }, create: { access: { roles: ["AUTHENTICATED"] } },
  update: { access: { roles: ["AUTHENTICATED"] } }, delete: { access: { roles: ["AUTHENTICATED"] } }`;

const FILES: RawFiles = {
  "quickback/quickback.config.ts": CONFIG,
  "quickback/features/notes/notes.ts": `import { feature, q } from "quickback";
export default feature("notes", {
  columns: { organizationId: q.scope("organization"), text: q.text().required().unique() },
  guards: { createable: ["text"], updatable: ["text"] },
  ${ROLES},
});
`,
  "quickback/features/plans/plans.ts": `import { feature, q } from "quickback";
export default feature("plans", {
  columns: { name: q.text().required() },
  firewall: { exception: true },
  guards: { createable: ["name"], updatable: ["name"] },
  ${ROLES},
});
`,
};

const ANNA: Claims = { sub: "anna", orgId: "org_a", roles: ["admin"] };
const BERT: Claims = { sub: "bert", orgId: "org_b", roles: ["admin"] };
const LONER: Claims = { sub: "lone" };

async function count(reader: Reader, table: string): Promise<number> {
  const { rows } = await reader.run({ sql: `SELECT count(*) FROM ${table}`, args: [] });
  return Number(rows[0]?.[0]);
}

function tenantsOf({ ports: { tenants } }: ApiUnderTest): TenantDatabases {
  assert(tenants, "The API has one database");
  return tenants;
}

async function write(api: ApiUnderTest, as: Claims, text: string): Promise<string> {
  const answer = await api.ask("notes", { as, body: { text } });
  assertEquals(answer.status, 201, answer.text);
  return String(answer.body["id"]);
}

async function texts(api: ApiUnderTest, as: Claims): Promise<readonly unknown[]> {
  const answer = await api.ask("notes?sort=text", { as });
  assertEquals(answer.status, 200, answer.text);
  const { data } = answer.body;
  return Array.isArray(data) ? data.map(({ text }) => text) : [];
}

for (const driver of TENANT_DRIVERS) {
  const apart = (body: (api: ApiUnderTest) => Promise<void>, options: ApiOptions = {}) =>
    withDefinitions(FILES, body, { ...options, driver });
  const test = (name: string, body: () => Promise<void>) =>
    Deno.test(`${driver.name}: ${name}`, body);

  test("rows of an organization stand in its own database, others in the directory", async () => {
    await apart(async (api) => {
      await write(api, ANNA, "of a");
      await write(api, BERT, "of b");
      const plan = await api.ask("plans", { as: ANNA, body: { name: "Large" } });
      assertEquals(plan.status, 201, plan.text);
      const { database: directory } = api.ports;
      assertEquals([await count(directory, "notes"), await count(directory, "plans")], [0, 1]);
      for (const id of ["org_a", "org_b"]) {
        const own = tenantsOf(api).of(id, "never");
        assertEquals([await count(own, "notes"), await count(own, "plans")], [1, 0]);
      }
      assertEquals([await texts(api, ANNA), await texts(api, BERT)], [["of a"], ["of b"]]);
    });
  });

  test("a kept answer stands beside the effect, and is nobody else's", async () => {
    await apart(async (api) => {
      const keyed = (as: Claims) =>
        api.ask("notes", { as, body: { text: "once" }, headers: { "idempotency-key": "k" } });
      const first = await keyed(ANNA);
      const again = await keyed(ANNA);
      const other = await keyed(BERT);
      assertEquals(again.body["id"], first.body["id"]);
      assertEquals(other.status, 201);
      assertEquals(await count(api.ports.database, "idempotency_keys"), 0);
      assertEquals(await count(tenantsOf(api).of("org_a", "never"), "idempotency_keys"), 1);
    });
  });

  test("an organization without a database answers as an empty one, which makes none", async () => {
    await apart(async (api) => {
      assertEquals(await texts(api, ANNA), []);
      assertEquals((await api.ask("notes/not_1", { as: ANNA })).status, 403);
      const changed = await api.ask("notes/not_1", {
        as: ANNA,
        method: "PATCH",
        body: { text: "x" },
      });
      assertEquals(changed.status, 403);
      assertEquals(await count(api.ports.database, "tenant_databases"), 0);
      await write(api, ANNA, "first");
      assertEquals(await count(api.ports.database, "tenant_databases"), 1);
    });
  });

  test("whoever is in no organization finds no organization's rows", async () => {
    await apart(async (api) => {
      await write(api, ANNA, "of a");
      assertEquals((await api.ask("notes", { as: LONER })).body["code"], "ACCESS_NO_ORG");
      assertEquals((await api.ask("plans", { as: LONER })).status, 200);
    });
  });

  test("a deleted organization answers 403 for ever, and gets no new database", async () => {
    await apart(async (api) => {
      const id = await write(api, ANNA, "of a");
      const name = await tenantName("org_a");
      const tombstone = { organizationId: "org_a", name, createdAt: "2026-01-02T00:00:00.000Z" };
      await api.ports.database.write((transaction) => buryTenant(transaction, tombstone));
      await tenantsOf(api).remove("org_a");
      for (
        const ask of [
          { as: ANNA },
          { as: ANNA, method: "POST", body: { text: "x" } },
        ]
      ) assertEquals((await api.ask("notes", ask)).body["code"], "FIREWALL_ORG_ISOLATION");
      assertEquals(
        (await api.ask(`notes/${id}`, { as: ANNA })).body["code"],
        "FIREWALL_ORG_ISOLATION",
      );
      assertEquals(await texts(api, BERT), []);
      await write(api, BERT, "of b");
    });
  });

  test("many organizations at once share few open databases, and none sees another's rows", async () => {
    await apart(async (api) => {
      const callers = Array.from({ length: 12 }, (_, at): Claims => ({
        sub: `user_${at}`,
        orgId: `org_${at}`,
        roles: ["admin"],
      }));
      await Promise.all(
        callers.flatMap((as) => [1, 2, 3].map((number) => write(api, as, `${as.orgId} ${number}`))),
      );
      const seen = await Promise.all(callers.map((as) => texts(api, as)));
      assertEquals(
        seen,
        callers.map(({ orgId }) => [1, 2, 3].map((number) => `${orgId} ${number}`)),
      );
    });
  });

  test("a database that is gone is no empty one, and stops nobody else", async () => {
    let isGone = false;
    await driver.with(async (database, copy, store) => {
      assert(store, "This driver has no place for organizations");
      const losing = {
        name: driver.name,
        with: <T>(body: Parameters<typeof driver.with<T>>[0]) =>
          body(database, copy, {
            ...store,
            open: async (name: string) => {
              if (isGone && name === await tenantName("org_a")) await store.remove(name);
              return await store.open(name);
            },
          }),
      };
      await withDefinitions(FILES, async (api) => {
        await write(api, ANNA, "of a");
        isGone = true;
        // Others take its place among the open ones.
        for (const orgId of ["org_1", "org_2", "org_3"]) await write(api, { ...BERT, orgId }, "x");
        const lost = await api.ask("notes", { as: ANNA });
        assertEquals([lost.status, lost.body["code"]], [503, "DATABASE_UNAVAILABLE"]);
        const unwritten = await api.ask("notes", { as: ANNA, body: { text: "y" } });
        assertEquals(unwritten.status, 503);
        await write(api, BERT, "of b");
      }, { driver: losing });
    });
  });

  test("the firewall stands in every database: another's rows stay hidden where they are", async () => {
    let isWrong = false;
    await apart(async (api) => {
      const id = await write(api, BERT, "of b");
      await write(api, ANNA, "of a");
      isWrong = true;
      assertEquals(await texts(api, ANNA), []);
      assertEquals((await api.ask(`notes/${id}`, { as: ANNA })).status, 403);
      isWrong = false;
      assertEquals(await texts(api, ANNA), ["of a"]);
    }, {
      wrapTenants: (tenants) => ({
        ...tenants,
        of: (id, founding) => tenants.of(isWrong ? "org_b" : id, founding),
      }),
    });
  });

  test("a changeset writes in one database, or nothing", async () => {
    await apart(async (api) => {
      const create = (resource: string, data: Record<string, string>) => ({
        op: "create",
        resource,
        data,
      });
      const both = await api.ask("changeset", {
        as: ANNA,
        body: {
          operations: [create("notes", { text: "x" }), create("plans", { name: "Small" })],
        },
      });
      assertEquals([both.status, both.body["code"]], [400, "VALIDATION_ERROR"], both.text);
      assertEquals(await count(api.ports.database, "plans"), 0);
      assertEquals(await texts(api, ANNA), []);
      for (
        const operations of [
          [create("notes", { text: "x" }), create("notes", { text: "y" })],
          [create("plans", { name: "Small" }), create("plans", { name: "Large" })],
        ]
      ) {
        const done = await api.ask("changeset", { as: ANNA, body: { operations } });
        assertEquals(done.status, 200, done.text);
      }
      assertEquals(await texts(api, ANNA), ["x", "y"]);
      assertEquals(await count(api.ports.database, "plans"), 2);
    });
  });

  test("a worker finds what an organization left, whichever process it is", async () => {
    await withWebhooks(async (api) => {
      await api.register();
      await api.register({ as: STRANGER, url: "https://other.example.com/in" });
      const test = await api.ask("/webhooks/v1/endpoints", { as: ADMIN });
      const [endpoint] = Array.isArray(test.body["data"]) ? test.body["data"] : [];
      const sent = await api.ask(`/webhooks/v1/endpoints/${endpoint.id}/test`, {
        as: ADMIN,
        method: "POST",
      });
      assert(sent.status < 300, sent.text);
      assertEquals(await count(api.ports.database, "webhook_deliveries"), 0);
      const { webhooks } = api.ports;
      assert(webhooks, "The API has no ports for webhooks");
      const another = createBackgroundWorker(api.project, { ...api.ports, webhooks });
      while (await another.tick() > 0) await another.settled();
      assertEquals(api.dialled.map(({ url }) => url), [URL]);
      const tenants = tenantsOf(api);
      assertEquals((await tenants.working("", 10)).map((one) => one.organizationId), ["org_a"]);
      api.pass(61_000);
      while (await another.tick() > 0) await another.settled();
      assertEquals(await tenants.working("", 10), []);
    }, { driver, project: webhooksProject });
  });
}

const [files] = TENANT_DRIVERS;

Deno.test("a request that is answered from another organization's database is found by conformance", async () => {
  for (const isWrong of [false, true]) {
    await withDefinitions(FILES, async (api) => {
      const { project } = api;
      const report = await conformanceOf(project, api);
      assertEquals(
        report.mismatches.length > 0,
        isWrong,
        JSON.stringify(report.mismatches.slice(0, 3)),
      );
    }, {
      ...(files ? { driver: files } : {}),
      wrapTenants: (tenants) => ({
        ...tenants,
        of: (id, founding) => tenants.of(isWrong ? `${id}_other` : id, founding),
      }),
    });
  }
});

const ACTIONS: RawFiles = {
  ...FILES,
  "quickback/features/notes/actions/survey.ts": `import { defineAction } from "@quickback/compiler";
import { z } from "zod";
import { notes } from "../notes";

export default defineAction({
  description: "Counts the notes of all organizations",
  path: "/survey",
  input: z.object({ mode: z.enum(["each", "direct", "foreign"]) }),
  access: { roles: ["sysadmin"] },
  unsafe: { reason: "Statistics", crossTenant: true, adminOnly: true },
  execute: async ({ unsafeDb, input }) => {
    if (input.mode === "direct") return { found: (await unsafeDb.select().from(notes)).length };
    if (input.mode === "foreign") {
      await unsafeDb.scopeTo({ organizationId: "org_b" }).insert(notes).values({ text: "planted" });
    }
    const found = [];
    for await (const db of unsafeDb.eachOrganization()) found.push((await db.select().from(notes)).length);
    return { found };
  },
});
`,
  "quickback/features/tools/actions/price.ts": `import { defineAction } from "@quickback/compiler";
import { z } from "zod";
import { plans } from "../../plans/plans";
import { notes } from "../../notes/notes";

export default defineAction({
  description: "Reads the plans, and writes where it is told to",
  path: "/price",
  input: z.object({ mode: z.enum(["read", "write", "note"]) }),
  access: { roles: ["AUTHENTICATED"] },
  execute: async ({ db, input }) => {
    if (input.mode === "write") await db.insert(plans).values({ name: "Own" });
    if (input.mode === "note") await db.insert(notes).values({ text: "noted" });
    const all = await db.select().from(plans);
    return { names: all.map(({ name }) => name).sort() };
  },
});
`,
};

Deno.test("code across organizations goes through them one by one, and writes in none but its own", async () => {
  await withCompiledActions(ACTIONS, async (api) => {
    await write(api, ANNA, "of a");
    await write(api, BERT, "of b");
    await write(api, BERT, "also of b");
    const root: Claims = { sub: "root", userRole: "sysadmin", roles: [] };
    const survey = (mode: string) => api.ask("survey", { as: root, body: { mode } });
    const each = await survey("each");
    assertEquals([each.status, each.body["found"]], [200, [1, 2]], each.text);
    assertEquals((await survey("direct")).body["code"], "ACTION_EXECUTION_FAILED");
    assertEquals((await survey("foreign")).status >= 400, true);
    assertEquals(await texts(api, BERT), ["also of b", "of b"]);
  }, files ? { driver: files } : {});
});

Deno.test("code of an organization reads what belongs to none, and writes its own rows alone", async () => {
  await withCompiledActions(ACTIONS, async (api) => {
    const plan = await api.ask("plans", { as: ANNA, body: { name: "Large" } });
    assertEquals(plan.status, 201, plan.text);
    const price = (mode: string, as = ANNA) => api.ask("price", { as, body: { mode } });
    assertEquals((await price("read")).body["names"], ["Large"]);
    assertEquals((await price("note")).body["names"], ["Large"]);
    assertEquals((await price("write")).body["code"], "ACTION_EXECUTION_FAILED");
    assertEquals((await price("write", LONER)).body["names"], ["Large", "Own"]);
    assertEquals((await price("note", LONER)).status >= 400, true);
    assertEquals(await texts(api, ANNA), ["noted"]);
  }, files ? { driver: files } : {});
});

/** Definitions 6, hooks of records and `db.records`: in every home of rows, and where no route is asked (contract 4.1, 6.2, 6.3). */
import { assert, assertEquals } from "@std/assert";
import type { RawFiles } from "../../shared/compiler/mod.ts";
import type { ApiUnderTest } from "../support/api.ts";
import { withCompiledActions } from "../support/compiled_actions.ts";
import { TENANT_DRIVERS } from "../support/databases.ts";
import { ANN, BEN, hooked, hooksFile } from "../support/hooked_project.ts";
import { bearing, connected } from "../support/mcp_client.ts";
import { withRealtime } from "../support/realtime.ts";

const SHOP = "quickback/features/shop";

const titles = async (api: ApiUnderTest, as = ANN) =>
  (await api.ask("orders?fields=title,made&sort=title", { as })).body["data"];

const MADE = hooksFile({
  beforeCreate: `({ ctx }) => ({ made: "by " + (ctx.userId ?? "nobody") })`,
});

for (const driver of TENANT_DRIVERS) {
  Deno.test(`${driver.name}: each organization's database has its own hooked writes`, () =>
    withCompiledActions(
      hooked({
        hooks: hooksFile({
          beforeCreate: `async ({ db }) => ({ made: String(await db.$count(orders)) })`,
          afterCreate:
            `async ({ db, record }) => { await db.records.create(customers, { name: record.title }); }`,
        }),
        config: `providers: { database: { name: "libsql", tenancy: "perOrganization" } }`,
      }),
      async (api) => {
        for (const as of [ANN, BEN, ANN]) {
          const { status, text } = await api.ask("orders", {
            method: "POST",
            as,
            body: { title: `${as.sub} ${await countOf(api, as)}` },
          });
          assertEquals(status, 201, text);
        }
        assertEquals(await titles(api), [{ title: "ann 0", made: "0" }, {
          title: "ann 1",
          made: "1",
        }]);
        assertEquals(await titles(api, BEN), [{ title: "ben 0", made: "0" }]);
        assertEquals((await api.ask("customers?fields=name", { as: BEN })).body["data"], [{
          name: "ben 0",
        }]);
      },
      { driver },
    ));
}

async function countOf(api: ApiUnderTest, as: typeof ANN): Promise<number> {
  const data = await titles(api, as);
  return Array.isArray(data) ? data.length : -1;
}

const KEYED: RawFiles = {
  "quickback/quickback.config.ts":
    `export default { name: "shop", providers: { database: { name: "libsql", config: { generateId: false } } } };\n`,
  [`${SHOP}/orders.ts`]: `import { feature, q } from "quickback";
export default feature("orders", {
  columns: {
    id: q.id(), organizationId: q.scope("organization"), title: q.text().required(), note: q.text(), made: q.text(),
  },
  guards: false,
  read: { access: { roles: ["member"] } },
  create: { access: { roles: ["member"] } },
  upsert: { access: { roles: ["member"] } },
});
`,
  [`${SHOP}/hooks/orders.ts`]: `import { ActionError, defineHooks } from "quickback";
import { orders } from "../schema";
export default defineHooks(orders, {
  beforeCreate: ({ changes }) => ({ made: "new: " + Object.keys(changes).join() }),
  beforeUpdate({ record, changes, next }) {
    if (changes.title === "no") throw new ActionError("No", "NO", 409);
    return { made: "was " + record.title + ", note " + next.note };
  },
});
`,
};

Deno.test("PUT runs the hooks of a create or of an update, alone and in a batch", () =>
  withCompiledActions(KEYED, async (api) => {
    const put = (path: string, body: unknown) => api.ask(path, { method: "PUT", as: ANN, body });
    const made = await put("orders/one", { title: "One", note: "n" });
    assertEquals([made.status, made.body["made"]], [201, "new: title,note"]);
    const again = await put("orders/one", { title: "Two" });
    assertEquals([again.status, again.body["made"], again.body["note"]], [
      200,
      "was One, note null",
      null,
    ]);
    const no = await put("orders/one", { title: "no" });
    assertEquals([no.status, no.body["code"]], [409, "NO"]);
    const batch = await put("orders/batch", {
      records: [{ id: "one", title: "Three" }, { id: "two", title: "New" }, {
        id: "one2",
        title: "no",
      }],
    });
    assertEquals(batch.status, 200, batch.text);
    assertEquals(await titles(api), [
      { title: "New", made: "new: title" },
      { title: "Three", made: "was Two, note null" },
      { title: "no", made: "new: title" },
    ]);
    const some = await put("orders/batch", {
      records: [{ id: "one", title: "no" }, { id: "two", title: "x" }],
    });
    assertEquals(some.status, 207);
    const { errors } = some.body;
    assert(Array.isArray(errors));
    assertEquals(errors.map(({ index, error }) => [index, error.layer, error.code]), [[
      0,
      "action",
      "NO",
    ]]);
  }));

const REFUSING = hooksFile({
  beforeCreate: `({ ctx, changes }) => {
    if (changes.title === "no") throw new ActionError("Not so", "NOT_SO", 409);
    return { made: "by " + ctx.userId };
  }`,
});

Deno.test("tools of /mcp run hooks, and a rehearsal takes them back", () =>
  withCompiledActions(
    hooked({ hooks: REFUSING, config: "agents: { mcp: true }," }),
    async (api) => {
      const { call } = await connected(api, await bearing(ANN));
      const args = { resource: "orders", data: { title: "a" } };
      const rehearsed = await call("create_record", { ...args, dryRun: true });
      assert(rehearsed.text.includes("by ann"), rehearsed.text);
      assertEquals(await titles(api), []);
      const refused = await call("create_record", { ...args, data: { title: "no" } });
      assertEquals([refused.isError, refused.text.includes("NOT_SO")], [true, true], refused.text);
      const made = await call("create_record", args);
      assert(made.text.includes("by ann"), made.text);
      assertEquals(await titles(api), [{ title: "a", made: "by ann" }]);
    },
  ));

Deno.test("frames tell of db.records whatever emitFromActions says, and of no plain statement", () => {
  const files = hooked({
    hooks: MADE,
    config: "realtime: { enabled: true },",
    more: {
      [`${SHOP}/actions/orders/make.ts`]: `import { defineAction, z } from "quickback";
import { customers, orders } from "../../schema";
export default defineAction({
  description: "Makes", path: "/make", method: "POST", input: z.object({}), access: { roles: ["member"] },
  execute: async ({ db }) => {
    await db.insert(customers).values({ name: "plain" });
    await db.records.create(customers, { name: "told" });
    await db.records.create(orders, { title: "told" });
  },
});
`,
    },
  });
  const told = Object.fromEntries(
    Object.entries(files).map(([path, text]) => [
      path,
      /shop\/(orders|customers)\.ts$/.test(path)
        ? text.replace("guards: {", "realtime: true, guards: {")
        : text,
    ]),
  );
  return withRealtime(told, async (api) => {
    const ann = await api.listen(ANN, { search: "?resources=orders,customers" });
    const made = await api.ask("make", { method: "POST", as: ANN, body: {} });
    assertEquals(made.status, 200, made.text);
    const brief = (await ann.brief(2)).map((one) => one.split(" ").slice(0, 2).join(" ")).sort();
    assertEquals(brief, ["record.created customers", "record.created orders"]);
    api.end();
    assertEquals(await ann.brief(1), ["closing "]);
  });
});

Deno.test("a rule on columns alone is asked of what the caller sends, not of what a hook makes of it", async () => {
  const files = hooked({
    hooks: hooksFile({ beforeCreate: 'async () => ({ made: "x", kind: "y" })' }),
  });
  const path = `${SHOP}/orders.ts`;
  const ruled = 'create: { access: { roles: ["member"], record: { kind: "plain" } } }';
  const text = String(files[path]).replace('create: { access: { roles: ["member"] } }', ruled);
  assert(text.includes(ruled));
  await withCompiledActions({ ...files, [path]: text }, async (api) => {
    const create = (body: unknown) => api.ask("orders", { method: "POST", as: ANN, body });
    const refused = await create({ title: "One", kind: "other" });
    assertEquals([refused.status, refused.body["code"]], [403, "ACCESS_CONDITION_FAILED"]);
    const made = await create({ title: "One" });
    assertEquals([made.status, made.body["kind"]], [201, "y"]);
  });
});

/** `delete: { children: "refuse" }`: what living rows refer to stays, whichever way it is to be deleted (contract 3.1). */
import { assertEquals } from "@std/assert";
import { type Answer, type ApiUnderTest, type Ask, isRecord } from "../support/api.ts";
import { type Claims, withDefinitions } from "../support/api.ts";
import { withCompiledActions } from "../support/compiled_actions.ts";
import { DRIVERS } from "../support/databases.ts";
import { bearing, connected } from "../support/mcp_client.ts";
import { type Random, seededRandom } from "../support/random.ts";

const admin: Claims = { sub: "user_1", orgId: "org_1", roles: ["admin"] };
const clerk: Claims = { sub: "user_2", orgId: "org_1", roles: ["clerk"] };
const ADMINS = '{ access: { roles: ["admin"] } }';
const BOTH = '{ access: { roles: ["admin", "clerk"] } }';

function file(name: string, columns: string, rest: string): readonly [string, string] {
  const targets = new Set([...columns.matchAll(/\(\) => (\w+)\.id/g)].map(([, target]) => target));
  const imports = [...targets].filter((target) => target !== name)
    .map((target) => `import ${target} from "../${target?.toLowerCase()}/${target}.ts";\n`);
  return [
    `quickback/features/${name.toLowerCase()}/${name}.ts`,
    `import { feature, q } from "quickback";
${imports.join("")}
const ${name} = feature("${name}", {
  columns: { organizationId: q.scope("organization"), name: q.text(), ${columns} },
  guards: false,
  create: ${BOTH}, update: ${BOTH},
  ${rest}
});
export default ${name};
`,
  ];
}

const ORDER = (rule = "") => `orderId: q.text().references(() => orders.id${rule}),`;

const FILES: Readonly<Record<string, string>> = {
  "quickback/quickback.config.ts":
    `export default { name: "refusals", contract: { changeset: true } };\n`,
  ...Object.fromEntries([
    file("customers", "", `read: ${BOTH}, delete: ${BOTH},`),
    file(
      "orders",
      "customerId: q.text().references(() => customers.id), mergedId: q.text().references(() => orders.id),",
      `read: ${BOTH},
  delete: { access: { roles: ["admin", "clerk"] }, children: "refuse", restore: ${BOTH} },`,
    ),
    file(
      "lineItems",
      `${ORDER()} giftId: q.text().references(() => orders.id),`,
      `read: ${BOTH}, delete: ${BOTH},`,
    ),
    file("invoices", ORDER(', { onDelete: "restrict" }'), `read: ${ADMINS}, delete: ${BOTH},`),
    file(
      "notes",
      `ownerId: q.scope("owner"), ${ORDER(', { onDelete: "cascade" }')}`,
      `read: ${BOTH}, delete: ${BOTH},`,
    ),
    file("visits", ORDER(', { onDelete: "set null" }'), `read: ${BOTH}, delete: ${BOTH},`),
    file(
      "boxes",
      "",
      `read: ${BOTH}, delete: { access: { roles: ["admin"] }, mode: "hard", children: "refuse" },`,
    ),
    file(
      "labels",
      'boxId: q.text().references(() => boxes.id, { onDelete: "cascade" }),',
      `read: ${BOTH}, delete: ${BOTH},`,
    ),
  ]),
};

async function add(api: ApiUnderTest, path: string, body: object = {}, as = admin) {
  const answer = await api.ask(path, { as, body: { name: "a", ...body } });
  assertEquals(answer.status, 201, answer.text);
  return String(answer.body["id"]);
}

const remove = (api: ApiUnderTest, path: string, as = admin) =>
  api.ask(path, { as, method: "DELETE" });

async function countOf(api: ApiUnderTest, path: string): Promise<unknown> {
  const { body: { pagination } } = await api.ask(`${path}&total=true`, { as: admin });
  return isRecord(pagination) ? pagination["total"] : null;
}

function childrenIn(details: unknown): unknown {
  return isRecord(details) ? details["children"] : undefined;
}

function assertRefused(answer: Answer, children: Readonly<Record<string, number>>): void {
  assertEquals([answer.status, answer.body["code"]], [409, "DB_REFERENCE_VIOLATION"], answer.text);
  assertEquals(childrenIn(answer.body["details"]), children);
}

Deno.test("living rows keep what they refer to, and are counted as far as the caller reads them", async () => {
  await withDefinitions(FILES, async (api) => {
    const orderId = await add(api, "orders");
    const items = [
      await add(api, "line-items", { orderId }),
      await add(api, "line-items", { giftId: orderId }),
      // By both of its keys, and one row all the same.
      await add(api, "line-items", { orderId, giftId: orderId }),
    ];
    const invoice = await add(api, "invoices", { orderId });
    const note = await add(api, "notes", { orderId });
    const visit = await add(api, "visits", { orderId });
    assertRefused(await remove(api, `orders/${orderId}`), { lineItems: 3, invoices: 1, notes: 1 });
    // Invoices are not read by clerks, and notes by their owner alone.
    assertRefused(await remove(api, `orders/${orderId}`, clerk), { lineItems: 3 });
    for (const id of items) assertEquals((await remove(api, `line-items/${id}`)).status, 200);
    assertRefused(await remove(api, `orders/${orderId}`, clerk), {});
    assertEquals((await remove(api, `invoices/${invoice}`)).status, 200);
    assertRefused(await remove(api, `orders/${orderId}`), { notes: 1 });
    assertEquals((await remove(api, `notes/${note}`)).status, 200);
    assertEquals((await api.ask(`orders/${orderId}`, { as: admin })).status, 200);
    assertEquals((await remove(api, `orders/${orderId}`)).status, 200);
    const { body } = await api.ask(`visits/${visit}`, { as: admin });
    assertEquals(body["orderId"], null);
  });
});

Deno.test("a row does not keep itself, another one of its table does", async () => {
  await withDefinitions(FILES, async (api) => {
    const own = await add(api, "orders");
    await api.ask(`orders/${own}`, { as: admin, method: "PATCH", body: { mergedId: own } });
    const merged = await add(api, "orders", { mergedId: own });
    assertRefused(await remove(api, `orders/${own}`), { orders: 1 });
    assertEquals((await remove(api, `orders/${merged}`)).status, 200);
    assertEquals((await remove(api, `orders/${own}`)).status, 200);
  });
});

Deno.test("a cascade from above goes on over what would be kept by itself", async () => {
  await withDefinitions(FILES, async (api) => {
    const customerId = await add(api, "customers");
    const orderId = await add(api, "orders", { customerId });
    const item = await add(api, "line-items", { orderId });
    assertEquals((await remove(api, `customers/${customerId}`)).status, 200);
    for (const path of [`orders/${orderId}`, `line-items/${item}`]) {
      assertEquals((await api.ask(path, { as: admin })).body["code"], "FIREWALL_SOFT_DELETED");
    }
  });
});

Deno.test("a hard delete is refused where the database would take the rows along", async () => {
  await withDefinitions(FILES, async (api) => {
    const boxId = await add(api, "boxes");
    const label = await add(api, "labels", { boxId });
    assertRefused(await remove(api, `boxes/${boxId}`), { labels: 1 });
    assertEquals((await remove(api, `labels/${label}`)).status, 200);
    assertEquals((await remove(api, `boxes/${boxId}`)).status, 200);
  });
});

Deno.test("each item of a batch is refused by itself, or all with the first", async () => {
  for (const table of ["orders", "boxes"]) {
    const [child, key] = table === "orders" ? ["line-items", "orderId"] : ["labels", "boxId"];
    await withDefinitions(FILES, async (api) => {
      const ids = [await add(api, table), await add(api, table), await add(api, table)];
      await add(api, child, { [key]: ids[1] });
      const batch = (options: object) =>
        api.ask(`${table}/batch`, { as: admin, method: "DELETE", body: { ids, ...options } });
      const stopped = await batch({ options: { failFast: true } });
      assertEquals(stopped.body["code"], "BATCH_FAIL_FAST_STOPPED", stopped.text);
      const { status, body } = await batch({});
      const errors = Array.isArray(body["errors"]) ? body["errors"] : [];
      const [error] = errors;
      assertEquals([status, errors.length], [207, 1]);
      assertEquals(
        isRecord(error) && isRecord(error["error"]) && error["error"]["code"],
        "DB_REFERENCE_VIOLATION",
      );
      assertEquals(
        isRecord(error) && isRecord(error["error"]) && childrenIn(error["error"]["details"]),
        { [table === "boxes" ? "labels" : "lineItems"]: 1 },
      );
      const { body: { data } } = await api.ask(table, { as: admin });
      assertEquals(Array.isArray(data) ? data.map(({ id }) => id) : null, [ids[1]]);
    });
  }
});

Deno.test("a changeset is refused as its deletion is, and one that empties the row first passes", async () => {
  await withDefinitions(FILES, async (api) => {
    const orderId = await add(api, "orders");
    const item = await add(api, "line-items", { orderId });
    const changeset = (...operations: object[]) =>
      api.ask("changeset", { as: admin, body: { operations } });
    const ofOrder = { op: "delete", resource: "orders", id: orderId };
    const ofItem = { op: "delete", resource: "lineItems", id: item };
    const refused = await changeset(ofOrder, ofItem);
    assertRefused(refused, { lineItems: 1 });
    assertEquals(isRecord(refused.body["details"]) && refused.body["details"]["failedAt"], 0);
    assertEquals((await api.ask(`line-items/${item}`, { as: admin })).status, 200);
    assertEquals((await changeset(ofItem, ofOrder)).status, 200);
  });
});

Deno.test("an assistant's tool is refused with the same counts", async () => {
  await withDefinitions(FILES, async (api) => {
    const orderId = await add(api, "orders");
    await add(api, "line-items", { orderId });
    const { call } = await connected(api, await bearing(admin));
    const { problem } = await call("delete_record", { resource: "orders", id: orderId });
    assertEquals(problem["code"], "DB_REFERENCE_VIOLATION");
    assertEquals(childrenIn(problem["details"]), { lineItems: 1 });
  });
});

const SWEEP = `import { defineAction } from "quickback";
import { eq } from "drizzle-orm";
import { z } from "zod";
import { orders } from "../schema";
import { boxes } from "../../boxes/schema";
export default defineAction({
  description: "Sweep", path: "/sweep", method: "POST",
  input: z.object({ id: z.string(), isBox: z.boolean(), isCaught: z.boolean() }),
  access: { roles: ["admin"] },
  execute: async ({ db, input }) => {
    const table = input.isBox ? boxes : orders;
    const removing = db.delete(table).where(eq(table.id, input.id));
    if (!input.isCaught) return void await removing;
    await removing.then(() => { throw new Error("It was deleted"); }, () => {});
    await db.insert(orders).values({ name: "after" });
  },
});
`;

Deno.test("a handler's delete is refused, and its other writes stand where it catches that", async () => {
  const files = { ...FILES, "quickback/features/orders/actions/sweep.ts": SWEEP };
  await withCompiledActions(files, async (api) => {
    const ids = { orders: await add(api, "orders"), boxes: await add(api, "boxes") };
    const item = await add(api, "line-items", { orderId: ids.orders });
    const label = await add(api, "labels", { boxId: ids.boxes });
    const sweep = (table: keyof typeof ids, isCaught = false) => {
      const body = { id: ids[table], isBox: table === "boxes", isCaught };
      return api.ask("sweep", { as: admin, body });
    };
    assertRefused(await sweep("orders"), { lineItems: 1 });
    assertRefused(await sweep("boxes"), { labels: 1 });
    for (const table of ["orders", "boxes"] as const) {
      const caught = await sweep(table, true);
      assertEquals(caught.status, 200, caught.text);
      assertEquals((await api.ask(`${table}/${ids[table]}`, { as: admin })).status, 200);
    }
    assertEquals(await countOf(api, "orders?name=after"), 2);
    await remove(api, `line-items/${item}`);
    await remove(api, `labels/${label}`);
    assertEquals([(await sweep("orders")).status, (await sweep("boxes")).status], [200, 200]);
  });
});

for (const driver of DRIVERS) {
  Deno.test(`a row and what refers to it, written at once, never part (${driver.name})`, async () => {
    await withDefinitions(FILES, async (api) => {
      for (let round = 0; round < 10; round += 1) {
        const orderId = await add(api, "orders");
        const writing: Ask = { as: admin, body: { name: "a", orderId } };
        const items = Array.from({ length: 4 }, () => api.ask("line-items", writing));
        const removals = Array.from({ length: 3 }, () => remove(api, `orders/${orderId}`));
        items.push(...Array.from({ length: 4 }, () => api.ask("line-items", writing)));
        const created = (await Promise.all(items)).filter(({ status }) => status === 201).length;
        const removed = (await Promise.all(removals)).filter(({ status }) => status === 200).length;
        assertEquals(created > 0 ? removed : 0, 0, `${created} items beside ${removed} removals`);
        assertEquals(created > 0 || removed === 1, true);
      }
    }, { driver });
  });
}

/** Of the random worlds: a parent key of each kind, and whether it keeps the parent. */
const KEYS = [
  { table: "line-items", name: "lineItems", key: "orderId", keeps: true },
  { table: "line-items", name: "lineItems", key: "giftId", keeps: true },
  { table: "invoices", name: "invoices", key: "orderId", keeps: true },
  { table: "notes", name: "notes", key: "orderId", keeps: true },
  { table: "visits", name: "visits", key: "orderId", keeps: false },
] as const;

interface Child {
  readonly id: string;
  readonly at: (typeof KEYS)[number];
  readonly orderId: string;
  readonly maker: Claims;
  isDeleted: boolean;
}

/** What a reader of the definition expects of the deletion; null: it is done. */
function expectedChildren(
  children: readonly Child[],
  orderId: string,
  as: Claims,
): Readonly<Record<string, number>> | null {
  const keeping = children.filter((child) =>
    child.orderId === orderId && !child.isDeleted && child.at.keeps
  );
  if (keeping.length === 0) return null;
  const read = keeping.filter(({ at, maker }) =>
    at.name === "invoices" ? as === admin : at.name === "notes" ? maker === as : true
  );
  return Object.fromEntries(
    [...Map.groupBy(read, ({ at }) => at.name)].map(([name, all]) => [name, all.length]),
  );
}

Deno.test("over random worlds, deletions are refused as the definition says", async () => {
  await withDefinitions(FILES, async (api) => {
    for (let seed = 1; seed <= 8; seed += 1) await playWorld(api, seededRandom(seed));
  });
});

async function playWorld(api: ApiUnderTest, random: Random): Promise<void> {
  const orders = new Set<string>();
  for (let at = 0; at < 4; at += 1) orders.add(await add(api, "orders"));
  const children: Child[] = [];
  for (let turn = 0; turn < 30 && orders.size > 0; turn += 1) {
    const orderId = random.pick([...orders]);
    const as = random.pick([admin, clerk]);
    const living = children.filter(({ isDeleted, maker }) => !isDeleted && maker === as);
    if (random.chance(45)) {
      const at = random.pick(KEYS);
      const id = await add(api, at.table, { [at.key]: orderId }, as);
      children.push({ id, at, orderId, maker: as, isDeleted: false });
    } else if (random.chance(50) && living.length > 0) {
      const child = random.pick(living);
      assertEquals((await remove(api, `${child.at.table}/${child.id}`, as)).status, 200);
      child.isDeleted = true;
    } else {
      const expected = expectedChildren(children, orderId, as);
      const answer = await remove(api, `orders/${orderId}`, as);
      if (expected !== null) {
        assertRefused(answer, expected);
      } else {
        assertEquals(answer.status, 200, answer.text);
        orders.delete(orderId);
      }
    }
  }
}

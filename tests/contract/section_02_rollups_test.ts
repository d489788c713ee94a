/** Definitions 3, rollups: totals of rows that refer to a row, right in the transaction of whatever writes them. */
import { assert, assertEquals } from "@std/assert";
import type { RawFiles } from "../../shared/compiler/mod.ts";
import { validate } from "../../shared/compiler/mod.ts";
import { type ApiUnderTest, type Claims, isRecord, withDefinitions } from "../support/api.ts";
import { withCompiledActions } from "../support/compiled_actions.ts";
import { DRIVERS } from "../support/databases.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { withRealtime } from "../support/realtime.ts";

const ANN: Claims = { sub: "ann", orgId: "org_a", roles: ["member"] };
const BOSS: Claims = { sub: "boss", orgId: "org_a", roles: ["boss", "member"] };
const ROLES = `{ access: { roles: ["member"] } }`;

interface Parts {
  readonly customers?: string;
  readonly orders?: string;
  readonly lines?: string;
  readonly config?: string;
}

const files = ({ customers = "", orders = "", lines = "", config = "" }: Parts = {}): RawFiles => ({
  "quickback/quickback.config.ts":
    `export default { name: "desk", contract: { changeset: true }, ${config} };\n`,
  "quickback/features/orders/customers.ts": `import { feature, q } from "quickback";
export default feature("customers", {
  columns: {
    organizationId: q.scope("organization"),
    name: q.text(),
    turnover: q.rollup("orders.customerId", { sum: "total" }),
    version: q.revision(),
  },
  guards: { createable: ["name"], updatable: ["name"] },
  read: ${ROLES}, create: ${ROLES}, update: ${ROLES}, delete: ${ROLES}, ${customers}
});
`,
  "quickback/features/orders/orders.ts": `import { feature, q } from "quickback";
import customers from "./customers";
export default feature("orders", {
  columns: {
    organizationId: q.scope("organization"),
    customerId: q.text().references(() => customers.id),
    note: q.text(),
    total: q.rollup("lines.orderId", { sum: "amount" }),
    open: q.rollup("lines.orderId", { count: true }, { where: { status: "open" } }),
    first: q.rollup("lines.orderId", { min: "dueOn" }),
    dearest: q.rollup("lines.orderId", { max: "amount" }, { where: { status: { in: ["open", "held"] } } }),
    isBig: q.computed(q.bool(), ({ total }) => total > 100).index(),
    version: q.revision(),
  },
  guards: { createable: ["note", "customerId"], updatable: ["note", "customerId"] },
  read: { access: { roles: ["member"] } }, create: ${ROLES}, update: ${ROLES},
  delete: { access: { roles: ["member"] }, mode: "soft", restore: { access: { roles: ["member"] } } },
  ${orders}
});
`,
  "quickback/features/orders/lines.ts": `import { feature, q } from "quickback";
import orders from "./orders";
export default feature("lines", {
  columns: {
    organizationId: q.scope("organization"),
    orderId: q.text().references(() => orders.id, { onDelete: "cascade" }),
    quantity: q.int({ min: -1000, max: 1000 }).required().default(1),
    price: q.decimal({ precision: 12, scale: 2 }).required(),
    amount: q.computed(q.decimal({ precision: 18, scale: 2 }), ({ quantity, price }) => quantity * price),
    status: q.enum(["open", "held", "done"]).required().default("open"),
    dueOn: q.date(),
  },
  guards: { createable: ["orderId", "quantity", "price", "status", "dueOn"], updatable: ["orderId", "quantity", "price", "status", "dueOn"] },
  read: ${ROLES}, create: ${ROLES}, update: ${ROLES},
  delete: { access: { roles: ["member"] }, mode: "soft", restore: { access: { roles: ["member"] } } },
  ${lines}
});
`,
});

async function make(api: ApiUnderTest, resource: string, body: object): Promise<string> {
  const answer = await api.ask(resource, { method: "POST", as: ANN, body });
  assertEquals(answer.status, 201, answer.text);
  return String(answer.body["id"]);
}

const totals = async (api: ApiUnderTest, id: string, as = ANN) => {
  const { body } = await api.ask(`orders/${id}`, { as });
  return [body["total"], body["open"], body["first"], body["dearest"], body["isBig"]];
};

for (const driver of DRIVERS) {
  Deno.test(`totals follow creates, changes, moves, deletions and restores (${driver.name})`, async () => {
    await withDefinitions(files(), async (api) => {
      const customer = await make(api, "customers", { name: "Ann" });
      const one = await make(api, "orders", { customerId: customer });
      const other = await make(api, "orders", {});
      assertEquals(await totals(api, one), ["0.00", 0, null, null, false]);
      const line = await make(api, "lines", {
        orderId: one,
        quantity: 3,
        price: "40.05",
        dueOn: "2026-03-01",
      });
      await make(api, "lines", { orderId: one, price: "-1", status: "done", dueOn: "2026-02-01" });
      assertEquals(await totals(api, one), ["119.15", 1, "2026-02-01", "120.15", true]);
      const turnover = async () =>
        (await api.ask(`customers/${customer}`, { as: ANN })).body["turnover"];
      assertEquals(await turnover(), "119.15");
      const patch = (body: object) => api.ask(`lines/${line}`, { method: "PATCH", as: ANN, body });
      await patch({ quantity: 1, status: "held" });
      assertEquals(await totals(api, one), ["39.05", 0, "2026-02-01", "40.05", false]);
      await patch({ orderId: other });
      assertEquals(await totals(api, one), ["-1.00", 0, "2026-02-01", null, false]);
      assertEquals(await totals(api, other), ["40.05", 0, "2026-03-01", "40.05", false]);
      assertEquals((await api.ask(`lines/${line}`, { method: "DELETE", as: ANN })).status, 200);
      assertEquals(await totals(api, other), ["0.00", 0, null, null, false]);
      assertEquals(
        (await api.ask(`lines/${line}/restore`, { method: "POST", as: ANN })).status,
        200,
      );
      assertEquals(await totals(api, other), ["40.05", 0, "2026-03-01", "40.05", false]);
      // The cascade of a deletion counts, and so does what comes back with it.
      await api.ask(`orders/${one}`, { method: "PATCH", as: ANN, body: { customerId: null } });
      assertEquals(await turnover(), "0.00");
      await api.ask(`orders/${other}`, { method: "DELETE", as: ANN });
      assertEquals(
        (await api.ask(`orders/${other}/restore`, { method: "POST", as: ANN })).status,
        200,
      );
      assertEquals((await totals(api, other))[0], "40.05");
    }, { driver });
  });

  Deno.test(`64 writers of one parent at once leave an exact total (${driver.name})`, async () => {
    await withDefinitions(files(), async (api) => {
      const order = await make(api, "orders", {});
      await Promise.all(
        Array.from(
          { length: 64 },
          (_, at) => make(api, "lines", { orderId: order, price: `${at}.01` }),
        ),
      );
      assertEquals((await totals(api, order)).slice(0, 2), ["2016.64", 64]);
    }, { driver });
  });
}

Deno.test("a total changes neither revision nor history, and its tag anchors a write all the same", async () => {
  const audit = `audit: { access: { roles: ["member"] } },`;
  await withDefinitions(files({ orders: audit }), async (api) => {
    const order = await make(api, "orders", {});
    const before = await api.ask(`orders/${order}`, { as: ANN });
    const tag = before.headers.get("etag") ?? "";
    assert(/^"1-[^"]+"$/.test(tag), tag);
    await make(api, "lines", { orderId: order, price: "1" });
    const after = await api.ask(`orders/${order}`, { as: ANN, headers: { "if-none-match": tag } });
    assertEquals([after.status, after.body["total"], after.body["version"]], [200, "1.00", 1]);
    assertEquals(after.body["modifiedAt"], before.body["modifiedAt"]);
    const kept = await api.ask(`orders/${order}`, {
      as: ANN,
      headers: { "if-none-match": after.headers.get("etag") ?? "" },
    });
    assertEquals(kept.status, 304);
    const written = await api.ask(`orders/${order}`, {
      method: "PATCH",
      as: ANN,
      body: { note: "x" },
      headers: { "if-match": tag },
    });
    assertEquals([written.status, written.body["version"]], [200, 2], written.text);
    const history = await api.ask(`orders/${order}/history`, { as: ANN });
    const { data } = history.body;
    assert(Array.isArray(data), history.text);
    assertEquals(data.map(({ kind }) => kind), ["update", "create"]);
    assert(!history.text.includes("total"), history.text);
  });
});

Deno.test("a total beyond its digits refuses the write, and nothing is written", async () => {
  await withDefinitions(files(), async (api) => {
    const order = await make(api, "orders", {});
    const line = { orderId: order, quantity: 1000, price: "9999999999.99" };
    for (let at = 0; at < 1000; at += 100) {
      const some = await api.ask("lines/batch", {
        method: "POST",
        as: ANN,
        body: { records: Array.from({ length: 100 }, () => line) },
      });
      assertEquals(some.status, 201, some.text.slice(0, 200));
    }
    const [total] = await totals(api, order);
    const refused = await api.ask("lines", { method: "POST", as: ANN, body: line });
    assertEquals([refused.status, refused.body["code"]], [400, "VALIDATION_ERROR"], refused.text);
    assertEquals((await totals(api, order))[0], total);
  });
});

Deno.test("a handler that takes a total beyond its digits is refused alike", async () => {
  const project: RawFiles = {
    "quickback/quickback.config.ts": 'export default { name: "desk" };\n',
    "quickback/features/funds/funds.ts": `import { feature, q } from "quickback";
export default feature("funds", {
  columns: { organizationId: q.scope("organization"), all: q.rollup("shares.fundId", { sum: "worth" }) },
  read: ${ROLES}, create: ${ROLES},
});
`,
    "quickback/features/funds/shares.ts": `import { q } from "quickback";
import funds from "./funds";
export default q.table("shares", {
  organizationId: q.scope("organization"),
  fundId: q.text().required().references(() => funds.id),
  worth: q.decimal({ precision: 18, scale: 2 }).required(),
});
`,
    "quickback/features/funds/actions/invest.ts": `import { defineAction } from "quickback";
import { z } from "zod";
import { shares } from "../schema";
export default defineAction({
  description: "Adds a share",
  input: z.object({}),
  access: { roles: ["member"] },
  async execute({ db, record }) {
    await db.insert(shares).values({ fundId: record.id, worth: "9999999999999999.99" });
    return {};
  },
});
`,
  };
  await withCompiledActions(project, async (api) => {
    const fund = await make(api, "funds", {});
    const invest = () => api.ask(`funds/${fund}/invest`, { method: "POST", as: ANN, body: {} });
    assertEquals((await invest()).status, 200);
    const refused = await invest();
    assertEquals([refused.status, refused.body["code"]], [400, "VALIDATION_ERROR"], refused.text);
    const { body } = await api.ask(`funds/${fund}`, { as: ANN });
    assertEquals(body["all"], "9999999999999999.99");
  });
});

Deno.test("no body writes a total, and lists sort and filter by it", async () => {
  await withDefinitions(files(), async (api) => {
    const refused = await api.ask("orders", { method: "POST", as: ANN, body: { total: "1" } });
    assertEquals([refused.status, refused.body["code"]], [400, "GUARD_SYSTEM_MANAGED"]);
    const [small, big] = [await make(api, "orders", {}), await make(api, "orders", {})];
    await make(api, "lines", { orderId: small, price: "2" });
    await make(api, "lines", { orderId: big, price: "200" });
    const ids = async (query: string) => {
      const { data } = (await api.ask(`orders?${query}`, { as: ANN })).body;
      assert(Array.isArray(data));
      return data.filter(isRecord).map(({ id }) => id);
    };
    assertEquals(await ids("sort=-total"), [big, small]);
    assertEquals(await ids("total.lt=100"), [small]);
    assertEquals(await ids("isBig=true"), [big]);
  });
});

Deno.test("a masked source masks its total", async () => {
  const lines = `masking: { price: { type: "redact", show: { roles: ["boss"] } } },`;
  await withDefinitions(files({ lines }), async (api) => {
    const order = await make(api, "orders", {});
    await make(api, "lines", { orderId: order, price: "7" });
    assertEquals((await totals(api, order)).map((one) => one === "[REDACTED]"), [
      true,
      false,
      false,
      true,
      true,
    ]);
    assertEquals((await totals(api, order, BOSS))[0], "7.00");
    const refused = await api.ask("orders?sort=total", { as: ANN });
    assertEquals(refused.status, 400);
  });
});

Deno.test("a commit that changes totals makes one frame of the row that has them", async () => {
  const project = files({ config: "realtime: { enabled: true }", orders: "realtime: true," });
  await withRealtime(project, async (api) => {
    const order = await make(api, "orders", {});
    const events = await api.listen(ANN, { search: "?resources=orders" });
    const batch = await api.ask("lines/batch", {
      method: "POST",
      as: ANN,
      body: { records: [{ orderId: order, price: "1" }, { orderId: order, price: "2" }] },
    });
    assertEquals(batch.status, 201, batch.text);
    const { data } = await events.next();
    const row = data["data"];
    assert(isRecord(row), JSON.stringify(data));
    assertEquals([data.type, row["total"], row["open"]], ["record.updated", "3.00", 2]);
    await make(api, "orders", { note: "next" });
    assertEquals((await events.next()).data.type, "record.created");
    api.end();
  });
});

Deno.test("rows of a database that no request writes are counted alike", async () => {
  for (let seed = 1; seed <= 12; seed += 1) {
    await withDefinitions(files(), (api) => compareWithRecount(api, seededRandom(seed)));
  }
});

/** Writes by chance past the service, each followed by a recount of its own. */
async function compareWithRecount(api: ApiUnderTest, random: Random): Promise<void> {
  const now = "2026-01-01T00:00:00.000Z";
  const run = (sql: string, ...args: (string | number | null)[]) =>
    api.database.write((one) => one.run({ sql, args }));
  const orders = ["o1", "o2", "o3"];
  for (const id of orders) {
    await run(
      "INSERT INTO orders (id, organization_id, created_at, version) VALUES (?, 'org_a', ?, 1)",
      id,
      now,
    );
  }
  for (let step = 0; step < 40; step += 1) {
    const id = `l${random.below(8)}`;
    const order = random.chance(15) ? null : random.pick(orders);
    const price = random.below(2000) - 500;
    const status = random.pick(["open", "held", "done"]);
    const due = random.chance(30) ? null : `2026-0${1 + random.below(9)}-01`;
    switch (random.below(6)) {
      case 0:
      case 1:
        await run(
          `INSERT INTO lines (id, organization_id, order_id, quantity, price, status, due_on, created_at)
            VALUES (?, 'org_a', ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET order_id = excluded.order_id,
            price = excluded.price, status = excluded.status`,
          id,
          order,
          random.below(9) - 2,
          price,
          status,
          due,
          now,
        );
        break;
      case 2:
        await run(
          "UPDATE lines SET quantity = quantity + 1, status = ?, due_on = ? WHERE order_id = ?",
          status,
          due,
          order,
        );
        break;
      case 3:
        await run("UPDATE lines SET order_id = ?, price = ? WHERE id = ?", order, price, id);
        break;
      case 4:
        await run(
          "UPDATE lines SET deleted_at = CASE WHEN deleted_at IS NULL THEN ? END WHERE id = ?",
          now,
          id,
        );
        break;
      default:
        await run("DELETE FROM lines WHERE id = ?", id);
    }
    const kept = await api.database.run({
      sql: "SELECT id, total, open, first, dearest FROM orders ORDER BY id",
      args: [],
    });
    const counted = await api.database.run({
      sql:
        `SELECT o.id, coalesce(sum(l.quantity * l.price), 0), coalesce(sum(l.status = 'open'), 0), min(l.due_on),
          max(CASE WHEN l.status IN ('open', 'held') THEN l.quantity * l.price END)
        FROM orders AS o LEFT JOIN lines AS l ON l.order_id = o.id AND l.deleted_at IS NULL GROUP BY o.id ORDER BY o.id`,
      args: [],
    });
    assertEquals(kept.rows, counted.rows, `step ${step}`);
  }
}

const MISTAKES: readonly (readonly [column: string, code: string])[] = [
  ['q.rollup("linez.orderId", { count: true })', "ROLLUP_INVALID"],
  ['q.rollup("lines.orderIt", { count: true })', "ROLLUP_INVALID"],
  ['q.rollup("lines.title", { count: true })', "ROLLUP_INVALID"],
  ['q.rollup("lines.orderId", { sum: "title" })', "ROLLUP_INVALID"],
  ['q.rollup("lines.orderId", { sum: "weight" })', "ROLLUP_INVALID"],
  ['q.rollup("lines.orderId", { sum: "nothing" })', "ROLLUP_INVALID"],
  ['q.rollup("lines.orderId", { avg: "pieces" })', "UNKNOWN_KEY"],
  ['q.rollup("lines.orderId", { sum: "pieces", count: true })', "VALUE_INVALID"],
  ['q.rollup("lines.orderId", {})', "VALUE_INVALID"],
  ['q.rollup("lines", { count: true })', "ARGUMENTS"],
  ['q.rollup("lines.orderId", { count: true }, { where: { pieces: "x" } })', "OPERAND_TYPE"],
  [
    'q.rollup("lines.orderId", { count: true }, { where: { title: "$ctx.userId" } })',
    "VALUE_INVALID",
  ],
  ['q.rollup("lines.orderId", { sum: "back" })', "COMPUTED_CIRCLE"],
  ['q.rollup("lines.orderId", { count: true }).required()', "MODIFIER_MISPLACED"],
];

const TREE = (column: string): RawFiles => ({
  "quickback/quickback.config.ts": 'export default { name: "desk" };\n',
  "quickback/features/orders/orders.ts": `import { feature, q } from "quickback";
export default feature("orders", { columns: { organizationId: q.scope("organization"), value: ${column} } });
`,
  "quickback/features/orders/lines.ts": `import { feature, q } from "quickback";
import orders from "./orders";
export default feature("lines", { columns: {
  organizationId: q.scope("organization"),
  ownerId: q.scope("owner"),
  orderId: q.text().references(() => orders.id),
  lineId: q.text(),
  title: q.text(),
  pieces: q.int(),
  weight: q.real(),
  back: q.rollup("parts.lineId", { sum: "value" }),
} });
`,
  "quickback/features/orders/parts.ts": `import { feature, q } from "quickback";
import lines from "./lines";
export default feature("parts", { columns: {
  organizationId: q.scope("organization"),
  lineId: q.text().references(() => lines.id),
  value: q.computed(q.int(), ({ value }) => value),
} });
`,
});

for (const [column, code] of MISTAKES) {
  Deno.test(`${column} is ${code}`, () => {
    const validation = validate(TREE(column));
    const found = validation.ok ? [] : validation.errors.map((one) => one.code);
    assert(found.includes(code), JSON.stringify(validation));
  });
}

Deno.test("a total over rows that its reader may not see is told", () => {
  const project = TREE('q.rollup("lines.orderId", { count: true })');
  const { "quickback/features/orders/parts.ts": _, ...rest } = project;
  const validation = validate({
    ...rest,
    "quickback/features/orders/lines.ts": (project["quickback/features/orders/lines.ts"] ?? "")
      .replace(/ {2}back: .*\n/, ""),
  });
  assert(validation.ok, JSON.stringify(validation));
  assert(validation.warnings.some(({ code }) => code === "ROLLUP_WIDER"));
});

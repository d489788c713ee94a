/** `q.decimal()` and bounds of instants (definitions 3): exact from body to answer, whatever asks, sums or writes them. */
import { assertEquals } from "@std/assert";
import { validate } from "../../shared/compiler/mod.ts";
import { type Answer, type ApiUnderTest, type Claims, withDefinitions } from "../support/api.ts";
import { withCompiledActions } from "../support/compiled_actions.ts";

const ANN: Claims = { sub: "ann", orgId: "org_a", roles: ["member"] };
const BOB: Claims = { sub: "bob", orgId: "org_a", roles: ["clerk"] };
const EVA: Claims = { sub: "eva", orgId: "org_a", roles: ["lead"] };
const ALL = `{ access: { roles: ["member", "lead"] } }`;

const FILES = {
  "quickback/quickback.config.ts": 'export default { name: "prices" };\n',
  "quickback/features/prices/prices.ts": `import { feature, q } from "quickback";
export default feature("prices", {
  columns: {
    organizationId: q.scope("organization"),
    price: q.decimal({ precision: 18, scale: 2 }).required(),
    rate: q.decimal({ precision: 4, scale: 4, min: "0.0001", max: "0.5" }),
    fee: q.decimal({ precision: 6, scale: 2 }).default("1.5"),
    whole: q.decimal({ precision: 3, scale: 0 }),
    cost: q.decimal({ precision: 6, scale: 2 }),
    steps: q.list(q.decimal({ precision: 4, scale: 1 })),
    shop: q.text(),
    at: q.timestamp({ min: "2026-01-01T00:00:00Z", max: "2027-01-01T00:00:00+01:00" }),
    extra: q.json(),
  },
  masking: { cost: { type: "redact", show: { roles: ["lead"] } } },
  guards: false,
  defaultSort: "price",
  read: {
    access: {
      or: [
        { roles: ["member", "lead"] },
        { roles: ["clerk"], record: { price: { greaterThanOrEqual: "9.5" } } },
      ],
    },
    views: {
      sums: {
        fields: ["id", "price"],
        access: { roles: ["member"] },
        aggregations: {
          sum: { fn: "sum", field: "price" }, avg: { fn: "avg", field: "price" },
          min: { fn: "min", field: "price" }, max: { fn: "max", field: "price" },
          fees: { fn: "avg", field: "whole" },
        },
      },
      shops: {
        groupBy: ["shop", "price"],
        access: { roles: ["member"] },
        aggregations: { sum: { fn: "sum", field: "price" } },
      },
    },
  },
  create: ${ALL}, update: ${ALL},
});
`,
};

const made = (api: ApiUnderTest, body: object): Promise<Answer> =>
  api.ask("prices", { as: EVA, body: { price: "1.00", ...body } });

async function prices(api: ApiUnderTest, query: string, as = ANN): Promise<unknown> {
  const answer = await api.ask(`prices?${query}`, { as });
  const { data } = answer.body;
  return Array.isArray(data) ? data.map((one) => one.price) : answer.body["code"];
}

Deno.test("a decimal is answered in full scale, exactly, to its last digit", () =>
  withDefinitions(FILES, async (api) => {
    const written: readonly (readonly [string, string])[] = [
      ["0", "0.00"],
      ["-0", "0.00"],
      ["12.5", "12.50"],
      ["-0.05", "-0.05"],
      ["9999999999999999.99", "9999999999999999.99"],
      ["-9007199254740993.01", "-9007199254740993.01"],
      ["007", "7.00"],
    ];
    for (const [price, answered] of written) {
      const { status, body } = await made(api, { price });
      assertEquals([status, body["price"], body["fee"]], [201, answered, "1.50"]);
      const read = await api.ask(`prices/${body["id"]}`, { as: ANN });
      assertEquals(read.body["price"], answered);
      const stored = await api.database.run({
        sql: "SELECT typeof(price), CAST(price AS text) FROM prices WHERE id = ?",
        args: [String(body["id"])],
      });
      const digits = answered.replace(".", "").replace(/^(-?)0+(?=\d)/, "$1");
      assertEquals(stored.rows[0], ["integer", digits]);
      assertEquals(await prices(api, `price=${price}&limit=1`), [answered]);
    }
    const { body } = await made(api, { rate: "0.5", whole: "-7", steps: ["1", "2.5"] });
    assertEquals([body["rate"], body["whole"], body["steps"]], ["0.5000", "-7", ["1.0", "2.5"]]);
    const patch = { price: "3.1", whole: null };
    const changed = await api.ask(`prices/${body["id"]}`, {
      as: EVA,
      method: "PATCH",
      body: patch,
      headers: { "content-type": "application/merge-patch+json" },
    });
    assertEquals([changed.body["price"], changed.body["whole"]], ["3.10", null]);
  }));

Deno.test("numbers, other spellings and digits too many are 400, in bodies, filters and where", () =>
  withDefinitions(FILES, async (api) => {
    const wrong: readonly unknown[] = [
      1,
      "1.000",
      "12345678901234567",
      "1e2",
      "+1",
      " 1",
      "1.",
      ".5",
      "",
      "NaN",
      "1,5",
      "--1",
      "１",
    ];
    for (const price of wrong) {
      const { status, body } = await made(api, { price });
      assertEquals([status, body["code"], body["pointer"]], [400, "VALIDATION_ERROR", "/price"]);
      const where = JSON.stringify({ price: { greaterThan: price } });
      assertEquals(
        await prices(api, `where=${encodeURIComponent(where)}`),
        "VALIDATION_INVALID_INPUT",
        where,
      );
      if (typeof price !== "string") continue;
      assertEquals(
        await prices(api, `price.gte=${encodeURIComponent(price)}`),
        "VALIDATION_INVALID_INPUT",
        price,
      );
    }
    for (const body of [{ rate: "0.0000" }, { rate: "0.5001" }, { rate: "1" }, { whole: "1.0" }]) {
      assertEquals((await made(api, body)).status, 400, JSON.stringify(body));
    }
    assertEquals((await made(api, { steps: ["1.25"] })).body["pointer"], "/steps/0");
    assertEquals(await prices(api, "price.like=1"), "VALIDATION_INVALID_INPUT");
    assertEquals(await prices(api, ""), []);
  }));

Deno.test("decimals are filtered, sorted, paged, judged and summed up as numbers", () =>
  withDefinitions(FILES, async (api) => {
    for (const price of ["10.00", "9.50", "-2.00", "9007199254740993.02"]) {
      await made(api, { price, shop: price === "10.00" ? "a" : "b" });
    }
    const all = ["-2.00", "9.50", "10.00", "9007199254740993.02"];
    assertEquals(await prices(api, ""), all);
    assertEquals(await prices(api, "sort=-price"), all.toReversed());
    assertEquals(await prices(api, "price.gt=9.5"), all.slice(2));
    assertEquals(await prices(api, "price.lte=9.5"), all.slice(0, 2));
    assertEquals(await prices(api, "price.in=10,9007199254740993.02"), all.slice(2));
    assertEquals(await prices(api, "price.nin=10,9007199254740993.02"), all.slice(0, 2));
    assertEquals(await prices(api, "price.ne=9007199254740993.02"), all.slice(0, 3));
    const where = (value: unknown) => `where=${encodeURIComponent(JSON.stringify(value))}`;
    assertEquals(await prices(api, where({ price: { in: ["10.0", "-2"] } })), ["-2.00", "10.00"]);
    assertEquals(await prices(api, where({ price: "9007199254740993.02" })), all.slice(3));
    // The record condition of the rule.
    assertEquals(await prices(api, "", BOB), all.slice(1));
    let cursor = "";
    for (const price of all.toReversed()) {
      const { body } = await api.ask(`prices?sort=-price&limit=1${cursor}`, { as: ANN });
      assertEquals((body["data"] as { price: string }[]).map((one) => one.price), [price]);
      const { nextCursor } = body["pagination"] as { nextCursor: string };
      cursor = `&starting_after=${encodeURIComponent(nextCursor)}`;
    }
    const { body } = await api.ask("prices/views/sums", { as: ANN });
    assertEquals(body["aggregations"], {
      sum: "9007199254741010.52",
      avg: "2251799813685252.63",
      min: "-2.00",
      max: "9007199254740993.02",
      fees: null,
    });
    const groups = await api.ask("prices/views/shops?sort=-sum", { as: ANN });
    assertEquals(groups.body["data"], [
      { shop: "b", price: "9007199254740993.02", sum: "9007199254740993.02" },
      { shop: "a", price: "10.00", sum: "10.00" },
      { shop: "b", price: "9.50", sum: "9.50" },
      { shop: "b", price: "-2.00", sum: "-2.00" },
    ]);
  }));

Deno.test("a mean is rounded to the last digit, a half to the even one", () =>
  withDefinitions(FILES, async (api) => {
    const mean = async (wholes: readonly string[]) => {
      for (const whole of wholes) await made(api, { whole });
      const { body } = await api.ask("prices/views/sums", { as: ANN });
      return (body["aggregations"] as { fees: unknown }).fees;
    };
    assertEquals(await mean(["1", "2"]), "2"); // 1.5
    assertEquals(await mean(["4", "3"]), "2"); // 10 / 4 = 2.5
    assertEquals(await mean(["-40"]), "-6"); // -30 / 5
    assertEquals(await mean(["15"]), "-2"); // -15 / 6 = -2.5
    assertEquals(await mean(["-6"]), "-3"); // -21 / 7
  }));

Deno.test("a masked decimal is hidden, and nothing can be asked by it", () =>
  withDefinitions(FILES, async (api) => {
    await made(api, { cost: "7.25" });
    const cost = async (as: Claims) => {
      const { data } = (await api.ask("prices", { as })).body;
      return Array.isArray(data) ? data[0]?.cost : undefined;
    };
    assertEquals([await cost(EVA), await cost(ANN)], ["7.25", "[REDACTED]"]);
    assertEquals(await prices(api, "cost=7.25", EVA), ["1.00"]);
    assertEquals(await prices(api, "cost=7.25"), "VALIDATION_INVALID_INPUT");
    assertEquals(await prices(api, "sort=cost"), "VALIDATION_INVALID_INPUT");
  }));

const RAISE = `import { eq, gt, max, sql } from "drizzle-orm";
import { z } from "zod";
import { defineAction } from "quickback";
import { prices, shops } from "../schema";

export default defineAction({
  description: "Raises a price",
  input: z.object({ to: z.string(), how: z.string() }),
  access: { roles: ["member"] },
  allowRawSql: true,
  async execute({ db, record, input: { to, how } }) {
    if (how === "raw") await db.run(sql\`UPDATE prices SET price = ${"${to}"} WHERE id = ${"${record.id}"}\`);
    else if (how === "twice") await db.run(sql\`UPDATE prices SET price = price * 2 WHERE id = ${"${record.id}"}\`);
    else await db.update(prices).set({ price: to }).where(eq(prices.id, record.id));
    const [found] = await db.select({ price: prices.price, most: max(prices.price) }).from(prices)
      .where(gt(prices.price, "9.99"));
    const rows = await db.query.prices.findMany({ columns: { price: true } });
    const raw = await db.all<{ price: number }>(sql\`SELECT price FROM prices\`);
    await db.insert(shops).values({ name: "x", fee: to });
    const [shop] = await db.select().from(shops);
    return {
      before: record.price, found, rows, fee: shop?.fee, raw: raw.map((one) => String(one.price)),
    };
  },
});
`;

Deno.test("handlers read, write and compare decimals as strings; their own SQL sees the whole number", () =>
  withCompiledActions({
    ...FILES,
    "quickback/features/prices/shops.ts": `import { q } from "quickback";
export const shops = q.table("shops", {
  id: q.id(), organizationId: q.scope("organization"), name: q.text(),
  fee: q.decimal({ precision: 8, scale: 3 }),
});
`,
    "quickback/features/prices/actions/raise.ts": RAISE,
  }, async (api) => {
    const { body: { id } } = await made(api, { price: "1.00" });
    const raise = (to: string, how = "") =>
      api.ask(`prices/${id}/raise`, { as: ANN, method: "POST", body: { to, how } });
    const answer = await raise("12.5");
    assertEquals([answer.status, answer.body], [200, {
      before: "1.00",
      found: { price: "12.50", most: "12.50" },
      rows: [{ price: "12.50" }],
      fee: "12.500",
      raw: ["1250"],
    }]);
    assertEquals((await raise("13.5", "raw")).body["found"], { price: "13.50", most: "13.50" });
    assertEquals((await raise("1", "twice")).body["found"], { price: "27.00", most: "27.00" });
    const big = await raise("9007199254740993.01");
    assertEquals([big.status, big.body["code"]], [400, "VALIDATION_ERROR"]); // three digits for shops
    for (const to of ["1.001", "soon", "1e3"]) {
      assertEquals((await raise(to)).body["code"], "VALIDATION_ERROR", to);
      assertEquals((await raise(to, "raw")).body["code"], "VALIDATION_ERROR", to);
    }
    assertEquals((await api.ask(`prices/${id}`, { as: ANN })).body["price"], "27.00");
  }));

Deno.test("an instant is bounded by its moment, whatever zone a write says", () =>
  withDefinitions(FILES, async (api) => {
    const status = async (at: string) => (await made(api, { at })).status;
    assertEquals(await status("2026-01-01T00:00:00.000Z"), 201);
    assertEquals(await status("2026-01-01T00:59:59+01:00"), 400);
    assertEquals(await status("2025-12-31T23:30:00-01:00"), 201);
    assertEquals(await status("2026-12-31T23:00:00Z"), 201);
    assertEquals(await status("2026-12-31T23:00:00.001Z"), 400);
  }));

Deno.test("digits that do not fit together are compile errors", () => {
  const codes = (column: string) => {
    const price = FILES["quickback/features/prices/prices.ts"];
    const validation = validate({
      ...FILES,
      "quickback/features/prices/prices.ts": price.replace(
        "columns: {",
        `columns: { x: ${column},`,
      ),
    });
    return validation.ok ? [] : validation.errors.map(({ code }) => code);
  };
  assertEquals(codes("q.decimal({ precision: 18, scale: 18 })"), []);
  const wrong: readonly (readonly [string, string])[] = [
    ["q.decimal()", "ARGUMENTS"],
    ["q.decimal({ precision: 10 })", "KEY_MISSING"],
    ["q.decimal({ precision: 19, scale: 2 })", "VALUE_INVALID"],
    ["q.decimal({ precision: 2, scale: 3 })", "VALUE_INVALID"],
    ["q.decimal({ precision: 4, scale: 2, min: 1 })", "VALUE_INVALID"],
    ['q.decimal({ precision: 4, scale: 2, min: "1.001" })', "VALUE_INVALID"],
    ['q.decimal({ precision: 4, scale: 2, min: "10", max: "9.5" })', "VALUE_INVALID"],
    ["q.decimal({ precision: 4, scale: 2 }).default(1.5)", "DEFAULT_INVALID"],
    ["q.decimal({ precision: 4, scale: 2 }).searchable()", "MODIFIER_MISPLACED"],
    ['q.timestamp({ min: "2026-01-01" })', "VALUE_INVALID"],
    [
      'q.timestamp({ min: "2026-01-01T00:00:00Z", max: "2026-01-01T00:00:00+01:00" })',
      "VALUE_INVALID",
    ],
  ];
  for (const [column, code] of wrong) assertEquals(codes(column), [code], column);
});

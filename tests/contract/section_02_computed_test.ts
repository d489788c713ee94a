/** Definitions 3, computed columns: expressions that the database evaluates, exact, null in and null out. */
import { assert, assertEquals } from "@std/assert";
import type { RawFiles } from "../../shared/compiler/mod.ts";
import { validate } from "../../shared/compiler/mod.ts";
import { type ApiUnderTest, type Claims, isRecord, withDefinitions } from "../support/api.ts";
import { withCompiledActions } from "../support/compiled_actions.ts";
import { DRIVERS } from "../support/databases.ts";

const ANN: Claims = { sub: "ann", orgId: "org_a", roles: ["member"] };
const BOSS: Claims = { sub: "boss", orgId: "org_a", roles: ["boss", "member"] };
const ROLES = `{ access: { roles: ["member"] } }`;

const COLUMNS = `
    organizationId: q.scope("organization"),
    quantity: q.decimal({ precision: 8, scale: 2 }).required(),
    price: q.decimal({ precision: 10, scale: 2 }).required(),
    discount: q.int({ min: 0, max: 100 }),
    cost: q.decimal({ precision: 6, scale: 2 }),
    name: q.text(),
    status: q.enum(["open", "done"]).required().default("open"),
    dueOn: q.date(),
    amount: q.computed(q.decimal({ precision: 18, scale: 4 }), ({ quantity, price }) => quantity * price).index(),
    net: q.computed(q.decimal({ precision: 18, scale: 2 }), (row) => {
      return round(row.amount * 1, 2);
    }),
    each: q.computed(q.decimal({ precision: 18, scale: 3 }), ({ price, discount }) => round(price / discount, 3)),
    isLate: q.computed(q.bool(), ({ status, dueOn }) => status === "open" && dueOn < "2026-02-01"),
    title: q.computed(q.text(), ({ name, quantity, status }) => \`\${quantity} × \${name ?? "?"} (\${status})\`),
    year: q.computed(q.int(), ({ dueOn }) => date.year(dueOn)).sortable(),
    weekday: q.computed(q.int(), ({ dueOn }) => date.weekday(dueOn)),
    margin: q.computed(q.decimal({ precision: 11, scale: 2 }), ({ price, cost }) => price - (cost ?? 0)),
    size: q.computed(q.text(), ({ quantity }) => quantity >= 10 ? "large" : quantity > 1 ? "some" : "one"),
    hasDay: q.computed(q.bool(), ({ dueOn }) => dueOn != null),`;

const feature = (more: string) =>
  `import { date, feature, q, round } from "quickback";
export default feature("lines", { columns: {${COLUMNS}
  },
  guards: { createable: ["quantity", "price", "discount", "cost", "name", "status", "dueOn"], updatable: ["quantity", "price", "name"] },
  read: { access: { roles: ["member"] }, views: {
    totals: { groupBy: ["status"], aggregations: { all: { fn: "sum", field: "amount" } } },
    late: { fields: ["id", "amount", "isLate"], query: { filterable: ["isLate"], sortable: ["amount"] } },
  } },
  create: ${ROLES}, update: ${ROLES}, delete: ${ROLES},
  ${more}
});
`;

const files = (more = ""): RawFiles => ({
  "quickback/quickback.config.ts": `export default { name: "desk" };\n`,
  "quickback/features/lines/lines.ts": feature(more),
});

const LINE = { quantity: "2.50", price: "3.01", discount: 3, name: "Cup", dueOn: "2026-01-31" };

function create(api: ApiUnderTest, body: object, as = ANN) {
  return api.ask("lines", { method: "POST", as, body });
}

for (const driver of DRIVERS) {
  Deno.test(`computed columns are answered by every write and read (${driver.name})`, async () => {
    await withDefinitions(files(), async (api) => {
      const made = await create(api, LINE);
      assertEquals(made.status, 201, made.text);
      const expected = {
        amount: "7.5250",
        net: "7.52",
        each: "1.003",
        isLate: true,
        title: "2.50 × Cup (open)",
        year: 2026,
        weekday: 6,
        margin: "3.01",
        size: "some",
        hasDay: true,
      };
      const of = (body: Readonly<Record<string, unknown>>) =>
        Object.fromEntries(Object.keys(expected).map((name) => [name, body[name]]));
      assertEquals(of(made.body), expected);
      const path = `lines/${made.body["id"]}`;
      assertEquals(of((await api.ask(path, { as: ANN })).body), expected);
      const changed = await api.ask(path, {
        method: "PATCH",
        as: ANN,
        body: { quantity: "12", name: null },
      });
      assertEquals(changed.status, 200, changed.text);
      assertEquals([changed.body["amount"], changed.body["size"], changed.body["title"]], [
        "36.1200",
        "large",
        "12.00 × ? (open)",
      ]);
    }, { driver });
  });
}

Deno.test("null in gives null out, and so does a division by zero", async () => {
  await withDefinitions(files(), async (api) => {
    const { body } = await create(api, { quantity: "1", price: "1", discount: 0 });
    const { each, isLate, year, margin, hasDay, title } = body;
    assertEquals([each, isLate, year, margin, hasDay, title], [
      null,
      null,
      null,
      "1.00",
      false,
      "1.00 × ? (open)",
    ]);
  });
});

Deno.test("lists filter, sort, search, aggregate and group by computed columns", async () => {
  await withDefinitions(files(), async (api) => {
    for (
      const [quantity, price, name] of [["1", "5", "Ant"], ["2", "2", "Bee"], ["3", "3", "Cat"]]
    ) {
      await create(api, { ...LINE, quantity, price, name });
    }
    const ask = async (query: string) => {
      const { body, text } = await api.ask(`lines${query}`, { as: ANN });
      const { data } = body;
      assert(Array.isArray(data), text);
      return data.filter(isRecord).map(({ name, amount }) => name ?? amount);
    };
    assertEquals(await ask("?sort=-amount"), ["Cat", "Ant", "Bee"]);
    assertEquals(await ask("?amount.gt=4.5&sort=amount"), ["Ant", "Cat"]);
    assertEquals(await ask("?size=one"), ["Ant"]);
    assertEquals(await ask("?search=%C3%97%20Bee"), ["Bee"]);
    assertEquals(
      await ask(`?where=${encodeURIComponent(JSON.stringify({ amount: { lessThan: "4.1" } }))}`),
      ["Bee"],
    );
    assertEquals(await ask("/views/late?isLate=true&sort=-amount"), ["9.0000", "5.0000", "4.0000"]);
    const { body } = await api.ask("lines/views/totals", { as: ANN });
    assert(Array.isArray(body["data"]));
    assertEquals(body["data"].map((row) => row.all), ["18.0000"]);
  });
});

Deno.test("no body writes a computed column", async () => {
  await withDefinitions(files(), async (api) => {
    const refused = await create(api, { ...LINE, amount: "1.0000" });
    assertEquals([refused.status, refused.body["code"]], [400, "GUARD_SYSTEM_MANAGED"]);
  });
});

Deno.test("a rule on a new row judges what will be computed", async () => {
  const rule = `, record: { amount: { lessThan: "100" } }`;
  const project = files();
  const lines = (project["quickback/features/lines/lines.ts"] ?? "")
    .replace(`create: ${ROLES}`, `create: { access: { roles: ["member"]${rule} } }`);
  await withDefinitions({ ...project, "quickback/features/lines/lines.ts": lines }, async (api) => {
    assertEquals((await create(api, { ...LINE, quantity: "9" })).status, 201);
    const refused = await create(api, { ...LINE, quantity: "99" });
    assertEquals([refused.status, refused.body["code"]], [403, "ACCESS_CONDITION_FAILED"]);
  });
});

Deno.test("whoever sees a source masked sees nothing of what is computed, and does not ask by it", async () => {
  const more = `masking: { cost: { type: "redact", show: { roles: ["boss"] } } },`;
  await withDefinitions(files(more), async (api) => {
    const made = await create(api, { ...LINE, cost: "1.00" });
    assertEquals([made.body["margin"], made.body["cost"]], ["[REDACTED]", "[REDACTED]"]);
    const path = `lines/${made.body["id"]}`;
    assertEquals((await api.ask(path, { as: BOSS })).body["margin"], "2.01");
    for (const query of ["sort=margin", "margin.gt=1", "where=%7B%22margin%22%3A%221.00%22%7D"]) {
      const refused = await api.ask(`lines?${query}`, { as: ANN });
      assertEquals(
        [refused.status, refused.body["code"]],
        [400, "VALIDATION_INVALID_INPUT"],
        query,
      );
    }
    assertEquals((await api.ask("lines?sort=margin", { as: BOSS })).status, 200);
  });
});

Deno.test("the description says which computed columns are never null", async () => {
  await withDefinitions(files(), (api) => {
    const column = (name: string) =>
      api.project.tables.find((table) => table.name === "lines")?.columns.find((one) =>
        one.name === name
      )?.nullable;
    assertEquals(["amount", "net", "size", "each", "margin", "title", "year"].map(column), [
      false,
      false,
      false,
      true,
      true,
      true,
      true,
    ]);
    return Promise.resolve();
  });
});

Deno.test("handlers read computed columns, and write none", async () => {
  const action = `import { defineAction } from "quickback";
import { eq } from "drizzle-orm";
import { z } from "zod";
import { lines } from "../schema";
export default defineAction({
  description: "Makes lines",
  path: "./make",
  input: z.object({ amount: z.number().optional() }),
  access: { roles: ["member"] },
  async execute({ db, input }) {
    const [made] = await db.insert(lines).values({ quantity: "2.00", price: "4.00" })
      .returning({ id: lines.id, amount: lines.amount });
    if (input.amount !== undefined) await db.update(lines).set({ amount: "1.0000" }).where(eq(lines.id, made.id));
    return { made, found: await db.select({ amount: lines.amount }).from(lines) };
  },
});
`;
  const project = { ...files(), "quickback/features/lines/actions/make.ts": action };
  await withCompiledActions(project, async (api) => {
    const answer = await api.ask("lines/make", { method: "POST", as: ANN, body: {} });
    assertEquals(answer.status, 200, answer.text);
    assertEquals(answer.body["found"], [{ amount: "8.0000" }]);
    const refused = await api.ask("lines/make", { method: "POST", as: ANN, body: { amount: 1 } });
    assertEquals(refused.status, 500);
  });
});

const MISTAKES: readonly (readonly [column: string, code: string])[] = [
  ["q.computed(q.decimal({ precision: 18, scale: 2 }), ({ a, b }) => a * b)", "COMPUTED_TYPE"],
  ["q.computed(q.decimal({ precision: 17, scale: 4 }), ({ a, b }) => a * b)", "COMPUTED_OVERFLOW"],
  [
    "q.computed(q.decimal({ precision: 18, scale: 6 }), ({ a, b }) => a * b * a)",
    "COMPUTED_OVERFLOW",
  ],
  ["q.computed(q.int(), ({ n }) => n * n)", "COMPUTED_OVERFLOW"],
  ["q.computed(q.int(), ({ n }) => n + n)", "COMPUTED_OVERFLOW"],
  ["q.computed(q.int(), ({ n }) => n / 2)", "COMPUTED_DIVISION"],
  ["q.computed(q.int(), ({ n }) => n % 2)", "COMPUTED_EXPRESSION"],
  ["q.computed(q.int(), ({ n }) => Math.max(n, 1))", "COMPUTED_EXPRESSION"],
  ["q.computed(q.int(), ({ n }) => m)", "COMPUTED_EXPRESSION"],
  ["q.computed(q.int(), ({ m }) => m)", "COMPUTED_EXPRESSION"],
  ["q.computed(q.int(), ({ n }) => { const m = n; return m; })", "COMPUTED_EXPRESSION"],
  ["q.computed(q.int(), async ({ n }) => n)", "COMPUTED_EXPRESSION"],
  ["q.computed(q.int(), ({ n, ...rest }) => n)", "COMPUTED_EXPRESSION"],
  ["q.computed(q.int(), ({ n = 1 }) => n)", "COMPUTED_EXPRESSION"],
  ["q.computed(q.int(), ({ n }) => n.length)", "COMPUTED_EXPRESSION"],
  ["q.computed(q.int(), ({ n }) => n[0])", "COMPUTED_EXPRESSION"],
  ["q.computed(q.int(), ({ n }) => 1e3)", "COMPUTED_EXPRESSION"],
  ["q.computed(q.int(), ({ n }) => 0x10)", "COMPUTED_EXPRESSION"],
  ["q.computed(q.int(), ({ t }) => t)", "COMPUTED_TYPE"],
  ["q.computed(q.int(), ({ t, n }) => t + n)", "COMPUTED_TYPE"],
  ["q.computed(q.int(), ({ t, n }) => t > n ? 1 : 2)", "COMPUTED_TYPE"],
  ["q.computed(q.int(), ({ n }) => n ? 1 : 2)", "COMPUTED_TYPE"],
  ["q.computed(q.int(), ({ n, t }) => n ?? t)", "COMPUTED_TYPE"],
  ["q.computed(q.bool(), ({ s }) => s === 'opne')", "COMPUTED_TYPE"],
  ["q.computed(q.bool(), ({ d }) => d < '2026-02-30')", "COMPUTED_TYPE"],
  ["q.computed(q.bool(), ({ n }) => n > null)", "COMPUTED_TYPE"],
  ["q.computed(q.text(), ({ r }) => `${r}`)", "COMPUTED_TYPE"],
  ["q.computed(q.text(), ({ j }) => j)", "COMPUTED_TYPE"],
  ["q.computed(q.text(), ({ value }) => value)", "COMPUTED_CIRCLE"],
  ["q.computed(q.text({ maxLength: 3 }), ({ t }) => t)", "ARGUMENTS"],
  ["q.computed(q.json(), ({ j }) => j)", "ARGUMENTS"],
  ["q.computed(q.text(), ({ t }) => t).required()", "MODIFIER_MISPLACED"],
  ["q.computed(q.text(), ({ t }) => t).default('x')", "MODIFIER_MISPLACED"],
  ["q.computed(q.text())", "ARGUMENTS"],
];

for (const [column, code] of MISTAKES) {
  Deno.test(`${column} is ${code}`, () => {
    const validation = validate({
      "quickback/quickback.config.ts": 'export default { name: "desk" };\n',
      "quickback/features/orders/orders.ts": `import { feature, q, round } from "quickback";
export default feature("orders", {
  columns: {
    organizationId: q.scope("organization"),
    a: q.decimal({ precision: 8, scale: 2 }),
    b: q.decimal({ precision: 10, scale: 2 }),
    n: q.int(),
    r: q.real(),
    t: q.text(),
    d: q.date(),
    j: q.json(),
    s: q.enum(["open", "done"]),
    value: ${column},
  },
});
`,
    });
    const found = validation.ok ? [] : validation.errors.map((one) => one.code);
    assertEquals(found, [code], JSON.stringify(validation.ok ? [] : validation.errors));
  });
}

Deno.test("a guard that names a computed column is an error", () => {
  const project = files();
  const lines = (project["quickback/features/lines/lines.ts"] ?? "")
    .replace('createable: ["quantity"', 'createable: ["amount", "quantity"');
  const validation = validate({ ...project, "quickback/features/lines/lines.ts": lines });
  assertEquals(validation.ok ? [] : validation.errors.map(({ code }) => code), ["GUARD_MANAGED"]);
});

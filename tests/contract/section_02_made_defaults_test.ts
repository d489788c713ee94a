/** Definitions 3, made defaults: texts at random, numbers, the caller and the time, for every new row and every way to make one. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { RawFiles } from "../../shared/compiler/mod.ts";
import { validate } from "../../shared/compiler/mod.ts";
import {
  type Answer,
  type ApiUnderTest,
  type Claims,
  isRecord,
  withDefinitions,
} from "../support/api.ts";
import { withCompiledActions } from "../support/compiled_actions.ts";
import { DRIVERS } from "../support/databases.ts";

const ANN: Claims = { sub: "ann", orgId: "org_a", roles: ["member"] };
const BEN: Claims = { sub: "ben", orgId: "org_a", roles: ["member"] };
const EVE: Claims = { sub: "eve", orgId: "org_b", roles: ["member"] };
const ROLES = `{ access: { roles: ["member"] } }`;

const ORDERS = `import { feature, q } from "quickback";
export default feature("orders", {
  columns: {
    organizationId: q.scope("organization"),
    title: q.text({ maxLength: 20 }).required(),
    slug: q.text().unique(),
    number: q.text().required().default({ sequence: "WO-{000}" }),
    count: q.int().default({ sequence: true, start: 100 }),
    handle: q.text().required().default({ random: 32 }),
    madeBy: q.text().default("$ctx.userId"),
    madeAt: q.timestamp().required().default("now"),
    madeOn: q.date().default("now"),
    word: q.text().default("now"),
  },
  guards: false,
  read: ${ROLES}, create: ${ROLES}, update: ${ROLES}, upsert: ${ROLES},
  delete: { mode: "hard", access: { roles: ["member"] } },
});
`;

const action = (name: string, body: string) => ({
  [`quickback/features/orders/actions/${name}.ts`]: `import { defineAction } from "quickback";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { orders } from "../schema";
export default defineAction({
  description: "Makes orders",
  path: "./${name}",
  input: z.object({}),
  allowRawSql: true,
  access: { roles: ["member"] },
  async execute({ db }) {
    void [sql, orders];
    ${body}
  },
});
`,
});

const FILES: RawFiles = {
  "quickback/quickback.config.ts":
    `export default { name: "desk", contract: { changeset: true }, providers: { database: { name: "libsql", generateId: false } } };\n`,
  "quickback/features/orders/orders.ts": ORDERS,
  ...action(
    "many",
    `return await db.insert(orders).values([
      { id: "h1", title: "a" }, { id: "h2", title: "b", number: "WO-777" }, { id: "h3", title: "c" },
    ]).returning({ number: orders.number, count: orders.count, handle: orders.handle, madeBy: orders.madeBy });`,
  ),
  ...action(
    "caught",
    `await db.insert(orders).values({ id: "c1", title: "a", slug: "taken" });
    await db.insert(orders).values({ id: "c2", title: "b", slug: "taken" }).catch(() => undefined);
    await db.insert(orders).values({ id: "c3", title: "c" });
    return await db.select({ number: orders.number }).from(orders);`,
  ),
  ...action(
    "copied",
    `await db.run(sql.raw("insert into orders (id, title) select id || 'c', title from orders")); return {};`,
  ),
};

/** Without code of its author's. */
const PUT: RawFiles = {
  "quickback/quickback.config.ts": FILES["quickback/quickback.config.ts"] ?? "",
  "quickback/features/orders/orders.ts": ORDERS,
};

function put(api: ApiUnderTest, id: string, body: object = {}, as = ANN): Promise<Answer> {
  return api.ask(`orders/${id}`, { method: "PUT", as, body: { title: "t", ...body } });
}

async function numbers(api: ApiUnderTest, as = ANN): Promise<readonly unknown[]> {
  const { body } = await api.ask("orders?sort=id&limit=100", { as });
  const { data } = body;
  assert(Array.isArray(data));
  return data.filter(isRecord).map(({ number }) => number);
}

Deno.test("every default that is made is made for a row that leaves it out, and kept when it is replaced", async () => {
  await withDefinitions(PUT, async (api) => {
    const first = await put(api, "a");
    assertEquals(first.status, 201, first.text);
    const { number, count, handle, madeBy, madeAt, madeOn, word } = first.body;
    assertEquals([number, count, madeBy, madeAt, madeOn, word], [
      "WO-001",
      100,
      "ann",
      "2026-01-02T03:04:05.678Z",
      "2026-01-02",
      "now",
    ]);
    assertMatch(String(handle), /^[A-Za-z0-9_-]{32}$/);
    api.pass(86_400_000);
    const second = await put(api, "a", { title: "u" }, BEN);
    assertEquals(second.status, 200, second.text);
    for (const name of ["number", "count", "handle", "madeBy", "madeAt", "madeOn"]) {
      assertEquals(second.body[name], first.body[name], name);
    }
    const other = await put(api, "b");
    assertEquals([other.body["number"], other.body["count"]], ["WO-002", 101]);
    assert(other.body["handle"] !== handle);
    assertEquals((await put(api, "c", {}, EVE)).body["number"], "WO-001");
  });
});

Deno.test("a value that is given is taken, and null where the column may be null", async () => {
  await withDefinitions(PUT, async (api) => {
    const given = {
      number: "X",
      handle: "mine",
      madeBy: "somebody",
      madeAt: "2020-01-01T00:00:00Z",
    };
    const { body } = await put(api, "a", { ...given, count: null, madeOn: null });
    assertEquals([body["number"], body["handle"], body["madeBy"], body["count"], body["madeOn"]], [
      "X",
      "mine",
      "somebody",
      null,
      null,
    ]);
    assertEquals((await put(api, "b")).body["number"], "WO-001");
    const refused = await put(api, "c", { number: null });
    assertEquals([refused.status, refused.body["code"]], [400, "VALIDATION_ERROR"]);
  });
});

for (const driver of DRIVERS) {
  Deno.test(`64 creates at once give 64 numbers that follow each other (${driver.name})`, async () => {
    await withDefinitions(PUT, async (api) => {
      const answers = await Promise.all(
        Array.from({ length: 64 }, (_, at) => put(api, `o${at}`, { slug: `s${at % 60}` })),
      );
      const made = answers.filter(({ status }) => status === 201);
      // Four share the name of another: a refused one leaves no gap.
      assertEquals(made.length, 60);
      const wanted = Array.from({ length: 60 }, (_, at) => `WO-${`${at + 1}`.padStart(3, "0")}`);
      assertEquals(made.map(({ body }) => String(body["number"])).toSorted(), wanted);
    }, { driver });
  });

  Deno.test(`a batch numbers its records in their order, and refused ones leave no gap (${driver.name})`, async () => {
    await withDefinitions(PUT, async (api) => {
      await put(api, "z", { slug: "taken" });
      const batch = await api.ask("orders/batch", {
        method: "PUT",
        as: ANN,
        body: {
          records: [
            { id: "a", title: "1" },
            { id: "b", title: "2", slug: "taken" },
            { id: "c", title: "3" },
            { id: "d", title: "x".repeat(99) },
            { id: "e", title: "4" },
          ],
        },
      });
      assertEquals(batch.status, 207, batch.text);
      assertEquals(await numbers(api), ["WO-002", "WO-003", "WO-004", "WO-001"]);
    }, { driver });
  });
}

Deno.test("a rehearsal shows the next number and uses none up", async () => {
  await withCompiledActions(FILES, async (api) => {
    const tried = await api.ask("orders/many?dryRun=true", { method: "POST", as: ANN, body: {} });
    assertEquals(tried.headers.get("preference-applied"), "dry-run", tried.text);
    assert(tried.text.includes("WO-002"));
    const made = await put(api, "a");
    assertEquals([made.status, made.body["number"], made.body["count"]], [201, "WO-001", 100]);
  });
});

/** The same table with ids of the service's own. */
const CREATED: RawFiles = {
  "quickback/quickback.config.ts":
    `export default { name: "desk", contract: { changeset: true } };\n`,
  "quickback/features/orders/orders.ts": ORDERS.replace(`upsert: ${ROLES},`, ""),
};

Deno.test("single, batch and changeset creates count on from each other", async () => {
  await withDefinitions(CREATED, async (api) => {
    const one = await api.ask("orders", { method: "POST", as: ANN, body: { title: "a" } });
    assertEquals(one.body["number"], "WO-001", one.text);
    const many = await api.ask("orders/batch", {
      method: "POST",
      as: ANN,
      body: { records: [{ title: "b" }, { title: "c", number: "WO-003" }, { title: "d" }] },
    });
    assertEquals(many.status, 201, many.text);
    const { success } = many.body;
    assert(Array.isArray(success));
    assertEquals(success.map((row) => row.number), ["WO-002", "WO-003", "WO-004"]);
    assertEquals(new Set(success.map((row) => row.handle)).size, 3);
    const set = await api.ask("changeset", {
      method: "POST",
      as: ANN,
      body: {
        operations: [
          { op: "create", resource: "orders", data: { title: "e" } },
          { op: "create", resource: "orders", data: { title: "f" } },
        ],
      },
    });
    assertEquals(set.status, 200, set.text);
    assertEquals(
      (await api.ask("orders?number=WO-006", { as: ANN })).body["pagination"] !== undefined,
      true,
    );
    const { data } = (await api.ask("orders?limit=100", { as: ANN })).body;
    assert(Array.isArray(data));
    assertEquals(
      data.map((row) => row.number).toSorted(),
      [1, 2, 3, 4, 5, 6].map((n) => `WO-00${n}`),
    );
  });
});

Deno.test("values that clients have taken are passed over, at most ten in a row", async () => {
  await withDefinitions(CREATED, async (api) => {
    const create = (body: object) => api.ask("orders", { method: "POST", as: ANN, body });
    for (const number of ["WO-001", "WO-002", "WO-004"]) await create({ title: "a", number });
    assertEquals((await create({ title: "b" })).body["number"], "WO-003");
    assertEquals((await create({ title: "b" })).body["number"], "WO-005");
    for (let at = 6; at < 16; at += 1) {
      await create({ title: "a", number: `WO-${`${at}`.padStart(3, "0")}` });
    }
    const refused = await create({ title: "c" });
    assertEquals(
      [refused.status, refused.body["code"]],
      [409, "DB_UNIQUE_VIOLATION"],
      refused.text,
    );
    const twice = await create({ title: "c", number: "WO-001" });
    assertEquals([twice.status, twice.body["code"]], [409, "DB_UNIQUE_VIOLATION"]);
  });
});

Deno.test("a number grows beyond its zeros", async () => {
  const files = {
    ...CREATED,
    "quickback/features/orders/orders.ts": ORDERS
      .replace(`upsert: ${ROLES},`, "").replace('"WO-{000}"', '"{0}/x", start: 9'),
  };
  await withDefinitions(files, async (api) => {
    const create = () => api.ask("orders", { method: "POST", as: ANN, body: { title: "a" } });
    assertEquals([(await create()).body["number"], (await create()).body["number"]], [
      "9/x",
      "10/x",
    ]);
  });
});

Deno.test("inserts of handlers take part, and what they catch leaves no gap", async () => {
  await withCompiledActions(FILES, async (api) => {
    const many = await api.ask("orders/many", { method: "POST", as: ANN, body: {} });
    assertEquals(many.status, 200, many.text);
    const rows: unknown = JSON.parse(many.text);
    assert(Array.isArray(rows));
    assertEquals(rows.map(({ number, count, madeBy }) => [number, count, madeBy]), [
      ["WO-001", 100, "ann"],
      ["WO-777", 101, "ann"],
      ["WO-002", 102, "ann"],
    ]);
    assertEquals(new Set(rows.map(({ handle }) => handle)).size, 3);
    const caught = await api.ask("orders/caught", { method: "POST", as: EVE, body: {} });
    assertEquals(caught.status, 200, caught.text);
    assertEquals(await numbers(api, EVE), ["WO-001", "WO-002"]);
    const copied = await api.ask("orders/copied", { method: "POST", as: EVE, body: {} });
    assertEquals(copied.status, 500);
  });
});

const INQUIRIES: RawFiles = {
  "quickback/quickback.config.ts":
    `export default { name: "desk", features: { organizations: false } };\n`,
  "quickback/features/inquiries/inquiries.ts": `import { feature, q } from "quickback";
export default feature("inquiries", {
  columns: {
    text: q.text().required(),
    number: q.int().required().default({ sequence: true }),
    by: q.text().required().default("$ctx.userId"),
    maybe: q.text().default("$ctx.userId"),
  },
  firewall: { exception: true },
  guards: { createable: ["text", "by"] },
  read: { access: { roles: ["PUBLIC"] } },
  create: { access: { roles: ["PUBLIC"] } },
});
`,
};

Deno.test("nobody makes a row that must name its maker, and null stands where it may be null", async () => {
  await withDefinitions(INQUIRIES, async (api) => {
    const refused = await api.ask("inquiries", { method: "POST", body: { text: "a" } });
    assertEquals(
      [refused.status, refused.body["code"]],
      [403, "ACCESS_OWNERSHIP_REQUIRED"],
      refused.text,
    );
    const made = await api.ask("inquiries", { method: "POST", body: { text: "a", by: "me" } });
    assertEquals([made.status, made.body["by"], made.body["maybe"], made.body["number"]], [
      201,
      "me",
      null,
      1,
    ]);
    const batch = await api.ask("inquiries/batch", {
      method: "POST",
      body: { records: [{ text: "b" }, { text: "c", by: "me" }] },
    });
    assertEquals(batch.status, 207, batch.text);
    const own = await api.ask("inquiries", { method: "POST", as: ANN, body: { text: "d" } });
    assertEquals([own.body["by"], own.body["maybe"], own.body["number"]], ["ann", "ann", 3]);
  });
});

Deno.test("the description neither demands a made value nor names a default", async () => {
  await withDefinitions(PUT, async (api) => {
    const { body } = await api.ask("/openapi.json", { as: ANN });
    const text = JSON.stringify(body);
    assert(!text.includes("WO-{"));
    const put = JSON.parse(text).components.schemas;
    const schema = Object.entries(put).find(([name]) =>
      /order/i.test(name) && /put|upsert/i.test(name)
    );
    assert(schema, Object.keys(put).join(" "));
    assertEquals((schema[1] as { required: readonly string[] }).required, ["title"]);
  });
});

const MISTAKES: readonly (readonly [column: string, code: string])[] = [
  ["q.text().default({ random: 15 })", "VALUE_INVALID"],
  ["q.text().default({ random: 129 })", "VALUE_INVALID"],
  ["q.text({ maxLength: 20 }).default({ random: 32 })", "DEFAULT_INVALID"],
  ["q.text({ enum: ['a'] }).default({ random: 32 })", "DEFAULT_INVALID"],
  ["q.int().default({ random: 32 })", "DEFAULT_INVALID"],
  ["q.text().default({ random: 32, start: 3 })", "VALUE_INVALID"],
  ["q.text().default({ random: 32, sequence: '{0}' })", "VALUE_INVALID"],
  ["q.text().default({ sequense: '{0}' })", "UNKNOWN_KEY"],
  ["q.text().default({})", "DEFAULT_INVALID"],
  ["q.text().default({ sequence: 'WO' })", "VALUE_INVALID"],
  ["q.text().default({ sequence: '{0}-{0}' })", "VALUE_INVALID"],
  ["q.text().default({ sequence: '{01}' })", "VALUE_INVALID"],
  ["q.text().default({ sequence: true })", "VALUE_INVALID"],
  ["q.int().default({ sequence: '{0}' })", "VALUE_INVALID"],
  ["q.int({ max: 9 }).default({ sequence: true })", "DEFAULT_INVALID"],
  ["q.int({ min: 9 }).default({ sequence: true })", "DEFAULT_INVALID"],
  ["q.text({ maxLength: 7 }).default({ sequence: 'WO-{0}' })", "DEFAULT_INVALID"],
  ["q.text().default({ sequence: '{0}', per: 'team' })", "VALUE_UNKNOWN"],
  ["q.bool().default({ sequence: true })", "DEFAULT_INVALID"],
  ["q.int().default('now')", "DEFAULT_INVALID"],
  ["q.int().default('$ctx.userId')", "DEFAULT_INVALID"],
  ["q.timestamp().default('today')", "DEFAULT_INVALID"],
  ["q.text().default({ sequence: '{0}', per: 'table' })", "SEQUENCE_OF_ALL"],
];

for (const [column, code] of MISTAKES) {
  Deno.test(`${column} is ${code}`, () => {
    const files = {
      "quickback/quickback.config.ts": 'export default { name: "desk" };\n',
      "quickback/features/orders/orders.ts": `import { feature, q } from "quickback";
export default feature("orders", {
  columns: { organizationId: q.scope("organization"), value: ${column} },
});
`,
    };
    const validation = validate(files);
    const found = [...validation.ok ? [] : validation.errors, ...validation.warnings];
    assertEquals(found.map((one) => one.code).filter((one) => one !== "RESOURCE_CLOSED"), [code]);
  });
}

Deno.test("numbers of a whole table are an error where organizations have databases of their own", () => {
  const validation = validate({
    "quickback/quickback.config.ts":
      `export default { name: "desk", providers: { database: { name: "libsql", tenancy: "perOrganization" } } };\n`,
    "quickback/features/orders/orders.ts": `import { feature, q } from "quickback";
export default feature("orders", {
  columns: { organizationId: q.scope("organization"), n: q.int().default({ sequence: true, per: "table" }) },
});
`,
  });
  assertEquals(validation.ok ? [] : validation.errors.map(({ code }) => code), ["SEQUENCE_APART"]);
});

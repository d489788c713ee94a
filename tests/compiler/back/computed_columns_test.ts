/** Computed columns and totals through releases of a project: changed expressions, renamed sources, rows that exist (definitions 3). */
import { assert, assertEquals } from "@std/assert";
import Database from "libsql";
import { compile, type RawFiles } from "../../../shared/compiler/mod.ts";
import { toldOf } from "../../support/analysis.ts";
import { BARE_HOST } from "../../support/sample_files.ts";

const DRIZZLE = "quickback/drizzle/features/";

interface Release {
  readonly orders: string;
  readonly lines?: string;
  readonly children?: string;
  readonly hints?: string;
}

const files = ({ orders, lines = "", children = "lines", hints = "{}" }: Release): RawFiles => ({
  "quickback/quickback.config.ts":
    `export default { name: "desk", compiler: { migrations: ${hints} } };\n`,
  "quickback/features/orders/orders.ts": `import { feature, q, round } from "quickback";
export default feature("orders", { columns: { organizationId: q.scope("organization"), a: q.int({ max: 999, min: 0 }), ${orders} } });
`,
  [`quickback/features/orders/${children}.ts`]: `import { feature, q } from "quickback";
import orders from "./orders";
export default feature("${children}", { columns: {
  organizationId: q.scope("organization"),
  orderId: q.text().references(() => orders.id),
  pieces: q.int(), ${lines}
} });
`,
});

type Output = ReadonlyMap<string, string>;

function compiled(release: Release, before: Output | null) {
  const state = Object.fromEntries(
    [...before ?? []].filter(([path]) => path.startsWith(`${DRIZZLE}meta/`)),
  );
  return compile({ ...files(release), ...state }, BARE_HOST);
}

/** One database through all releases, with two orders and three lines after the first; the SQL of the last. */
function released(...releases: readonly [Release, ...Release[]]) {
  const database = new Database(":memory:");
  database.exec("PRAGMA foreign_keys = OFF");
  let last: Output | null = null;
  let sql = "";
  for (const [at, release] of releases.entries()) {
    const result = compiled(release, last);
    assert(result.ok, result.ok ? "" : JSON.stringify(toldOf(result.errors)));
    last = new Map(result.files.map(({ path, content }) => [path, content]));
    sql = [...last].find(([path]) => path.startsWith(DRIZZLE) && path.endsWith(".sql"))?.[1] ?? "";
    for (const one of sql.split("--> statement-breakpoint")) if (one.trim()) database.exec(one);
    if (at > 0) continue;
    const now = "'2026-01-01T00:00:00.000Z'";
    database.exec(`INSERT INTO orders (id, organization_id, a, created_at) VALUES
      ('o1', 'org', 3, ${now}), ('o2', 'org', 4, ${now})`);
    database.exec(`INSERT INTO lines (id, organization_id, order_id, pieces, created_at) VALUES
      ('l1', 'org', 'o1', 5, ${now}), ('l2', 'org', 'o1', 7, ${now}), ('l3', 'org', 'o2', null, ${now})`);
  }
  const all = (text: string) => database.prepare(text).raw().all();
  return { all, database, sql };
}

const B = "b: q.int({ max: 9, min: 0 })";
const DOUBLE = "twice: q.computed(q.int(), ({ a }) => a * 2).index()";
const TOTAL = 'total: q.rollup("lines.orderId", { sum: "pieces" })';

Deno.test("a computed column that comes to rows is one column more, and is there for each of them", () => {
  const { all, sql } = released({ orders: B }, { orders: `${B}, ${DOUBLE}` });
  assertEquals(all("SELECT id, twice FROM orders ORDER BY id"), [["o1", 6], ["o2", 8]]);
  assert(!sql.includes("__new_"), sql);
});

Deno.test("a changed expression drops its index and its column, and makes both anew", () => {
  const { all, sql } = released(
    { orders: DOUBLE },
    { orders: "twice: q.computed(q.int(), ({ a }) => a * 2 + 1).index()" },
  );
  assertEquals(all("SELECT twice FROM orders ORDER BY id"), [[7], [9]]);
  assert(!sql.includes("__new_"), sql);
  assertEquals(
    all("SELECT count(*) FROM sqlite_master WHERE type = 'index' AND name LIKE '%twice%'"),
    [[1]],
  );
});

Deno.test("an expression that stays makes no migration", () => {
  const first = compiled({ orders: `${DOUBLE}, ${TOTAL}` }, null);
  assert(first.ok);
  const output = new Map(first.files.map(({ path, content }) => [path, content]));
  const second = compiled({ orders: `${DOUBLE}, ${TOTAL}` }, output);
  assert(second.ok);
  assertEquals(
    second.files.filter(({ path }) => path.startsWith(DRIZZLE) && path.endsWith(".sql")),
    [],
  );
});

Deno.test("a renamed source is carried along", () => {
  const { all } = released(
    { orders: `${B}, sum: q.computed(q.int(), ({ a, b }) => a + (b ?? 1))` },
    {
      orders: "c: q.int({ max: 9, min: 0 }), sum: q.computed(q.int(), ({ a, c }) => a + (c ?? 1))",
      hints: '{ renames: { columns: { "orders.b": "c" } } }',
    },
  );
  assertEquals(all("SELECT sum FROM orders ORDER BY id"), [[4], [5]]);
});

Deno.test("columns that are computed from each other, and a source that a rebuild changes, come in their order", () => {
  const { all } = released(
    { orders: `${B}, ${DOUBLE}` },
    {
      orders:
        "b: q.text(), more: q.computed(q.int(), ({ twice }) => twice + 1), twice: q.computed(q.int(), ({ a }) => a * 3).index()",
    },
  );
  assertEquals(all("SELECT twice, more FROM orders ORDER BY id"), [[9, 10], [12, 13]]);
});

Deno.test("a source that goes while it is used is an error", () => {
  const result = compiled({ orders: "sum: q.computed(q.int(), ({ b }) => b)" }, null);
  assertEquals(result.ok ? [] : result.errors.map(({ code }) => code), ["COMPUTED_EXPRESSION"]);
});

Deno.test("a total that comes counts the rows there are, and goes on from them", () => {
  const { all, database } = released({ orders: B }, { orders: `${B}, ${TOTAL}` });
  assertEquals(all("SELECT total FROM orders ORDER BY id"), [[12], [0]]);
  database.exec("UPDATE lines SET order_id = 'o2' WHERE id = 'l1'");
  assertEquals(all("SELECT total FROM orders ORDER BY id"), [[7], [5]]);
});

Deno.test("totals go on over renamed and rebuilt tables, and over other conditions", () => {
  const { all, database } = released(
    { orders: TOTAL },
    {
      orders:
        'total: q.rollup("parts.orderId", { sum: "pieces" }, { where: { pieces: { greaterThan: 5 } } })',
      children: "parts",
      lines: "note: q.text().required().default('x'),",
      hints: '{ renames: { tables: { lines: "parts" } } }',
    },
  );
  assertEquals(all("SELECT total FROM orders ORDER BY id"), [[7], [0]]);
  database.exec("DELETE FROM parts WHERE id = 'l2'");
  assertEquals(all("SELECT total FROM orders ORDER BY id"), [[0], [0]]);
});

Deno.test("a total that goes takes its triggers along, without a word about lost values", () => {
  const { all, database } = released({ orders: TOTAL }, { orders: B });
  assertEquals(all("SELECT count(*) FROM sqlite_master WHERE type = 'trigger'"), [[0]]);
  database.exec("DELETE FROM lines");
});

Deno.test("a row that comes after those that refer to it has their total", () => {
  const { all, database } = released({ orders: TOTAL });
  database.exec(`INSERT INTO lines (id, organization_id, order_id, pieces, created_at)
    VALUES ('l9', 'org', 'o9', 4, '2026-01-01T00:00:00.000Z')`);
  database.exec(`INSERT INTO orders (id, organization_id, created_at)
    VALUES ('o9', 'org', '2026-01-01T00:00:00.000Z')`);
  assertEquals(all("SELECT total FROM orders WHERE id = 'o9'"), [[4]]);
});

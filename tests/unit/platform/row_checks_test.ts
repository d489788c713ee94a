/** A column that takes less than before is said by the compile and judged by the migration (definitions 2, `compiler.migrations`). */
import { join } from "node:path";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { readMigrations } from "../../../library/platform/mod.ts";
import { applyMigrations } from "../../../shared/runtime/mod.ts";
import type { Database } from "../../../shared/runtime/ports.ts";
import { Output } from "../../support/data_step_project.ts";
import { withDatabase } from "../../support/databases.ts";
import { withTempFolder } from "../../support/temp_folder.ts";

interface Defined {
  readonly columns: string;
  readonly migrations?: string;
  readonly rest?: string;
}

function definitions({ columns, migrations = "{}", rest = "" }: Defined): Record<string, string> {
  return {
    "quickback/quickback.config.ts":
      `export default { name: "orders", compiler: { migrations: ${migrations} } };\n`,
    "quickback/features/orders/orders.ts": `import { feature, q } from "quickback";
export default feature("orders", {
  columns: { organizationId: q.scope("organization"), ${columns} },
  guards: { createable: [] },
  ${rest}
});
`,
  };
}

/** What a compile says of the next schema, and what a migration over these rows does: the values after it, or its refusal. */
async function changed(
  before: Defined,
  after: Defined | readonly Defined[],
  rows: readonly (string | number | null)[],
  column = "some",
): Promise<{ readonly told: readonly string[]; readonly rows: readonly unknown[] | string }> {
  const output = new Output().made(definitions(before));
  return await withTempFolder((root) =>
    withDatabase(async (database) => {
      await applyMigrations(database, await readMigrations(await output.write(join(root, "a"))));
      await insert(database, rows);
      const told: string[] = [];
      for (const next of [after].flat()) {
        const result = output.next(definitions(next));
        assert(result.ok, JSON.stringify(result));
        told.push(
          ...result.warnings.filter(({ code }) => code.startsWith("MIGRATION"))
            .map(({ code, message }) =>
              `${code} ${message.replace(/^Column "\w+" of table "orders" /, "")}`
            ),
        );
      }
      const folder = await output.write(join(root, "b"));
      try {
        await applyMigrations(database, await readMigrations(folder));
      } catch (error) {
        assert(error instanceof Error);
        const still = await database.run({ sql: "SELECT count(some) FROM orders", args: [] });
        assertEquals(still.rows, [[rows.filter((one) => one !== null).length]]);
        return {
          told,
          rows: error.message.replace(/^.*changed nothing: /, "").replace(/; .*/, ""),
        };
      }
      const sql = `SELECT ${column} FROM orders ORDER BY id`;
      const answer = await database.run({ sql, args: [] });
      return { told, rows: answer.rows.flat() };
    })
  );
}

async function insert(database: Database, rows: readonly (string | number | null)[]) {
  await database.write((transaction) =>
    transaction.runAll(rows.map((value, at) => ({
      sql: `INSERT INTO orders (id, organization_id, some, created_at, modified_at)
        VALUES (?, 'o', ?, 't', 't')`,
      args: [`ord_${at}`, value],
    })))
  );
}

const NARROWS = "MIGRATION_NARROWS takes less than before:";

Deno.test("an enum value that is gone, fewer characters, a bound and a pattern are said, and rows beyond them stop the migration", async () => {
  const cases: readonly [string, string, string, readonly (string | number)[], string][] = [
    ['q.enum(["a", "b"])', 'q.enum(["b", "c"])', '"a" no longer', ["b", "a"], 'ord_1 ("a")'],
    [
      'q.text({ enum: ["a", "b"] })',
      'q.text({ enum: ["b"] })',
      '"a" no longer',
      ["b", "a"],
      'ord_1 ("a")',
    ],
    ["q.text()", "q.text({ maxLength: 2 })", "maxLength 2", ["ab", "abc"], 'ord_1 ("abc")'],
    ["q.text()", "q.text({ minLength: 2 })", "minLength 2", ["ab", "a"], 'ord_1 ("a")'],
    [
      "q.text()",
      'q.text({ pattern: "^[a-z]+$", examples: ["a"] })',
      'pattern "^[a-z]+$"',
      ["ab", "A"],
      'ord_1 ("A")',
    ],
    ["q.int({ max: 9 })", "q.int({ max: 8 })", "max 8", [8, 9], 'ord_1 ("9")'],
    ["q.int()", "q.int({ min: -1 })", "min -1", [0, -2], 'ord_1 ("-2")'],
  ];
  for (const [before, after, limits, rows, example] of cases) {
    const { told, rows: left } = await changed(
      { columns: `some: ${before}` },
      { columns: `some: ${after}` },
      rows,
    );
    assertEquals(told, [`${NARROWS} ${limits}`]);
    assertEquals(
      String(left).replace(/no [^:]+: /, ""),
      `1 row holds in orders.some ${example}`,
    );
    // Without such a row nothing stands in the way, and nothing is changed.
    const [fitting = null] = rows;
    const again = await changed({ columns: `some: ${before}` }, { columns: `some: ${after}` }, [
      fitting,
    ]);
    assertEquals(again.rows, [fitting]);
  }
});

Deno.test("a column that becomes required names the rows without a value", async () => {
  const { told, rows } = await changed(
    { columns: "some: q.text({ maxLength: 9 })" },
    { columns: "some: q.text({ maxLength: 2 }).required()" },
    ["a", null, "abc"],
  );
  assertEquals(told, [`${NARROWS} maxLength 2, required`]);
  assertEquals(
    rows,
    'text that the column takes from now on, or no value, which is required from now on: ord_1, ord_2 ("abc")'
      .replace(/^/, "2 rows hold in orders.some no "),
  );
});

Deno.test("a refusal counts all rows, and shows three of them, 40 characters of each", async () => {
  const long = "x".repeat(60);
  const values = Array.from({ length: 1203 }, (_, at) => at < 1200 ? long : "a");
  const { rows } = await changed(
    { columns: "some: q.text()" },
    { columns: "some: q.text({ maxLength: 50 })" },
    values,
  );
  const shown = `("${"x".repeat(40)}"…)`;
  assertEquals(
    rows,
    "1200 rows hold in orders.some no text that the column takes from now on: " +
      `ord_0 ${shown}, ord_1 ${shown}, ord_10 ${shown}, and 1197 more`,
  );
});

Deno.test("a refusal shows no value of a masked column", async () => {
  const rest =
    'masking: { some: { type: "redact", show: { roles: ["admin"] } } }, read: { access: { roles: ["member"] } },';
  const { rows } = await changed(
    { columns: "some: q.text()", rest },
    { columns: "some: q.int()", rest },
    ["secret", "7"],
  );
  assertEquals(rows, "1 row holds in orders.some no int that the column takes from now on: ord_0");
});

Deno.test("accepted rows stay beyond lengths, bounds and patterns, never beyond enums, types and what is required", async () => {
  const accept = '{ accept: ["orders.some"] }';
  const of = (columns: string) => ({ columns, migrations: accept });
  assertEquals(
    await changed(of("some: q.text()"), of("some: q.text({ maxLength: 2, minLength: 1 })"), [
      "abc",
      "",
    ]),
    { told: [], rows: ["abc", ""] },
  );
  assertEquals(await changed(of("some: q.int()"), of("some: q.int({ max: 2 })"), [3]), {
    told: [],
    rows: [3],
  });
  for (
    const [before, after, value] of [
      ['q.enum(["a", "b"])', 'q.enum(["a"])', "b"],
      ["q.text()", "q.int({ min: 9 })", "b"],
      ["q.text()", "q.text({ maxLength: 1 }).required()", null],
      ["q.decimal({ precision: 6, scale: 2 })", "q.decimal({ precision: 4, scale: 2 })", 123456],
    ] as const
  ) {
    const { rows } = await changed(of(`some: ${before}`), of(`some: ${after}`), [value]);
    assert(typeof rows === "string", `${before} ${after}`);
  }
  // A type that converts, and a bound that its rows need not meet.
  assertEquals((await changed(of("some: q.text()"), of("some: q.int({ min: 9 })"), ["7"])).rows, [
    7,
  ]);
});

Deno.test("what takes more makes no migration, and is what the next change is held against", async () => {
  const wide = { columns: "some: q.text({ maxLength: 9 })" };
  const output = new Output().made(definitions({ columns: "some: q.text({ maxLength: 2 })" }));
  const count = () => [...output.files.keys()].filter((path) => path.endsWith(".sql")).length;
  const before = count();
  output.made(definitions(wide));
  assertEquals(count(), before);
  const { told, rows } = await changed(
    { columns: "some: q.text({ maxLength: 2 })" },
    [wide, { columns: "some: q.text({ maxLength: 2 })" }],
    ["abc"],
  );
  assertEquals(told, [`${NARROWS} maxLength 2`]);
  assert(typeof rows === "string");
});

Deno.test("a conversion is said, holds for a renamed column, and loses a time of day only where that is allowed", async () => {
  const renames = '{ renames: { columns: { "orders.some": "other" } } }';
  assertEquals(
    await changed(
      { columns: "some: q.date()" },
      { columns: "other: q.timestamp()", migrations: renames },
      ["2026-01-31", null],
      "other",
    ),
    {
      told: ["MIGRATION_CONVERTS is converted from date to timestamp"],
      rows: ["2026-01-31T00:00:00.000Z", null],
    },
  );
  const instants = ["2026-01-31T00:00:00.000Z", "2026-01-31T10:00:00.000Z"];
  const { rows } = await changed(
    { columns: "some: q.timestamp()" },
    { columns: "some: q.date()" },
    instants,
  );
  assertEquals(
    rows,
    '1 row holds in orders.some no date that the column takes from now on: ord_1 ("2026-01-31T10:00:00.000Z")',
  );
  const lossy = await changed(
    { columns: "some: q.timestamp()" },
    { columns: "some: q.date()", migrations: "{ allowDestructive: true }" },
    instants,
  );
  assertEquals(lossy.rows, ["2026-01-31", "2026-01-31"]);
});

Deno.test("nothing is made of what another tool has stored against the old type", async () => {
  const { rows } = await changed(
    { columns: "some: q.date()" },
    { columns: "some: q.timestamp()" },
    [
      "2026-01-31",
      "soon",
    ],
  );
  assertEquals(
    rows,
    '1 row holds in orders.some no timestamp that the column takes from now on: ord_1 ("soon")',
  );
});

Deno.test("a check that cannot be read ends the migrating", async () => {
  await withDatabase(async (database) => {
    const sql = '-- check: {"table":"x"}\nSELECT 1;';
    const { message } = await assertRejects(
      () => applyMigrations(database, [{ tag: "0000_a", when: 1, sql }]),
      Error,
    );
    assertEquals(message, 'A check of the rows cannot be read: -- check: {"table":"x"}');
  });
});

/** Rows that exist when a made default comes: numbers by age, texts of their own, counters that go on (definitions 3). */
import { assert, assertEquals, assertMatch } from "@std/assert";
import Database from "libsql";
import { compile, type RawFiles } from "../../../shared/compiler/mod.ts";
import { toldOf } from "../../support/analysis.ts";
import { BARE_HOST } from "../../support/sample_files.ts";

const DRIZZLE = "quickback/drizzle/features/";

interface Project {
  readonly columns: string;
  readonly table?: string;
  readonly hints?: string;
}

const files = ({ columns, table = "orders", hints = "{}" }: Project): RawFiles => ({
  "quickback/quickback.config.ts":
    `export default { name: "desk", compiler: { migrations: ${hints} } };\n`,
  [`quickback/features/${table}/${table}.ts`]: `import { feature, q } from "quickback";
export default feature("${table}", { columns: { organizationId: q.scope("organization"), ${columns} } });
`,
});

type Output = ReadonlyMap<string, string>;

function compiled(project: Project, before: Output | null) {
  const state = Object.fromEntries(
    [...before ?? []].filter(([path]) => path.startsWith(`${DRIZZLE}meta/`)),
  );
  const result = compile({ ...files(project), ...state }, BARE_HOST);
  assert(result.ok, result.ok ? "" : JSON.stringify(toldOf(result.errors)));
  return {
    output: new Map(result.files.map(({ path, content }) => [path, content])),
    warnings: result.warnings.map(({ code }) => code),
  };
}

function migrate(database: Database.Database, output: Output): void {
  const sql = [...output].find(([path]) => path.startsWith(DRIZZLE) && path.endsWith(".sql"))?.[1];
  database.exec("PRAGMA foreign_keys = OFF");
  for (const one of (sql ?? "").split("--> statement-breakpoint")) {
    if (one.trim()) database.exec(one);
  }
}

/** One database through releases of a project, with three rows of two organizations after the first. */
function released(...projects: readonly [Project, ...Project[]]) {
  const database = new Database(":memory:");
  let last: Output | null = null;
  const warnings: string[] = [];
  for (const [at, project] of projects.entries()) {
    const { output, warnings: told } = compiled(project, last);
    migrate(database, output);
    warnings.push(...told);
    last = output;
    if (at > 0) continue;
    const row = (id: string, organization: string, day: number) =>
      database.exec(
        `INSERT INTO orders (id, organization_id, title, created_at) VALUES ('${id}', '${organization}', '${id}', '2026-01-0${day}T00:00:00.000Z')`,
      );
    row("c", "org_a", 1);
    row("b", "org_b", 2);
    row("a", "org_a", 3);
  }
  const all = (sql: string) => database.prepare(sql).raw().all();
  return { all, database, warnings };
}

const TITLE = "title: q.text()";

for (const required of ["", ".required()"]) {
  Deno.test(`rows that exist are numbered by their age in their organization${required}`, () => {
    const { all } = released({ columns: TITLE }, {
      columns:
        `${TITLE}, number: q.text()${required}.default({ sequence: "WO-{000}", start: 9 }), n: q.int()${required}.default({ sequence: true })`,
    });
    assertEquals(all("SELECT id, number, n FROM orders ORDER BY id"), [
      ["a", "WO-010", 2],
      ["b", "WO-009", 1],
      ["c", "WO-009", 1],
    ]);
    assertEquals(
      all("SELECT sequence, organization_id, value FROM qb_sequences ORDER BY id"),
      [
        ["orders.n", "org_a", 2],
        ["orders.n", "org_b", 1],
        ["orders.number", "org_a", 10],
        ["orders.number", "org_b", 9],
      ],
    );
  });

  Deno.test(`rows that exist get texts at random of their own${required}`, () => {
    const { all } = released({ columns: TITLE }, {
      columns: `${TITLE}, key: q.text()${required}.default({ random: 22 })`,
    });
    const keys = all("SELECT key FROM orders").map(String);
    assertEquals(new Set(keys).size, 3);
    for (const key of keys) assertMatch(key, /^[A-Za-z0-9_-]{22}$/);
  });
}

Deno.test("a column that had numbers counts on behind the greatest, and fills what is empty", () => {
  const number = "number: q.text()";
  const before = { columns: `${TITLE}, ${number}` };
  const { output } = compiled(before, null);
  const database = new Database(":memory:");
  migrate(database, output);
  const values: readonly (readonly [string, string | null])[] = [
    ["a", "WO-07"],
    ["b", "WO-x"],
    ["c", null],
    ["d", "WO-123"],
  ];
  for (const [id, value] of values) {
    database.prepare(
      `INSERT INTO orders (id, organization_id, number, created_at) VALUES (?, 'org_a', ?, '2026-01-01T00:00:00.000Z')`,
    ).run(id, value);
  }
  const next = compiled(
    { columns: `${TITLE}, ${number}.default({ sequence: "WO-{0000}" })` },
    output,
  );
  migrate(database, next.output);
  assertEquals(database.prepare("SELECT id, number FROM orders ORDER BY id").raw().all(), [
    ["a", "WO-07"],
    ["b", "WO-x"],
    ["c", "WO-0124"],
    ["d", "WO-123"],
  ]);
  assertEquals(database.prepare("SELECT value FROM qb_sequences").raw().all(), [[124]]);
});

Deno.test("counters go along with a renamed table and a renamed column", () => {
  const { all } = released(
    { columns: TITLE },
    { columns: `${TITLE}, number: q.int().default({ sequence: true })` },
    {
      table: "jobs",
      columns: `${TITLE}, no: q.int().default({ sequence: true })`,
      hints: `{ renames: { tables: { orders: "jobs" }, columns: { "jobs.number": "no" } } }`,
    },
  );
  assertEquals(all("SELECT id, sequence, value FROM qb_sequences ORDER BY id"), [
    ["jobs.no org_a", "jobs.no", 2],
    ["jobs.no org_b", "jobs.no", 1],
  ]);
});

Deno.test("a required moment that comes later is that of the insert", () => {
  const { all } = released({ columns: TITLE }, {
    columns:
      `${TITLE}, at: q.timestamp().required().default("now"), day: q.date().required().default("now")`,
  });
  assertEquals(all("SELECT at, day FROM orders WHERE id = 'a'"), [
    ["2026-01-03T00:00:00.000Z", "2026-01-03"],
  ]);
});

Deno.test("a literal default that means the caller from now on is told", () => {
  // What a compiler before this one made of it.
  const { output } = compiled({ columns: `${TITLE}, by: q.text().default("x")` }, null);
  const older = new Map([...output].map(([path, content]) => [
    path,
    content.replaceAll(`"'x'"`, `"'$ctx.userId'"`).replace(
      /"id": "[^"]+"/,
      '"id": "11111111-1111-4111-9111-111111111111"',
    ),
  ]));
  const { warnings } = compiled(
    { columns: `${TITLE}, by: q.text().default("$ctx.userId")` },
    older,
  );
  assert(warnings.includes("MIGRATION_MAKES_DEFAULT"), warnings.join());
});

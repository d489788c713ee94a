/** Data steps as compiles take and refuse them (definitions 1, `migrations/`). */
import { assert, assertEquals } from "@std/assert";
import { type RawFiles, validate } from "../../../shared/compiler/mod.ts";
import { toldOf } from "../../support/analysis.ts";
import { FEATURES, Output, people, STEPS } from "../../support/data_step_project.ts";

const OLD = "first: q.text(), last: q.text()";
const NEW = "full: q.text()";
const FILL = `${STEPS}0000_fill.sql`;
const APART = ', providers: { database: defineDatabase("libsql", { tenancy: "perOrganization" }) }';

/** Mistakes of a project's first compile with these steps. */
function told(files: RawFiles, rest = ""): readonly string[] {
  const result = new Output().next(people(OLD, files, rest));
  return result.ok ? [] : toldOf(result.errors).map((line) => line.replace(/ \|.*/s, ""));
}

const sql = (text: string) => told({ [FILL]: text });

Deno.test("a step is SQL that changes rows, and nothing else", () => {
  const refused = {
    "CREATE TABLE x (id text)": 'DATA_STEP_SQL 1:1 "CREATE" begins no statement of a data step',
    "BEGIN; DELETE FROM people": 'DATA_STEP_SQL 1:1 "BEGIN" begins no statement of a data step',
    "ATTACH 'x' AS y": 'DATA_STEP_SQL 1:1 "ATTACH" begins no statement of a data step',
    "PRAGMA foreign_keys = ON": 'DATA_STEP_SQL 1:1 "PRAGMA" begins no statement of a data step',
    "VACUUM": 'DATA_STEP_SQL 1:1 "VACUUM" begins no statement of a data step',
    "SELECT 1": 'DATA_STEP_SQL 1:1 "SELECT" begins no statement of a data step',
    "WITH x AS (SELECT 1) SELECT * FROM x": 'DATA_STEP_SQL 1:1 "with" changes no row',
    "-- nothing\n": "DATA_STEP_SQL 1:1 This data step has no statement",
    "DELETE FROM people;\n UPDATE people SET first = load_extension('x')":
      'DATA_STEP_SQL 2:2 "load_extension()" is refused: statements call SQLite\'s core, aggregate, window, date ' +
      "and JSON functions, but for those that tell of the engine",
    "UPDATE people SET first = ?": 'DATA_STEP_SQL 1:1 "?" has nothing to stand for',
    "UPDATE main.people SET first = 'x'":
      'DATA_STEP_TABLE 1:1 There is no table "main" after this migration',
    "UPDATE persons SET first = 'x'":
      'DATA_STEP_TABLE 1:1 There is no table "persons" after this migration',
    "DELETE FROM sqlite_master":
      'DATA_STEP_TABLE 1:1 There is no table "sqlite_master" after this migration',
    "UPDATE people SET first = (SELECT sql FROM sqlite_schema)":
      'DATA_STEP_SQL 1:1 "sqlite_schema" is no table that a data step may read',
    "DELETE FROM audit_events":
      'DATA_STEP_SERVICE_TABLE 1:1 Table "audit_events" is the service\'s own',
  };
  for (const [text, line] of Object.entries(refused)) assertEquals(sql(text), [line], text);
  const taken = [
    "UPDATE people SET first = upper(first) WHERE last IN (SELECT day FROM days)",
    "INSERT INTO days (id, day) SELECT id, name FROM auth_organization",
    "INSERT OR REPLACE INTO people (id) VALUES ('1')",
    "REPLACE INTO people (id) VALUES ('1')",
    "WITH old AS (SELECT id FROM people) DELETE FROM people WHERE id IN (SELECT id FROM old)",
    "/* all; of */ DELETE FROM `people`; -- them;\nDELETE FROM days WHERE day = ';--';",
  ];
  for (const text of taken) assertEquals(sql(text), [], text);
});

Deno.test("a step in TypeScript is a function that reaches nothing but its database", () => {
  const code = (text: string) => told({ [`${STEPS}0000_fill.ts`]: text });
  const step = "export default async ({ db }) => {};\n";
  assertEquals(code(step), []);
  assertEquals(code(`import { sql } from "drizzle-orm";\n${step}`), []);
  assertEquals(
    code(
      "const process = 1;\nexport default async function ({ db }) { await db.process(process); }\n",
    ),
    [],
  );
  const outside = "DATA_STEP_CODE 1:1 A data step may not use";
  assertEquals(code(`import { readFile } from "node:fs";\n${step}`), [
    `${outside} an import of "node:fs"`,
  ]);
  assertEquals(code('export default async () => { await fetch("https://a.b"); };\n'), [
    "DATA_STEP_CODE 1:36 A data step may not use fetch",
  ]);
  assertEquals(code('export default async () => { await import("x"); };\n'), [
    "DATA_STEP_CODE 1:36 A data step may not use import()",
  ]);
  assertEquals(code("export default 1;\n"), [
    'DATA_STEP_EXPORT 1:1 Data step "quickback/migrations/0000_fill.ts" has no function as its default export',
  ]);
});

Deno.test("a step's file begins with the number of the migration that it follows", () => {
  const file = (name: string) => told({ [STEPS + name]: "DELETE FROM people" });
  assertEquals(file("0000_fill.sql"), []);
  for (const name of ["fill.sql", "1_fill.sql", "0000_0123abcd.sql", "0000_.sql"]) {
    assertEquals(file(name), [
      `DATA_STEP_NAME 1:1 Data step "${STEPS}${name}" names no migration to follow`,
    ]);
  }
  assertEquals(file("0001_fill.sql"), [
    `DATA_STEP_BEYOND 1:1 Data step "${STEPS}0001_fill.sql" follows a migration that there is not: the newest is 0000`,
  ]);
  assertEquals(told({ [`${STEPS}readme.md`]: "" }).length, 1);
});

Deno.test("a step before the newest migration of earlier compiles is late", () => {
  const output = new Output().made(people(OLD)).made(people(`${OLD}, ${NEW}`)).made(people(NEW));
  const result = output.next(people(NEW, { [FILL]: "DELETE FROM people" }));
  assert(!result.ok);
  assertEquals(toldOf(result.errors), [
    `DATA_STEP_LATE 1:1 Data step "${FILL}" is new, and earlier compiles have made migrations up to 0002 | Begin the ` +
    "file's name with 0002_: databases that have later migrations would not run it",
  ]);
});

Deno.test("what a compile has taken in stays as it is", () => {
  const step = { [FILL]: "DELETE FROM people WHERE first = last" };
  const output = new Output().made(people(OLD, step));
  const again = new Map(output.files);
  output.made(people(OLD, step));
  assertEquals([...output.files], [...again]);
  // Its columns may go later, and line ends may change.
  output.made(people(NEW, { [FILL]: "DELETE FROM people WHERE first = last\r\n;" }));
  for (const files of [{}, { [FILL]: "DELETE FROM people WHERE first <> last" }]) {
    const result = output.next(people(NEW, files));
    assert(!result.ok);
    assertEquals(result.errors.map(({ code, place }) => [code, place.file]), [
      ["DATA_STEP_EDITED", FILL],
    ]);
  }
});

Deno.test("a step that no database has run may be edited, removed and given another kind", () => {
  const steps = {
    [FILL]: "DELETE FROM people WHERE first = last",
    [`${STEPS}0000_more.sql`]: "DELETE FROM days",
  };
  const unrunSteps = new Set(["0000_fill"]);
  const journalOf = ({ files }: Output) => files.get(`${FEATURES}meta/_journal.json`) ?? "";
  const whens = (output: Output) =>
    [...journalOf(output).matchAll(/"tag": "(0000_[a-z]+)",\n.*\n +"when": (\d+)/g)].map((
      [, tag, when],
    ) => `${tag} ${when}`);
  const codes = (output: Output, files: RawFiles, unrun = unrunSteps) => {
    const result = output.next(people(OLD, files), { unrunSteps: unrun });
    return result.ok ? [] : result.errors.map(({ code }) => code);
  };
  const output = new Output().made(people(OLD, steps));
  const before = whens(output);
  assertEquals(before.length, 2);
  const edited = { ...steps, [FILL]: "DELETE FROM people WHERE first = 'x'" };
  assertEquals(codes(output, edited, new Set(["0000_more"])), ["DATA_STEP_EDITED"]);
  assertEquals(codes(output, { ...steps, [FILL]: "DELETE FROM people WHERE nope" }), [
    "DATA_STEP_SQL",
  ]);
  assertEquals(codes(output, edited), []);
  assertEquals(whens(output), before);
  assertEquals(output.files.get(`${FEATURES}0000_fill.sql`)?.includes("'x'"), true);
  const { [FILL]: _, ...rest } = steps;
  assertEquals(
    codes(output, { ...rest, [`${STEPS}0000_fill.ts`]: "export default () => {};\n" }),
    [],
  );
  assertEquals(codes(output, rest), []);
  assertEquals(whens(output), before.filter((line) => line.startsWith("0000_more")));
  assertEquals(codes(output, {}), ["DATA_STEP_EDITED"]);
});

Deno.test("databases that begin empty leave out what their history has no place for", () => {
  const files = people(OLD, { [`${STEPS}0003_fill.sql`]: "DELETE FROM people" });
  const result = new Output().next(files, { beginsEmpty: true });
  assert(result.ok);
  assertEquals(result.warnings.map(({ code }) => code), ["DATA_STEP_LEFT_OUT"]);
  assertEquals(result.files.some(({ path }) => path.endsWith("0003_fill.sql")), false);
});

Deno.test("without a history a validation reads the steps alone", () => {
  const files = (text: string) => people(OLD, { [`${STEPS}0003_fill.sql`]: text });
  assertEquals(validate(files("DELETE FROM people")).ok, true);
  assertEquals(validate(files("DROP TABLE people")).ok, false);
});

Deno.test("where each organization has a database, a step names tables of one kind", () => {
  const tables = (text: string) =>
    told({ [FILL]: text }, APART).map((line) => line.replace(/ .*? /, " "));
  assertEquals(tables("DELETE FROM days"), []);
  assertEquals(tables("DELETE FROM people"), []);
  assertEquals(tables("DELETE FROM people WHERE id IN (SELECT id FROM days)"), [
    'DATA_STEP_HOMES "days" is in the database of all, "people" in that of each organization',
  ]);
  assertEquals(
    told({ [`${STEPS}0000_fill.ts`]: "export default async ({ db }) => {};\n" }, APART),
    [
      "DATA_STEP_HOMES 1:1 This data step names no table of the project, so that nothing says in which databases it runs",
    ],
  );
});

Deno.test("a step is read over the tables after its migration, as the database will", () => {
  const refused = {
    'update people set "first" = ;': "DATA_STEP_SQL 1:28 The statement ends too early",
    "UPDATE people SET first = upper(full)": 'DATA_STEP_SQL 1:33 "full" is no column here',
    "UPDATE people AS p\n SET first = p.full": 'DATA_STEP_SQL 2:16 "full" is no column of "p"',
    "UPDATE people SET full = first": 'DATA_STEP_SQL 1:19 "full" is no column of "people"',
    "INSERT INTO days (id, day) VALUES ('1', '2', '3')":
      'DATA_STEP_SQL 1:28 "VALUES" gives the INSERT another number of values than it has columns: 3 instead of 2',
    "UPDATE people SET first = (SELECT id, day FROM days)":
      'DATA_STEP_SQL 1:19 "first" gets another number of values: 2 instead of 1',
    'UPDATE people SET first = "nobody"':
      'DATA_STEP_SQL 1:27 "nobody" is no column here: texts stand in single quotes',
  };
  for (const [text, line] of Object.entries(refused)) assertEquals(sql(text), [line], text);
  // What was refused has not been taken in.
  const output = new Output().made(people(OLD));
  const broken = output.next(people(OLD, { [FILL]: "update people set first = ;" }));
  assertEquals(broken.ok, false);
  output.made(people(OLD, { [FILL]: "update people set first = last;" }));
});

Deno.test("a column that comes with the step's migration is known to it, one that goes is not", () => {
  const step = (column: string) => ({
    [`${STEPS}0001_fill.sql`]: `DELETE FROM people WHERE ${column} = 'x'`,
  });
  const next = (column: string) => {
    const result = new Output().made(people(OLD)).next(people(NEW, step(column)));
    return result.ok ? [] : result.errors.map(({ code }) => code);
  };
  assertEquals([next("full"), next("first")], [[], ["DATA_STEP_SQL"]]);
});

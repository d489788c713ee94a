/** Migrations: the SQL really runs, keeps rows, and asks before it loses any (definitions 2, 7). */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import Database from "libsql";
import {
  destructiveMarks,
  type MigrationPlan,
  planMigration,
} from "../../../shared/compiler/migrations/plan_migration.ts";
import type { SchemaHints } from "../../../shared/compiler/migrations/schema_change.ts";
import type { SqlColumn, SqlIndex, SqlTable } from "../../../shared/model/sql_table.ts";
import { sqlTables } from "../../../shared/compiler/phases/5-plan/sql_tables.ts";
import { project } from "../../support/sample_project.ts";

const NO_HINTS: SchemaHints = {
  tables: new Map(),
  columns: new Map(),
  backfills: new Map(),
  allowDestructive: false,
};

const DESTRUCTIVE: SchemaHints = { ...NO_HINTS, allowDestructive: true };

const column = (name: string, rest: Partial<SqlColumn> = {}): SqlColumn => ({
  name,
  type: "text",
  notNull: false,
  primaryKey: false,
  autoIncrement: false,
  default: null,
  references: null,
  ...rest,
});
const decimal = (name: string, precision: number, scale: number): SqlColumn =>
  column(name, { type: "integer", decimal: { precision, scale } });
const ID = column("id", { primaryKey: true, notNull: true });
const SERIAL = column("id", {
  type: "integer",
  primaryKey: true,
  autoIncrement: true,
  notNull: true,
});
const table = (name: string, columns: SqlColumn[], indexes: SqlIndex[] = []): SqlTable => ({
  name,
  columns: [ID, ...columns],
  indexes,
});
const index = (name: string, columns: string[], rest: Partial<SqlIndex> = {}): SqlIndex => ({
  name,
  columns,
  unique: false,
  where: null,
  ...rest,
});
const reference = (target: string, onDelete: "cascade" | "no action" = "cascade") => ({
  references: { table: target, column: "id", onDelete },
});

/** A database that migrates as the runner does: foreign keys off, one transaction, then checked. */
class Migrated {
  readonly database = new Database(":memory:");
  state = new Map<string, string>();

  to(tables: readonly SqlTable[], hints = NO_HINTS): string[] {
    const plan = planMigration({ tables, hints, state: this.state });
    const planned = requirePlanned(plan);
    this.state = new Map(planned.files.map(({ path, content }) => [path, content]));
    const sql = planned.files.find(({ path }) => path.endsWith(".sql"))?.content ?? "";
    const statements = sql.split("--> statement-breakpoint").map((text) => text.trim())
      .filter((text) => text !== "");
    this.database.exec("PRAGMA foreign_keys = OFF");
    this.database.exec("BEGIN");
    for (const statement of statements) this.database.exec(statement);
    assertEquals(this.rows("PRAGMA foreign_key_check"), []);
    this.database.exec("COMMIT");
    this.database.exec("PRAGMA foreign_keys = ON");
    assertEquals(this.rows("PRAGMA integrity_check"), [["ok"]]);
    return statements;
  }

  rows(sql: string): unknown[] {
    return this.database.prepare(sql).raw().all();
  }

  run(sql: string): void {
    this.database.exec(sql);
  }
}

function requirePlanned(plan: MigrationPlan) {
  assert(plan.kind === "planned", JSON.stringify(plan));
  return plan;
}

function problemsOf(before: SqlTable[], after: SqlTable[], hints = NO_HINTS) {
  const first = requirePlanned(planMigration({ tables: before, hints, state: new Map() }));
  const state = new Map(first.files.map(({ path, content }) => [path, content]));
  const plan = planMigration({ tables: after, hints, state });
  return plan.kind === "refused" ? plan.problems : [];
}

Deno.test("planMigration() creates every table of a first compile, service tables included", () => {
  const migrated = new Migrated();
  migrated.to(sqlTables(project));
  const names = migrated.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name");
  for (const name of ["audit_events", "auth_user", "counters", "projects", "tasks"]) {
    assert(names.flat().includes(name), `${name} in ${names}`);
  }
});

Deno.test("planMigration() gives the same bytes again, and no SQL when nothing changed", () => {
  const first = requirePlanned(
    planMigration({ tables: sqlTables(project), hints: NO_HINTS, state: new Map() }),
  );
  const state = new Map(first.files.map(({ path, content }) => [path, content]));
  const again = requirePlanned(
    planMigration({
      tables: [...sqlTables(project)].reverse(),
      hints: NO_HINTS,
      state: new Map([...state].reverse()),
    }),
  );
  assertEquals(again.tag, null);
  const meta = [...state].filter(([path]) => path.includes("/meta/"));
  assertEquals(
    new Map(again.files.map(({ path, content }) => [path, content])),
    new Map(meta),
  );
});

Deno.test("planMigration() numbers files, names them after their SQL and counts `when` up", () => {
  const migrated = new Migrated();
  migrated.to([table("notes", [])]);
  migrated.to([table("notes", [column("title")])]);
  const journal = JSON.parse(
    migrated.state.get("quickback/drizzle/features/meta/_journal.json") ?? "",
  );
  assertEquals(journal.version, "7");
  assertEquals(journal.entries.map((entry: { idx: number }) => entry.idx), [0, 1]);
  assert(journal.entries[1].when > journal.entries[0].when);
  for (const { tag } of journal.entries) assert(/^000[01]_[0-9a-f]{8}$/.test(tag), tag);
  const [first, second] = [0, 1].map((idx) =>
    JSON.parse(
      migrated.state.get(`quickback/drizzle/features/meta/000${idx}_snapshot.json`) ?? "",
    )
  );
  assertEquals(second.prevId, first.id);
  assert(second.id !== first.id);
});

const searched = (
  name: string,
  columns: SqlColumn[],
  texts: string[],
  tenant?: string,
): SqlTable => ({
  ...table(name, columns),
  search: { key: "id", columns: texts, ...(tenant === undefined ? {} : { tenant }) },
});

/** The ids of rows with this word; FTS5 has compared the index with its texts. */
function foundBy(migrated: Migrated, name: string, word: string): unknown[] {
  migrated.run(`INSERT INTO ${name}_search (${name}_search) VALUES ('integrity-check')`);
  return migrated.rows(
    `SELECT k.id FROM ${name}_search JOIN ${name}_search_keys AS k ON k.n = ${name}_search.rowid ` +
      `WHERE ${name}_search MATCH '"${word}"' ORDER BY k.id`,
  ).flat();
}

Deno.test("a full-text index comes, changes and goes with its table, and keeps every row", () => {
  const migrated = new Migrated();
  const [title, body] = [column("title"), column("body")];
  migrated.to([table("notes", [title, body])]);
  migrated.run("INSERT INTO notes VALUES ('a', 'one', 'two'), ('b', NULL, 'one')");
  const triggers = () => migrated.rows("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'");
  const steps: readonly [SqlTable[], string, unknown[], SchemaHints?][] = [
    // It comes, with the rows that there are.
    [[searched("notes", [title, body], ["title"])], "notes", ["a"]],
    // Another column; the same again after a rebuild; a column more; one less.
    [[searched("notes", [title, body], ["title", "body"])], "notes", ["a", "b"]],
    [
      [searched("notes", [{ ...title, notNull: true, default: "'none'" }, body], [
        "title",
        "body",
      ])],
      "notes",
      ["a", "b"],
    ],
    [[searched("notes", [title, body, column("more")], ["title", "body"])], "notes", ["a", "b"]],
    [[searched("notes", [title, body], ["title", "body"])], "notes", ["a", "b"], DESTRUCTIVE],
    // Under other names.
    [[searched("pages", [title, body], ["title", "body"])], "pages", ["a", "b"], {
      ...NO_HINTS,
      tables: new Map([["notes", "pages"]]),
    }],
    [[searched("pages", [title, column("text")], ["title", "text"])], "pages", ["a", "b"], {
      ...NO_HINTS,
      columns: new Map([["pages", new Map([["body", "text"]])]]),
    }],
  ];
  for (const [after, name, ids, hints] of steps) {
    migrated.to(after, hints);
    assertEquals(foundBy(migrated, name, "one"), ids);
    assertEquals(migrated.to(after, hints), []);
    assertEquals(triggers(), [[3]]);
  }
  const pages = searched("pages", [title, column("text")], ["title", "text"]);
  migrated.run("INSERT INTO pages VALUES ('c', 'three', 'four')");
  migrated.run("UPDATE pages SET text = 'five' WHERE id = 'c'");
  migrated.run("DELETE FROM pages WHERE id = 'a'");
  migrated.run("VACUUM");
  assertEquals(
    ["one", "three", "four", "five"].map((word) => foundBy(migrated, "pages", word)),
    [["b"], ["c"], [], ["c"]],
  );
  // Rows that leave in a migration leave the index too.
  migrated.to([
    searched("pages", [title, column("text"), column("deleted_at")], ["title", "text"]),
  ]);
  migrated.run("UPDATE pages SET deleted_at = 'then' WHERE id = 'b'");
  migrated.to([pages], DESTRUCTIVE);
  assertEquals(foundBy(migrated, "pages", "one"), []);
  migrated.to([table("pages", [title, column("text")])]);
  assertEquals(
    migrated.rows("SELECT name FROM sqlite_schema WHERE name LIKE '%search%'"),
    [],
  );
  migrated.to([pages]);
  migrated.to([], DESTRUCTIVE);
  assertEquals(migrated.rows("SELECT name FROM sqlite_schema WHERE name LIKE 'pages%'"), []);
});

/** Texts of the index by the tenants of their row numbers; FTS5 has compared the index with them. */
function indexedByTenant(migrated: Migrated, name: string): unknown[] {
  migrated.run(`INSERT INTO ${name}_search (${name}_search) VALUES ('integrity-check')`);
  return migrated.rows(
    `SELECT o.tenant, k.id, substr(s.title, instr(s.title, ' ') + 1) FROM ${name}_search AS s ` +
      `JOIN ${name}_search_keys AS k ON k.n = s.rowid ` +
      `LEFT JOIN ${name}_search_tenants AS o ON o.n = s.rowid >> 32 ORDER BY o.tenant, k.id`,
  );
}

Deno.test("an index of an older compile is numbered anew by tenants, with the rows that there are", () => {
  const migrated = new Migrated();
  const columns = [column("title"), column("org"), column("team")];
  const older = searched("notes", columns, ["title"]);
  migrated.to([older]);
  migrated.run(`INSERT INTO notes VALUES ('a', 'one', 'x', 's'), ('b', 'two', 'y', 's'),
    ('c', 'three', 'x', 't'), ('d', 'four', NULL, NULL), ('e', NULL, 'y', 't')`);
  const now = searched("notes", columns, ["title"], "org");
  const statements = migrated.to([now]);
  assertEquals(migrated.to([now]), []);
  const byOrganization = [
    [null, "d", "four"],
    ["x", "a", "one"],
    ["x", "c", "three"],
    ["y", "b", "two"],
    ["y", "e", null],
  ];
  assertEquals(indexedByTenant(migrated, "notes"), byOrganization);
  // Nothing but the index is touched.
  assertEquals(statements.filter((sql) => !/_search/.test(sql)), []);
  migrated.to([searched("notes", columns, ["title"], "team")]);
  assertEquals(indexedByTenant(migrated, "notes").map((row) => Object(row)[0]), [
    null,
    "s",
    "s",
    "t",
    "t",
  ]);
  // Under another name, with the tenant's column under another one.
  migrated.to(
    [searched(
      "pages",
      [column("title"), column("organization"), column("team")],
      ["title"],
      "organization",
    )],
    {
      ...NO_HINTS,
      tables: new Map([["notes", "pages"]]),
      columns: new Map([["pages", new Map([["org", "organization"]])]]),
    },
  );
  assertEquals(indexedByTenant(migrated, "pages"), byOrganization);
  // Back to one without tenants, and away.
  migrated.to([
    searched("pages", [column("title"), column("organization"), column("team")], ["title"]),
  ]);
  assertEquals(foundBy(migrated, "pages", "one"), ["a"]);
  migrated.to([table("pages", [column("title"), column("organization"), column("team")])]);
  assertEquals(migrated.rows("SELECT name FROM sqlite_schema WHERE name LIKE '%search%'"), []);
});

Deno.test("an index by tenants keeps its numbers through writes, moves, emptied and filled tenants", () => {
  const migrated = new Migrated();
  migrated.to([searched("notes", [column("title"), column("org")], ["title"], "org")]);
  const run = (sql: string) => migrated.run(sql);
  const state = () => indexedByTenant(migrated, "notes");
  run("INSERT INTO notes VALUES ('a', 'one', 'x'), ('b', 'two', 'y'), ('c', 'three', NULL)");
  run("UPDATE notes SET title = 'uno' WHERE id = 'a'");
  run("UPDATE notes SET org = 'y' WHERE id = 'a'");
  assertEquals(state(), [[null, "c", "three"], ["y", "a", "uno"], ["y", "b", "two"]]);
  assertEquals(migrated.rows("SELECT tenant FROM notes_search_tenants"), [["y"]]);
  run("UPDATE notes SET org = 'x', title = 'tres', id = 'd' WHERE id = 'c'");
  run("UPDATE notes SET org = NULL, title = 'dos' WHERE id = 'b'");
  assertEquals(state(), [[null, "b", "dos"], ["x", "d", "tres"], ["y", "a", "uno"]]);
  run("DELETE FROM notes WHERE org = 'y'");
  assertEquals(migrated.rows("SELECT tenant FROM notes_search_tenants"), [["x"]]);
  run("INSERT INTO notes VALUES ('e', 'four', 'z'), ('f', 'five', 'z')");
  run("VACUUM");
  assertEquals(state().length, 4);
  // What `REPLACE` puts aside leaves the index as well, and its tenant.
  run("INSERT OR REPLACE INTO notes VALUES ('e', 'quatre', 'y')");
  run("INSERT OR REPLACE INTO notes VALUES ('f', 'cinq', 'y'), ('f', 'cinco', 'y')");
  assertEquals(state().slice(-2), [["y", "e", "quatre"], ["y", "f", "cinco"]]);
  assertEquals(migrated.rows("SELECT tenant FROM notes_search_tenants"), [["x"], ["y"]]);
  assertEquals(migrated.rows("SELECT count(*) FROM notes_search"), [[4]]);
  run("DELETE FROM notes");
  assertEquals(state(), []);
  assertEquals(migrated.rows("SELECT * FROM notes_search_tenants, notes_search_keys"), []);
});

Deno.test("a tenant whose last row number is taken gets the first that is free, never one of the next tenant", () => {
  const migrated = new Migrated();
  migrated.to([searched("notes", [column("title"), column("org")], ["title"], "org")]);
  migrated.run(
    "INSERT INTO notes VALUES ('a', 'one', 'x'), ('b', 'two', 'y'), ('c', 'three', 'x')",
  );
  for (const [name, row] of [["notes_search_keys", "n"], ["notes_search", "rowid"]]) {
    migrated.run(`UPDATE ${name} SET ${row} = (1 << 32) + 4294967295 WHERE ${row} = (1 << 32) + 1`);
  }
  migrated.run("INSERT INTO notes VALUES ('d', 'four', 'x')");
  migrated.run("DELETE FROM notes WHERE id = 'a'");
  migrated.run("INSERT INTO notes VALUES ('e', 'five', 'x'), ('f', 'six', 'x')");
  assertEquals(
    migrated.rows("SELECT id, n >> 32, n & 4294967295 FROM notes_search_keys ORDER BY id"),
    [["b", 2, 0], ["c", 1, 4294967295], ["d", 1, 1], ["e", 1, 2], ["f", 1, 3]],
  );
});

const KEEPS_ROWS: readonly {
  readonly change: string;
  readonly before: SqlTable[];
  readonly seed: string[];
  readonly after: SqlTable[];
  readonly hints?: SchemaHints;
  readonly ask: string;
  readonly rows: unknown[];
}[] = [
  {
    change: "a new optional column",
    before: [table("notes", [])],
    seed: ["INSERT INTO notes VALUES ('a')"],
    after: [table("notes", [column("title")])],
    ask: "SELECT id, title FROM notes",
    rows: [["a", null]],
  },
  {
    change: "a new required column with a default",
    before: [table("notes", [])],
    seed: ["INSERT INTO notes VALUES ('a')"],
    after: [table("notes", [column("state", { notNull: true, default: "'it''s'" })])],
    ask: "SELECT id, state FROM notes",
    rows: [["a", "it's"]],
  },
  {
    change: "a new required column whose default is a fraction",
    before: [table("notes", [])],
    seed: ["INSERT INTO notes VALUES ('a')"],
    after: [table("notes", [column("size", { type: "real", notNull: true, default: "-1.25" })])],
    ask: "SELECT id, size FROM notes",
    rows: [["a", -1.25]],
  },
  {
    change: "a new required column whose default is computed",
    before: [table("notes", [column("title")])],
    seed: ["INSERT INTO notes VALUES ('a', 'x')"],
    after: [
      table("notes", [
        column("title"),
        column("at", { notNull: true, default: "(strftime('%Y', 'now'))" }),
      ]),
    ],
    ask: "SELECT id, title, length(at) FROM notes",
    rows: [["a", "x", 4]],
  },
  {
    change: "a rebuilt parent: children stay, no cascade fires",
    before: [
      table("children", [column("parent", reference("parents"))]),
      table("parents", [column("title")]),
    ],
    seed: [
      "INSERT INTO parents VALUES ('p', 'x')",
      "INSERT INTO children VALUES ('c', 'p')",
    ],
    after: [
      table("children", [column("parent", reference("parents"))]),
      table("parents", [column("title", { notNull: true, default: "'none'" })]),
    ],
    ask: "SELECT c.id, p.title FROM children c JOIN parents p ON p.id = c.parent",
    rows: [["c", "x"]],
  },
  {
    change: "optional to required with a default fills NULLs",
    before: [table("notes", [column("title")])],
    seed: ["INSERT INTO notes VALUES ('a', NULL), ('b', 'x')"],
    after: [table("notes", [column("title", { notNull: true, default: "'none'" })])],
    ask: "SELECT id, title FROM notes ORDER BY id",
    rows: [["a", "none"], ["b", "x"]],
  },
  {
    change: "integer to text, by a cast",
    before: [table("notes", [column("size", { type: "integer" })])],
    seed: ["INSERT INTO notes VALUES ('a', 7)"],
    after: [table("notes", [column("size")])],
    ask: "SELECT id, size, typeof(size) FROM notes",
    rows: [["a", "7", "text"]],
  },
  {
    change: "a self-reference survives a rebuild",
    before: [table("nodes", [column("parent", reference("nodes"))])],
    seed: ["INSERT INTO nodes VALUES ('a', NULL), ('b', 'a')"],
    after: [
      table("nodes", [
        column("parent", reference("nodes")),
        column("size", { type: "integer", default: "(1 + 1)" }),
      ]),
    ],
    ask: "SELECT id, parent, size FROM nodes ORDER BY id",
    rows: [["a", null, 2], ["b", "a", 2]],
  },
  {
    change: "a renamed column with its index and its referrers",
    before: [table("notes", [column("title")], [index("notes_title_idx", ["title"])])],
    seed: ["INSERT INTO notes VALUES ('a', 'x')"],
    after: [table("notes", [column("name")], [index("notes_name_idx", ["name"])])],
    hints: { ...NO_HINTS, columns: new Map([["notes", new Map([["title", "name"]])]]) },
    ask: "SELECT id, name FROM notes",
    rows: [["a", "x"]],
  },
  {
    change: "two columns that exchange their names",
    before: [table("notes", [column("title"), column("body")], [index("i", ["title"])])],
    seed: ["INSERT INTO notes VALUES ('a', 'title', 'body')"],
    after: [table("notes", [column("title"), column("body")], [index("i", ["body"])])],
    hints: {
      ...NO_HINTS,
      columns: new Map([["notes", new Map([["title", "body"], ["body", "title"]])]]),
    },
    ask: "SELECT title, body FROM notes",
    rows: [["body", "title"]],
  },
  {
    change: "a ring of three columns, a row of renames beside it, and one that is new",
    before: [table("notes", ["a", "b", "c", "d", "e"].map((name) => column(name)))],
    seed: ["INSERT INTO notes VALUES ('1', 'a', 'b', 'c', 'd', 'e')"],
    after: [table("notes", ["a", "b", "c", "e", "f", "g"].map((name) => column(name)))],
    hints: {
      ...NO_HINTS,
      columns: new Map([[
        "notes",
        new Map([["a", "b"], ["b", "c"], ["c", "a"], ["d", "e"], ["e", "f"]]),
      ]]),
    },
    ask: "SELECT a, b, c, e, f, g FROM notes",
    rows: [["c", "a", "b", "d", "e", null]],
  },
  {
    change: "two tables that exchange their names, below a child and with a column renamed",
    before: [
      table("as", [column("title")]),
      table("bs", [column("text")]),
      table("children", [column("parent", reference("as"))]),
    ],
    seed: [
      "INSERT INTO `as` VALUES ('a', 'of a')",
      "INSERT INTO bs VALUES ('b', 'of b')",
      "INSERT INTO children VALUES ('c', 'a')",
    ],
    after: [
      table("as", [column("text")]),
      table("bs", [column("name")]),
      table("children", [column("parent", reference("bs"))]),
    ],
    hints: {
      ...NO_HINTS,
      tables: new Map([["as", "bs"], ["bs", "as"]]),
      columns: new Map([["bs", new Map([["title", "name"]])]]),
    },
    ask:
      "SELECT a.id, a.text, b.id, b.name FROM `as` AS a, bs AS b JOIN children AS c ON c.parent = b.id",
    rows: [["b", "of b", "a", "of a"]],
  },
  {
    change: "a renamed table under a child",
    before: [
      table("children", [column("parent", reference("parents"))]),
      table("parents", []),
    ],
    seed: ["INSERT INTO parents VALUES ('p')", "INSERT INTO children VALUES ('c', 'p')"],
    after: [
      table("children", [column("parent", reference("elders"))]),
      table("elders", []),
    ],
    hints: { ...NO_HINTS, tables: new Map([["parents", "elders"]]) },
    ask: "SELECT c.id, e.id FROM children c JOIN elders e ON e.id = c.parent",
    rows: [["c", "p"]],
  },
  {
    change: "a dropped column that had an index and a reference",
    before: [
      table("children", [column("parent", reference("parents")), column("title")], [
        index("children_parent_idx", ["parent"]),
      ]),
      table("parents", []),
    ],
    seed: ["INSERT INTO parents VALUES ('p')", "INSERT INTO children VALUES ('c', 'p', 'x')"],
    after: [table("children", [column("title")]), table("parents", [])],
    hints: DESTRUCTIVE,
    ask: "SELECT * FROM children",
    rows: [["c", "x"]],
  },
  {
    change: "a dropped table that others referred to",
    before: [
      table("children", [column("parent", reference("parents"))]),
      table("parents", []),
    ],
    seed: ["INSERT INTO parents VALUES ('p')", "INSERT INTO children VALUES ('c', 'p')"],
    after: [table("children", [])],
    hints: DESTRUCTIVE,
    ask: "SELECT * FROM children",
    rows: [["c"]],
  },
  {
    change: "that are live, and no others once nothing marks deleted ones",
    before: [
      table("children", [column("parent", reference("parents")), column("deleted_at")]),
      table("parents", [column("deleted_at")]),
      table("toys", [column("child", reference("children")), column("deleted_at")]),
    ],
    seed: [
      "INSERT INTO parents VALUES ('p', NULL), ('q', 'then')",
      "INSERT INTO children VALUES ('c', 'p', NULL), ('d', 'q', 'then'), ('e', 'p', 'then')",
      "INSERT INTO toys VALUES ('t', 'c', NULL), ('u', 'd', 'then'), ('v', 'e', 'then')",
    ],
    after: [
      table("children", [column("parent", reference("parents")), column("deleted_at")]),
      table("parents", []),
      table("toys", [column("child", reference("children")), column("deleted_at")]),
    ],
    hints: DESTRUCTIVE,
    ask: "SELECT id FROM parents UNION ALL SELECT id FROM children UNION ALL SELECT id FROM toys",
    rows: [["p"], ["c"], ["e"], ["t"], ["v"]],
  },
  {
    change: "text that becomes JSON is a string in it",
    before: [
      table("notes", [
        column("text", { json: false }),
        column("size", { type: "integer", json: false }),
      ]),
    ],
    seed: [`INSERT INTO notes VALUES ('a', 'say "1",', 7), ('b', '7', NULL), ('c', NULL, NULL)`],
    after: [table("notes", [column("text", { json: true }), column("size", { json: true })])],
    ask: "SELECT id, text, size FROM notes ORDER BY id",
    rows: [["a", '"say \\"1\\","', "7"], ["b", '"7"', null], ["c", null, null]],
  },
  {
    change: "JSON that becomes text: a string without its quotes, anything else as it is written",
    before: [table("notes", [column("text", { json: true })])],
    seed: [`INSERT INTO notes VALUES ('a', '"say \\"1\\","'), ('b', '{"x": [1]}'), ('c', NULL)`],
    after: [table("notes", [column("text", { json: false })])],
    ask: "SELECT id, text FROM notes ORDER BY id",
    rows: [["a", 'say "1",'], ["b", '{"x": [1]}'], ["c", null]],
  },
  {
    change: "JSON of a snapshot that does not say that it is",
    before: [table("notes", [column("text")])],
    seed: [`INSERT INTO notes VALUES ('a', '{"x": [1]}')`],
    after: [table("notes", [column("text", { json: true }), column("more")])],
    ask: "SELECT id, text, more FROM notes",
    rows: [["a", '{"x": [1]}', null]],
  },
  {
    change: "whole numbers that become decimals",
    before: [table("notes", [column("fee", { type: "integer" })])],
    seed: ["INSERT INTO notes VALUES ('a', 12), ('b', -9007199254740991), ('c', NULL)"],
    after: [table("notes", [decimal("fee", 18, 2)])],
    ask: "SELECT id, CAST(fee AS text), typeof(fee) FROM notes",
    rows: [
      ["a", "1200", "integer"],
      ["b", "-900719925474099100", "integer"],
      ["c", null, "null"],
    ],
  },
  {
    change: "decimals with more digits behind the point",
    before: [table("notes", [decimal("fee", 10, 2)])],
    seed: ["INSERT INTO notes VALUES ('a', 1250), ('b', -1)"],
    after: [table("notes", [decimal("fee", 12, 4)])],
    ask: "SELECT id, fee FROM notes",
    rows: [["a", 125000], ["b", -100]],
  },
  {
    change: "decimals with fewer digits, where that is allowed",
    before: [table("notes", [decimal("fee", 10, 3)])],
    seed: ["INSERT INTO notes VALUES ('a', 12345), ('b', -12345), ('c', 12344), ('d', -4)"],
    after: [table("notes", [decimal("fee", 10, 2)])],
    hints: DESTRUCTIVE,
    ask: "SELECT id, fee FROM notes",
    rows: [["a", 1235], ["b", -1235], ["c", 1234], ["d", 0]],
  },
  {
    change: "decimals that become texts, and numbers",
    before: [table("notes", [decimal("fee", 18, 2), decimal("rate", 4, 2)])],
    seed: ["INSERT INTO notes VALUES ('a', -900719925474099301, 150), ('b', NULL, -5)"],
    after: [table("notes", [column("fee"), column("rate", { type: "real" })])],
    ask: "SELECT id, fee, rate FROM notes",
    rows: [["a", "-9007199254740993.01", 1.5], ["b", null, -0.05]],
  },
  {
    change: "texts and numbers that become decimals, where that is allowed",
    before: [table("notes", [column("fee"), column("rate", { type: "real" })])],
    seed: ["INSERT INTO notes VALUES ('a', '12.50', 1.005), ('b', NULL, -0.5)"],
    after: [table("notes", [decimal("fee", 10, 2), decimal("rate", 4, 2)])],
    hints: DESTRUCTIVE,
    ask: "SELECT id, fee, rate, typeof(rate) FROM notes",
    rows: [["a", 1250, 100, "integer"], ["b", null, -50, "integer"]],
  },
  {
    change: "a decimal whose digits stay, beside a new column",
    before: [table("notes", [decimal("fee", 10, 2)])],
    seed: ["INSERT INTO notes VALUES ('a', 1250)"],
    after: [table("notes", [decimal("fee", 12, 2), column("title")])],
    ask: "SELECT id, fee, title FROM notes",
    rows: [["a", 1250, null]],
  },
  {
    change: "a rebuilt table gives no id again",
    before: [{ name: "notes", columns: [SERIAL, column("title")], indexes: [] }],
    seed: ["INSERT INTO notes (title) VALUES ('x'), ('y')", "DELETE FROM notes WHERE id = 2"],
    after: [{
      name: "notes",
      columns: [SERIAL, column("title", { notNull: true, default: "'none'" })],
      indexes: [],
    }],
    ask: "SELECT id, title, (SELECT seq FROM sqlite_sequence WHERE name = 'notes') FROM notes",
    rows: [[1, "x", 2]],
  },
  {
    change: "an index that becomes unique among live rows",
    before: [
      table("notes", [column("title"), column("deleted_at")], [index("notes_title", ["title"])]),
    ],
    seed: ["INSERT INTO notes VALUES ('a', 'x', 'then'), ('b', 'x', NULL)"],
    after: [
      table("notes", [column("title"), column("deleted_at")], [
        index("notes_title", ["title"], { unique: true, where: "`deleted_at` IS NULL" }),
      ]),
    ],
    ask: "SELECT id, title FROM notes ORDER BY id",
    rows: [["a", "x"], ["b", "x"]],
  },
];

for (const { change, before, seed, after, hints, ask, rows } of KEEPS_ROWS) {
  Deno.test(`a migration keeps rows: ${change}`, () => {
    const migrated = new Migrated();
    migrated.to(before);
    for (const sql of seed) migrated.run(sql);
    assert(migrated.to(after, hints).length > 0);
    assertEquals(migrated.rows(ask), rows);
    assertEquals(migrated.to(after, hints), []);
  });
}

Deno.test("names are exchanged once, although the hint stays, and once more where it was taken out meanwhile", () => {
  const migrated = new Migrated();
  const hints: SchemaHints = {
    ...NO_HINTS,
    columns: new Map([["notes", new Map([["title", "body"], ["body", "title"]])]]),
  };
  const before = [table("notes", [column("title"), column("body")])];
  const titles = () => migrated.rows("SELECT title FROM notes").flat();
  // A hint that stands there from the start exchanges nothing.
  migrated.to(before, hints);
  migrated.run("INSERT INTO notes VALUES ('a', 'title', 'body')");
  assertEquals([migrated.to(before, hints), titles()], [[], ["title"]]);
  migrated.to(before);
  migrated.to(before, hints);
  assertEquals(titles(), ["body"]);
  const more = [...before, table("more", [])];
  migrated.to(more, hints);
  assertEquals([migrated.to(more, hints), titles()], [[], ["body"]]);
  migrated.to(more);
  migrated.to(more, hints);
  assertEquals(titles(), ["title"]);
});

Deno.test("a migrated schema is the schema of a first compile", () => {
  const stepwise = new Migrated();
  for (const { before, after, hints } of KEEPS_ROWS) {
    stepwise.to([...before, table("zz", [])], DESTRUCTIVE);
    stepwise.to(after, { ...NO_HINTS, ...hints, allowDestructive: true });
  }
  const last = KEEPS_ROWS.at(-1)?.after ?? [];
  const direct = new Migrated();
  direct.to(last);
  const shape = (migrated: Migrated) =>
    last.map(({ name }) => [
      migrated.rows(
        `SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info('${name}') ORDER BY name`,
      ),
      migrated.rows(
        `SELECT name, "unique", partial FROM pragma_index_list('${name}') ORDER BY name`,
      ),
      migrated.rows(
        `SELECT "from", "table", "to", on_delete FROM pragma_foreign_key_list('${name}') ORDER BY 1`,
      ),
    ]);
  assertEquals(shape(stepwise), shape(direct));
});

Deno.test("planMigration() asks before it loses anything, and names every loss", () => {
  const before = [table("gone", []), table("notes", [column("title"), column("body")])];
  const cases: readonly [SqlTable[], SchemaHints, unknown][] = [
    [[table("notes", [column("title"), column("body")])], NO_HINTS, [
      { kind: "tableDropped", table: "gone" },
    ]],
    [[table("gone", []), table("notes", [column("title")])], NO_HINTS, [
      { kind: "columnDropped", table: "notes", column: "body" },
    ]],
    [[table("gone", []), table("notes", [column("title"), column("text")])], NO_HINTS, [
      { kind: "renameOrDrop", table: "notes", gone: "body", added: ["text"] },
    ]],
    // Renamed, it needs no default: one question at a time.
    [
      [table("gone", []), table("notes", [column("title"), column("text", { notNull: true })])],
      NO_HINTS,
      [{ kind: "renameOrDrop", table: "notes", gone: "body", added: ["text"] }],
    ],
    [
      [
        table("gone", []),
        table("notes", [column("title"), column("body", { type: "real" })]),
      ],
      NO_HINTS,
      [{ kind: "typeChanged", table: "notes", column: "body", from: "text", to: "real" }],
    ],
    [
      [
        table("gone", []),
        table("notes", [column("title"), column("body"), column("size", { notNull: true })]),
      ],
      DESTRUCTIVE,
      [{ kind: "needsDefault", table: "notes", column: "size" }],
    ],
    [[table("notes", [column("title"), column("text")])], DESTRUCTIVE, []],
    // Renamed and defined anew at once: whose are the rows?
    [[...before, table("kept", [])], { ...NO_HINTS, tables: new Map([["gone", "kept"]]) }, [
      { kind: "renameUnclear", table: "gone", column: null },
    ]],
    [
      [
        table("gone", []),
        table("notes", [column("title"), column("body"), column("text")]),
      ],
      { ...NO_HINTS, columns: new Map([["notes", new Map([["body", "text"]])]]) },
      [{ kind: "renameUnclear", table: "notes", column: "body" }],
    ],
    // A typing error in a hint, beside permission to drop.
    [[table("kept", []), table("notes", [column("title"), column("body")])], {
      ...DESTRUCTIVE,
      tables: new Map([["gone", "kpet"]]),
    }, [{ kind: "hintUnused", table: "gone", column: null }]],
    [[table("gone", []), table("notes", [column("title"), column("text", { notNull: true })])], {
      ...DESTRUCTIVE,
      columns: new Map([["notes", new Map([["body", "txet"]])]]),
    }, [{ kind: "hintUnused", table: "notes", column: "body" }]],
    [[table("gone", []), table("notes", [column("title"), column("text")])], {
      ...DESTRUCTIVE,
      columns: new Map([["notes", new Map([["bdoy", "text"]])]]),
    }, [{ kind: "hintUnused", table: "notes", column: "body" }]],
    [[table("gone", []), table("notes", [column("title")])], {
      ...DESTRUCTIVE,
      columns: new Map([["notes", new Map([["body", "text"]])]]),
    }, [{ kind: "hintUnused", table: "notes", column: "body" }]],
  ];
  for (const [after, hints, expected] of cases) {
    assertEquals<unknown>(problemsOf(before, after, hints), expected);
  }
  // A value without a form in the new type, where rows need one.
  assertEquals<unknown>(
    problemsOf(before, [
      table("gone", []),
      table("notes", [column("title"), column("body", { type: "real", notNull: true })]),
    ], DESTRUCTIVE),
    [{ kind: "typeChanged", table: "notes", column: "body", from: "text", to: "real" }],
  );
});

Deno.test("planMigration() marks what a migration loses above its SQL, which runs as it is", () => {
  const before = [
    table("gone", []),
    table("notes", [column("title"), column("body"), column("size")]),
  ];
  const marksOf = (after: SqlTable[], hints = DESTRUCTIVE) => {
    const migrated = new Migrated();
    migrated.to(before);
    const lines = migrated.to(after, hints).join("\n").split("\n");
    return lines.filter((line) => line.startsWith("--"));
  };
  const notes = before[1];
  assert(notes);
  assertEquals(marksOf([notes]), ['-- destructive: the table "gone" and its rows are gone']);
  assertEquals(
    marksOf([
      table("gone", [column("note")]),
      table("notes", [column("text"), column("body"), column("size", { type: "real" })]),
    ]),
    [
      '-- destructive: the column "notes"."title" and its values are gone',
      '-- destructive: the values of "notes"."size" are gone: its type changes from text to real',
    ],
  );
  assertEquals(marksOf([...before, table("more", [])]), []);
  const kept = [table("notes", [column("deleted_at"), column("deleted_by")])];
  assertEquals<unknown>(problemsOf(kept, [table("notes", [column("rank")])]), [
    { kind: "deletedRowsDropped", table: "notes", column: "deleted_at" },
  ]);
  assertEquals(
    destructiveMarks([{ kind: "deletedRowsDropped", table: "notes", column: "deleted_at" }]),
    ['-- destructive: the rows of "notes" that "deleted_at" marks as deleted are gone'],
  );
  const renamed: SchemaHints = { ...DESTRUCTIVE, tables: new Map([["gone", "kept"]]) };
  assertEquals(marksOf([table("kept", []), notes], renamed), []);
});

Deno.test("destructiveMarks() lets no name end its line", () => {
  const hostile = "x\nDROP TABLE notes;";
  assertEquals(destructiveMarks([{ kind: "tableDropped", table: hostile }]), [
    '-- destructive: the table "x\\nDROP TABLE notes;" and its rows are gone',
  ]);
});

const JOURNAL = "quickback/drizzle/features/meta/_journal.json";
const snapshotOf = (idx: number) => `quickback/drizzle/features/meta/000${idx}_snapshot.json`;

/** The state after three compiles. */
function stateOfThree(second: SqlTable): ReadonlyMap<string, string> {
  const migrated = new Migrated();
  for (const tables of [[table("notes", [])], [second], [second, table("more", [])]]) {
    const state = new Map([...migrated.state].filter(([path]) => path.includes("/meta/")));
    migrated.to(tables);
    migrated.state = new Map([...state, ...migrated.state]);
  }
  return new Map([...migrated.state].filter(([path]) => path.includes("/meta/")));
}

Deno.test("planMigration() refuses state that was lost or edited", () => {
  const second = table("notes", [column("title")], [index("notes_title_idx", ["title"])]);
  const state = stateOfThree(second);
  const other = stateOfThree(table("notes", [column("body")]));
  const text = (path: string, from: ReadonlyMap<string, string> = state) => from.get(path) ?? "";
  const shorter = JSON.parse(text(JOURNAL));
  shorter.entries.pop();
  const cases: readonly [string, string, string | null][] = [
    [JOURNAL, "malformed", "{"],
    [JOURNAL, "malformed", `<<<<<<< HEAD\n${text(JOURNAL)}=======\n${text(JOURNAL)}>>>>>>> b`],
    [JOURNAL, "malformed", text(JOURNAL).replace('"idx": 0', '"idx": 3')],
    [JOURNAL, "malformed", text(JOURNAL).replace('"idx": 2', '"idx": 1')],
    [JOURNAL, "malformed", text(JOURNAL).replace('"version": "7"', '"version": "8"')],
    [JOURNAL, "malformed", text(JOURNAL).replace(/"tag": "0001_/, '"tag": "../0001_')],
    [JOURNAL, "malformed", '{"__proto__": {"version": "7", "dialect": "sqlite", "entries": []}}'],
    [JOURNAL, "malformed", "[".repeat(100_000)],
    [JOURNAL, "missing", null],
    [snapshotOf(1), "missing", null],
    [snapshotOf(2), "missing", null],
    [snapshotOf(2), "malformed", "null"],
    [snapshotOf(2), "malformed", text(snapshotOf(2)).replace('"6"', '"5"')],
    [
      snapshotOf(2),
      "malformed",
      text(snapshotOf(2)).replace('"name": "title"', '"name": "__proto__"'),
    ],
    [
      snapshotOf(2),
      "malformed",
      text(snapshotOf(2)).replace(/"columns": \[\s*"title"/, '"columns": ["no"'),
    ],
    [snapshotOf(2), "edited", text(snapshotOf(2)).replace('"notNull": false', '"notNull": true')],
    [snapshotOf(1), "edited", text(snapshotOf(1)).replace('"notNull": false', '"notNull": true')],
    // The journal of a compile before the last one.
    [snapshotOf(2), "unlisted", JSON.stringify(shorter)],
    // Two branches that each made the second migration.
    [snapshotOf(2), "outOfLine", text(snapshotOf(2), other)],
  ];
  for (const [file, fault, content] of cases) {
    const edited = new Map(state);
    const path = fault === "unlisted" ? JOURNAL : file;
    if (content === null) edited.delete(path);
    else edited.set(path, content);
    assertEquals<unknown>(
      planMigration({ tables: [second, table("more", [])], hints: NO_HINTS, state: edited }),
      { kind: "unreadable", file, fault },
      `${file} ${fault} ${content}`,
    );
  }
});

Deno.test("planMigration() takes snapshots whose ids drizzle's own tools gave", () => {
  const state = new Map(stateOfThree(table("notes", [column("title")])));
  for (const at of [1, 2]) {
    const snapshot = JSON.parse(state.get(snapshotOf(at)) ?? "");
    snapshot.id = `5f3a0c4e-5d0d-4b59-9d6c-00000000000${at}`;
    if (at === 2) snapshot.prevId = "5f3a0c4e-5d0d-4b59-9d6c-000000000001";
    state.set(snapshotOf(at), JSON.stringify(snapshot));
  }
  const tables = [table("notes", [column("title")]), table("more", [])];
  assertEquals(requirePlanned(planMigration({ tables, hints: NO_HINTS, state })).tag, null);
});

Deno.test("planMigration() writes hostile names and defaults as data", () => {
  const hostile = "x`; DROP TABLE notes; --";
  const migrated = new Migrated();
  migrated.to([
    table("notes", []),
    table(hostile, [column(`a"b'c\`d`)], [index(`i${hostile}`, [`a"b'c\`d`])]),
  ]);
  migrated.to([
    table("notes", []),
    table(hostile, [column(`a"b'c\`d`, { notNull: true, default: "''" })]),
  ]);
  const names = migrated.rows(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
  );
  assertEquals(names, [["notes"], [hostile]]);
  assertStringIncludes(JSON.stringify([...migrated.state.keys()]), "0001_snapshot.json");
});

/** Chains of schema changes by chance, applied to a database with rows: the schema is that of a first compile, rows stay. */
import { assert, assertEquals } from "@std/assert";
import Database from "libsql";
import { planMigration } from "../../../shared/compiler/migrations/plan_migration.ts";
import type { SchemaHints } from "../../../shared/compiler/migrations/schema_change.ts";
import { sqlIdentifier } from "../../../shared/lib/sql_text.ts";
import type { SqlColumn, SqlIndex, SqlTable } from "../../../shared/model/sql_table.ts";
import { type Random, seededRandom } from "../../support/random.ts";

const CHAINS = 60;
const CHAINS_OF_A_TEST = 20;
const STEPS = 8;

for (let seed = 0; seed < CHAINS; seed += CHAINS_OF_A_TEST) {
  Deno.test(`chains of schema changes from seed ${seed} on end in the schema of a first compile`, () => {
    const applied = Array.from({ length: CHAINS_OF_A_TEST }, (_, at) => runChain(seed + at));
    assert(applied.reduce((sum, one) => sum + one) > CHAINS_OF_A_TEST * STEPS / 2);
  });
}

interface Change {
  readonly tables: readonly SqlTable[];
  /** Old table → new table. */
  readonly tableNames: ReadonlyMap<string, string>;
  /** New table → old column → new column. */
  readonly columnNames: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** Returns how many migrations were applied. */
function runChain(seed: number): number {
  const random = seededRandom(seed);
  let numbers = 0;
  const name = (prefix: string) => `${prefix}${numbers++}`;
  using database = new MigratedDatabase();
  let tables: readonly SqlTable[] = [];
  let state: ReadonlyMap<string, string> = new Map();
  let applied = 0;
  for (let step = 0; step < STEPS; step++) {
    const from = `seed ${seed}, step ${step}`;
    const change = changeOf(tables, { random, name });
    const plan = planMigration({ tables: change.tables, hints: hintsOf(change), state });
    if (plan.kind === "refused") {
      const kinds = new Set(plan.problems.map(({ kind }) => kind));
      assertEquals(kinds.difference(new Set(["needsDefault", "typeChanged"])), new Set(), from);
      continue;
    }
    assert(plan.kind === "planned", from);
    const before = database.rows(tables);
    if (!database.migrate(sqlOf(plan.files))) {
      assertEquals(database.rows(tables), before, from);
      continue;
    }
    state = new Map(plan.files.map(({ path, content }) => [path, content]));
    assertEquals(database.shape(), shapeOfFirst(change.tables), from);
    assertRowsStay({ before, after: database.rows(change.tables) }, { tables, change, from });
    tables = change.tables;
    database.fill(tables, random);
    applied += 1;
  }
  return applied;
}

function hintsOf({ tableNames, columnNames }: Change): SchemaHints {
  return { tables: tableNames, columns: columnNames, backfills: new Map(), allowDestructive: true };
}

function sqlOf(files: readonly { readonly path: string; readonly content: string }[]): string {
  return files.find(({ path }) => path.endsWith(".sql"))?.content ?? "";
}

interface Chance {
  readonly random: Random;
  /** One that was never used. */
  readonly name: (prefix: string) => string;
}

/** Another schema, and the hints that its renames need. */
function changeOf(tables: readonly SqlTable[], { random, name }: Chance): Change {
  const unchanged = { tables, tableNames: new Map(), columnNames: new Map() };
  const table = tables.length === 0 ? null : random.pick(tables);
  if (table === null || random.chance(15)) {
    return { ...unchanged, tables: [...tables, newTable(tables, { random, name })] };
  }
  const others = tables.filter((one) => one !== table);
  if (random.chance(8)) return { ...unchanged, tables: others.map((one) => without(one, table)) };
  if (random.chance(10)) {
    const to = name("t");
    return {
      ...unchanged,
      tables: tables.map((one) =>
        pointed(one === table ? { ...one, name: to } : one, table.name, to)
      ),
      tableNames: new Map([[table.name, to]]),
    };
  }
  const column = random.pick(table.columns.slice(1));
  if (random.chance(12)) {
    const to = name("c");
    return {
      ...unchanged,
      tables: [...others, renamedColumn(table, column.name, to)],
      columnNames: new Map([[table.name, new Map([[column.name, to]])]]),
    };
  }
  const next = random.chance(50)
    ? withColumn(table, { ...newColumn(tables, { random, name }), name: column.name })
    : random.chance(40)
    ? withIndex(table, { random, name })
    : withColumn(table, newColumn(tables, { random, name }));
  return { ...unchanged, tables: [...others, next] };
}

const ID: SqlColumn = {
  name: "id",
  type: "text",
  notNull: true,
  primaryKey: true,
  autoIncrement: false,
  default: null,
  references: null,
};
const TYPES = [["text", "'it''s'"], ["integer", "7"], ["real", "-1.25"], [
  "text",
  "(1 + 1)",
]] as const;

function newTable(tables: readonly SqlTable[], chance: Chance): SqlTable {
  const columns = [ID, newColumn(tables, chance), newColumn(tables, chance)];
  return withIndex({ name: chance.name("t"), columns, indexes: [] }, chance);
}

function newColumn(tables: readonly SqlTable[], { random, name }: Chance): SqlColumn {
  const [type, value] = random.pick(TYPES);
  const target = type === "text" && tables.length > 0 && random.chance(30)
    ? random.pick(tables)
    : null;
  return {
    ...ID,
    name: name("c"),
    type,
    primaryKey: false,
    notNull: random.chance(40),
    default: target === null && random.chance(70) ? value : null,
    references: target && {
      table: target.name,
      column: "id",
      onDelete: random.pick(["cascade", "restrict", "no action"] as const),
    },
  };
}

/** In the place of the one of its name, else last. */
function withColumn(table: SqlTable, column: SqlColumn): SqlTable {
  const isThere = table.columns.some(({ name }) => name === column.name);
  const columns = table.columns.map((one) => one.name === column.name ? column : one);
  return { ...table, columns: isThere ? columns : [...columns, column] };
}

/** One more, or one less. */
function withIndex(table: SqlTable, { random, name }: Chance): SqlTable {
  if (table.indexes.length > 1) return { ...table, indexes: table.indexes.slice(1) };
  const index: SqlIndex = {
    name: name("i"),
    columns: [random.pick(table.columns).name],
    unique: random.chance(40),
    where: random.chance(30) ? "`id` IS NOT NULL" : null,
  };
  return { ...table, indexes: [...table.indexes, index] };
}

function without(table: SqlTable, gone: SqlTable): SqlTable {
  const columns = table.columns.map((column) =>
    column.references?.table === gone.name ? { ...column, references: null } : column
  );
  return { ...table, columns };
}

function pointed(table: SqlTable, from: string, to: string): SqlTable {
  const columns = table.columns.map((column) =>
    column.references?.table === from
      ? { ...column, references: { ...column.references, table: to } }
      : column
  );
  return { ...table, columns };
}

function renamedColumn(table: SqlTable, from: string, to: string): SqlTable {
  return {
    ...table,
    columns: table.columns.map((one) => one.name === from ? { ...one, name: to } : one),
    indexes: table.indexes.map((index) => ({
      ...index,
      columns: index.columns.map((one) => one === from ? to : one),
    })),
  };
}

type Rows = ReadonlyMap<string, ReadonlyMap<unknown, ReadonlyMap<string, unknown>>>;

/** By table and id: no row is lost, and of what is of the same type as before no value but a NULL that may not stay. */
function assertRowsStay(
  { before, after }: { readonly before: Rows; readonly after: Rows },
  { tables, change, from }: {
    readonly tables: readonly SqlTable[];
    readonly change: Change;
    readonly from: string;
  },
): void {
  for (const table of tables) {
    const name = change.tableNames.get(table.name) ?? table.name;
    const next = change.tables.find((one) => one.name === name);
    if (next === undefined) continue;
    const names = change.columnNames.get(name);
    for (const [id, values] of before.get(table.name) ?? []) {
      const kept = after.get(name)?.get(id);
      assert(kept, `${from}: a row of ${name} is lost`);
      for (const { name: old, type } of table.columns) {
        const column = next.columns.find((one) => one.name === (names?.get(old) ?? old));
        if (column?.type !== type) continue;
        const value = values.get(old);
        if (value === null && column.notNull) continue;
        assertEquals(kept.get(column.name), value, `${from}: ${name}.${column.name}`);
      }
    }
  }
}

function shapeOfFirst(tables: readonly SqlTable[]): unknown {
  const hints = {
    tables: new Map(),
    columns: new Map(),
    backfills: new Map(),
    allowDestructive: false,
  };
  const plan = planMigration({ tables, hints, state: new Map() });
  assert(plan.kind === "planned");
  using database = new MigratedDatabase();
  assert(database.migrate(sqlOf(plan.files)));
  return database.shape();
}

/** Migrates as the runner does: foreign keys unenforced, one transaction, then checked. */
class MigratedDatabase {
  readonly #database = new Database(":memory:");
  #rows = 0;

  /** False when rows do not keep to what the migration asks of them. */
  migrate(sql: string): boolean {
    this.#database.exec("PRAGMA foreign_keys = OFF");
    this.#database.exec("BEGIN");
    try {
      for (const statement of sql.split("--> statement-breakpoint")) this.#database.exec(statement);
      if (this.#all("PRAGMA foreign_key_check").length > 0) throw new Error("constraint");
      this.#database.exec("COMMIT");
    } catch (error) {
      this.#database.exec("ROLLBACK");
      assert(/constraint/i.test(String(error)), `${error}\n${sql}`);
      return false;
    } finally {
      this.#database.exec("PRAGMA foreign_keys = ON");
    }
    assertEquals(this.#all("PRAGMA integrity_check"), [["ok"]]);
    return true;
  }

  /** Some of what the tables take, NULLs and repeated values among it. */
  fill(tables: readonly SqlTable[], random: Random): void {
    for (const table of tables) {
      const target = sqlIdentifier(table.name);
      for (let row = 0; row < 2; row++) {
        const values = table.columns.map((column) => this.#value(column, random));
        const places = values.map(() => "?").join(", ");
        const columns = table.columns.map(({ name }) => sqlIdentifier(name)).join(", ");
        this.#database.prepare(`INSERT OR IGNORE INTO ${target} (${columns}) SELECT ${places}`)
          .run(...values);
      }
    }
  }

  #value({ primaryKey, notNull, type, references }: SqlColumn, random: Random) {
    if (primaryKey) return `id${this.#rows++}`;
    if (references !== null) return null;
    if (!notNull && random.chance(40)) return null;
    return type === "text" ? random.pick(["x", "y"]) : random.below(3) + 0.5;
  }

  rows(tables: readonly SqlTable[]): Rows {
    return new Map(tables.map(({ name, columns }) => {
      const names = columns.map((column) => column.name);
      const list = names.map((one) => sqlIdentifier(one)).join(", ");
      const found = this.#all(`SELECT ${list} FROM ${sqlIdentifier(name)} ORDER BY id`);
      const rows = found.map((row) =>
        [row[0], new Map(names.map((one, at) => [one, row[at]]))] as const
      );
      return [name, new Map(rows)];
    }));
  }

  /** Everything but the order of columns, which nothing relies on, and SQLite's own quotes after a rename. */
  shape(): unknown {
    const tables = this.#all(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    ).flat().map(String);
    return tables.map((name) => [
      name,
      this.#all(
        `SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info('${name}') ORDER BY name`,
      ),
      this.#all(
        `SELECT "from", "table", "to", on_delete FROM pragma_foreign_key_list('${name}') ORDER BY 1`,
      ),
      this.#all(
        `SELECT name, replace(sql, '"', '\`') FROM sqlite_master WHERE type = 'index' AND tbl_name = '${name}' ORDER BY name`,
      ),
    ]);
  }

  #all(sql: string): unknown[][] {
    return this.#database.prepare(sql).raw().all().map((row) => Array.isArray(row) ? row : [row]);
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

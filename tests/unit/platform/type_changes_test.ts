/** A column that changes its type keeps what its values say, or nothing is changed (definitions 2, `compiler.migrations`). */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { typeName } from "../../../shared/column_types/convert_type.ts";
import {
  type ColumnType,
  columnTypes,
  restored,
  storageOf,
  stored,
} from "../../../shared/column_types/mod.ts";
import { planMigration } from "../../../shared/compiler/migrations/plan_migration.ts";
import type { SchemaHints } from "../../../shared/compiler/migrations/schema_change.ts";
import type { JsonValue } from "../../../shared/contract/mod.ts";
import type { SqlColumn, SqlTable } from "../../../shared/model/mod.ts";
import { applyMigrations } from "../../../shared/runtime/mod.ts";
import { type Database, type Migration, MigrationError } from "../../../shared/runtime/ports.ts";
import { openDatabase } from "../../../library/platform/mod.ts";
import { DRIVERS } from "../../support/databases.ts";
import { sqld, withSqld } from "../../support/sqld.ts";

const NO_HINTS: SchemaHints = {
  tables: new Map(),
  columns: new Map(),
  backfills: new Map(),
  allowDestructive: false,
};

const ID: SqlColumn = {
  name: "id",
  type: "text",
  notNull: true,
  primaryKey: true,
  autoIncrement: false,
  default: null,
  references: null,
  of: { kind: "text", maxLength: null, enum: null },
};

function tableOf(name: string, type: ColumnType, rest: Partial<SqlColumn> = {}): SqlTable {
  const storage = storageOf(type);
  const column: SqlColumn = {
    ...ID,
    name: "value",
    type: storage.declared ?? storage.sql,
    notNull: false,
    primaryKey: false,
    json: storage.mode === "json",
    decimal: storage.decimal ?? undefined,
    of: type,
    ...rest,
  };
  return { name, columns: [ID, column], indexes: [] };
}

/** The migrations of a schema that changes once; null where its author is asked. */
function migrationsOf(
  before: readonly SqlTable[],
  after: readonly SqlTable[],
): { readonly migrations: readonly Migration[]; readonly told: readonly string[] } | null {
  const migrations: Migration[] = [];
  let state = new Map<string, string>();
  let told: readonly string[] = [];
  for (const [at, tables] of [before, after].entries()) {
    const plan = planMigration({ tables, hints: NO_HINTS, state });
    if (plan.kind !== "planned") return null;
    const sql = plan.files.find(({ path }) => path.endsWith(".sql"))?.content;
    if (plan.tag !== null && sql !== undefined) {
      migrations.push({ tag: plan.tag, when: 1000 * (at + 1), sql });
    }
    state = new Map([...state, ...plan.files.map(({ path, content }) => [path, content] as const)]);
    told = plan.notices.map(({ kind, from, to, limits }) =>
      kind === "converted" ? `${from} to ${to}` : limits.join(", ")
    );
  }
  return { migrations, told };
}

const text = (rest: Partial<Extract<ColumnType, { kind: "text" }>> = {}): ColumnType => ({
  kind: "text",
  maxLength: null,
  enum: null,
  ...rest,
});
const decimal = (precision: number, scale: number): ColumnType => ({
  kind: "decimal",
  precision,
  scale,
});
const list = (of: "text" | "int" | "date", maxItems = 100): ColumnType => ({
  kind: "list",
  of: of === "text" ? { kind: "text", maxLength: null, enum: null } : { kind: of },
  maxItems,
});
const enumOf = (...values: string[]): ColumnType => ({ kind: "enum", values });
const FILE = { id: "4c1de5a9f8b34c7e9a51d07c8e2b6f30", name: "a", size: 1, type: "text/plain" };

type Kind = ColumnType["kind"];

/** A type of each kind that an author may change, with values of it. */
const SAMPLES: Readonly<
  Record<Kind, { readonly type: ColumnType; readonly values: readonly JsonValue[] } | null>
> = {
  // Made by the service.
  id: null,
  scope: null,
  revision: null,
  text: { type: text(), values: ["", "a", "7", "it's", "ä\n\u202e"] },
  int: { type: { kind: "int" }, values: [0, 1, -7, 2 ** 53 - 1] },
  real: { type: { kind: "real" }, values: [0, -3, 1.5, 1e20] },
  decimal: { type: decimal(18, 2), values: ["0.00", "-0.05", "12.00", "9999999999999999.99"] },
  bool: { type: { kind: "bool" }, values: [true, false] },
  timestamp: {
    type: { kind: "timestamp" },
    values: ["2026-01-31T00:00:00.000Z", "2026-01-31T10:20:30.456Z"],
  },
  date: { type: { kind: "date" }, values: ["2026-01-31", "2024-02-29"] },
  url: { type: { kind: "url", maxLength: null }, values: ["https://a.example/b?c=d"] },
  email: { type: { kind: "email" }, values: ["ada@example.com"] },
  account: { type: { kind: "account" }, values: ["Vq3sR8kT1mXn5cYw"] },
  enum: { type: enumOf("open", "done"), values: ["open", "done"] },
  file: {
    type: { kind: "file", maxSize: 10, types: null },
    values: [{
      ...FILE,
      sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    }],
  },
  json: { type: { kind: "json" }, values: ["a", { b: [1] }, ["x"], 7] },
  list: { type: list("text"), values: [[], ["a", "b"]] },
  vector: {
    type: { kind: "vector", dimensions: 2, metric: "cosine", from: null },
    values: [[1, 0.5]],
  },
};

/** What each kind becomes: the rest is asked about. */
const BECOMES: Readonly<Record<Kind, readonly Kind[]>> = {
  id: [],
  scope: [],
  revision: [],
  text: [
    "date",
    "timestamp",
    "int",
    "decimal",
    "bool",
    "list",
    "enum",
    "email",
    "url",
    "account",
    "json",
  ],
  int: ["text", "real", "decimal", "bool", "json"],
  real: ["int"],
  decimal: ["text", "int", "real"],
  bool: ["int"],
  timestamp: ["date", "text", "json"],
  date: ["timestamp", "text", "json"],
  url: ["text", "json"],
  email: ["text", "json"],
  account: ["text"],
  enum: ["text", "json"],
  file: [],
  json: ["text", "list"],
  list: ["json"],
  vector: [],
};

const KINDS = columnTypes().map(([kind]) => kind).filter((kind) => SAMPLES[kind] !== null);

function sample(kind: Kind) {
  const found = SAMPLES[kind];
  assert(found, kind);
  return found;
}

Deno.test("every type becomes those that can hold its values, and its author is asked about all others", () => {
  for (const from of KINDS) {
    const became = KINDS.filter((to) =>
      to !== from &&
      migrationsOf([tableOf("t", sample(from).type)], [tableOf("t", sample(to).type)]) !== null
    );
    assertEquals(became, KINDS.filter((to) => BECOMES[from].includes(to)), from);
  }
});

/** One stored value, what it becomes, and null for a value that no row may have. */
const EXAMPLES: readonly (readonly [
  from: ColumnType,
  to: ColumnType,
  becomes: readonly (readonly [JsonValue, JsonValue | null])[],
])[] = [
  [{ kind: "date" }, { kind: "timestamp" }, [["2026-01-31", "2026-01-31T00:00:00.000Z"]]],
  [{ kind: "timestamp" }, { kind: "date" }, [
    ["2026-01-31T00:00:00.000Z", "2026-01-31"],
    ["2026-01-31T00:00:00.001Z", null],
  ]],
  [text(), { kind: "date" }, [
    ["2024-02-29", "2024-02-29"],
    ["2026-02-29", null],
    ["2026-1-2", null],
    ["2026-01-31T00:00:00.000Z", null],
    [" 2026-01-31", null],
    ["", null],
  ]],
  [text(), { kind: "timestamp" }, [
    ["2026-01-31T10:20:30.456Z", "2026-01-31T10:20:30.456Z"],
    ["2026-01-31T10:20:30Z", "2026-01-31T10:20:30.000Z"],
    ["2026-01-31T10:20Z", "2026-01-31T10:20:00.000Z"],
    ["2026-01-31T23:20:59.9-05:30", "2026-02-01T04:50:59.900Z"],
    ["2024-03-01T00:00:00.001+01:00", "2024-02-29T23:00:00.001Z"],
    ["2026-01-31T10:20:30.4567Z", null],
    ["2026-01-31T10:20:30", null],
    ["2026-01-31 10:20:30Z", null],
    ["2026-01-31", null],
    ["soon", null],
  ]],
  [text(), { kind: "int" }, [
    ["0", 0],
    ["-12", -12],
    ["9007199254740991", 9007199254740991],
    ["9007199254740992", null],
    ["007", null],
    ["-0", null],
    ["+1", null],
    ["1.0", null],
    ["1e3", null],
    ["0x10", null],
    [" 1", null],
    ["", null],
  ]],
  [text(), decimal(6, 2), [
    ["12.5", "12.50"],
    ["-0.05", "-0.05"],
    ["7", "7.00"],
    ["9999.99", "9999.99"],
    ["10000", null],
    ["0.005", null],
    ["1e3", null],
    [".5", null],
    ["", null],
  ]],
  [text(), { kind: "bool" }, [
    ["true", true],
    ["false", false],
    ["1", true],
    ["0", false],
    ["TRUE", null],
    ["yes", null],
    ["", null],
  ]],
  [text(), list("int", 3), [
    ["[1,2]", [1, 2]],
    [" [ 1 , 2 ] ", [1, 2]],
    ["[]", []],
    ["[1,2,3,4]", null],
    ['["1"]', null],
    ["[1.5]", null],
    ["{}", null],
    ["1,2", null],
    ["", null],
  ]],
  [text(), list("date"), [['["2026-01-31"]', ["2026-01-31"]], ['["soon"]', null]]],
  [text(), enumOf("open", "done"), [["open", "open"], ["Open", null], ["", null]]],
  [text(), { kind: "email" }, [["ada@example.com", "ada@example.com"], ["ada", null]]],
  [text(), { kind: "url", maxLength: 20 }, [
    ["https://a.example", "https://a.example"],
    ["https://a.example/longer", null],
    ["javascript:alert(1)", null],
  ]],
  [text(), { kind: "json" }, [["a", "a"], ["7", "7"], ['say "1",', 'say "1",']]],
  [{ kind: "int" }, text(), [[-7, "-7"], [9007199254740991, "9007199254740991"]]],
  [{ kind: "int" }, text({ maxLength: 2 }), [[99, "99"], [100, null]]],
  [{ kind: "int" }, { kind: "real" }, [[9007199254740991, 9007199254740991]]],
  [{ kind: "int" }, decimal(6, 2), [[9999, "9999.00"], [-1, "-1.00"], [10000, null]]],
  [{ kind: "int" }, { kind: "bool" }, [[0, false], [1, true], [2, null], [-1, null]]],
  [{ kind: "bool" }, { kind: "int" }, [[true, 1], [false, 0]]],
  [{ kind: "real" }, { kind: "int" }, [
    [3, 3],
    [-0.5, null],
    [1e20, null],
    [9007199254740992, null],
  ]],
  [decimal(18, 0), decimal(18, 2), [
    ["9999999999999999", "9999999999999999.00"],
    ["-1", "-1.00"],
    ["999999999999999999", null],
  ]],
  [decimal(10, 3), decimal(10, 2), [["12.340", "12.34"], ["12.345", null], ["-0.010", "-0.01"]]],
  [decimal(10, 2), decimal(4, 2), [["99.99", "99.99"], ["100.00", null]]],
  [decimal(18, 2), text(), [["-9007199254740993.01", "-9007199254740993.01"]]],
  [decimal(18, 2), { kind: "int" }, [["12.00", 12], ["12.50", null], [
    "9999999999999999.00",
    null,
  ]]],
  [decimal(18, 2), { kind: "real" }, [["-0.05", -0.05], ["9999999999999999.99", null]]],
  [enumOf("open", "done"), text(), [["open", "open"]]],
  [enumOf("open", "done"), enumOf("open"), [["open", "open"], ["done", null]]],
  [text({ maxLength: 9 }), text({ maxLength: 2 }), [["ää", "ää"], ["abc", null]]],
  [text(), text({ minLength: 2 }), [["ab", "ab"], ["a", null]]],
  [text(), text({ pattern: "^[a-z]+$", examples: ["a"] }), [["ab", "ab"], ["a1", null]]],
  [text(), text({ enum: ["a"] }), [["a", "a"], ["b", null]]],
  [{ kind: "int" }, { kind: "int", min: 1, max: 3 }, [[3, 3], [0, null], [4, null]]],
  [{ kind: "real", min: 0 }, { kind: "real", min: 0.5 }, [[0.5, 0.5], [0.25, null]]],
  [{ kind: "date" }, { kind: "date", min: "2026-01-01" }, [
    ["2026-01-01", "2026-01-01"],
    ["2025-12-31", null],
  ]],
  [decimal(6, 2), { kind: "decimal", precision: 6, scale: 2, max: "9.50" }, [
    ["9.50", "9.50"],
    ["10.00", null],
  ]],
  [list("text"), list("text", 1), [[["a"], ["a"]], [["a", "b"], null]]],
  [list("text"), list("date"), [[["2026-01-31"], ["2026-01-31"]], [["a"], null]]],
  [list("int"), { kind: "json" }, [[[1], [1]]]],
  [{ kind: "json" }, list("int"), [[[1], [1]], [{ a: 1 }, null], [["a"], null]]],
  [{ kind: "json" }, text(), [["a", "a"], [{ b: [1] }, '{"b":[1]}'], [7, "7"], ["a\u0000", null]]],
  [{ kind: "url", maxLength: null }, text(), [["https://a.example", "https://a.example"]]],
];

const nameOf = (at: number) => `t${at}`;

/** Writes values of the type under the ids `0`, `1`, and so on, and one row without a value. */
async function fill(
  database: Database,
  table: string,
  type: ColumnType,
  values: readonly JsonValue[],
): Promise<void> {
  const place = storageOf(type).write("?");
  await database.write((transaction) =>
    transaction.runAll([
      ...values.map((value, at) => ({
        sql: `INSERT INTO ${table} (id, value) VALUES ('${at}', ${place})`,
        args: [stored({ name: "value", type }, value)],
      })),
      { sql: `INSERT INTO ${table} (id) VALUES ('none')`, args: [] },
    ])
  );
}

async function valuesOf(database: Database, table: string, type: ColumnType) {
  const sql = `SELECT ${storageOf(type).read("value")} FROM ${table} ORDER BY id`;
  const { rows } = await database.run({ sql, args: [] });
  return rows.map(([value = null]) => {
    const json = restored({ name: "value", type }, value);
    // In the one form that this service writes, or nothing finds it.
    if (json !== null && storageOf(type).mode !== "json") {
      assertEquals(stored({ name: "value", type }, json), value);
    }
    return json;
  });
}

async function changesTypes(database: Database): Promise<void> {
  const before = EXAMPLES.map(([from], at) => tableOf(nameOf(at), from));
  const changed = migrationsOf(before, EXAMPLES.map(([, to], at) => tableOf(nameOf(at), to)));
  assert(changed);
  const [first, second] = changed.migrations;
  assert(first && second);
  await applyMigrations(database, [first]);
  for (const [at, [from, , becomes]] of EXAMPLES.entries()) {
    await fill(
      database,
      nameOf(at),
      from,
      becomes.flatMap(([old, now]) => now === null ? [] : [old]),
    );
  }
  await applyMigrations(database, [first, second]);
  for (const [at, [from, to, becomes]] of EXAMPLES.entries()) {
    const expected = becomes.flatMap(([, now]) => now === null ? [] : [now]);
    assertEquals(
      await valuesOf(database, nameOf(at), to),
      [...expected, null],
      `${typeName(from)} to ${typeName(to)}`,
    );
  }
}

for (const driver of DRIVERS) {
  Deno.test(`${driver.name}: values that are some of the new type get its form`, () =>
    driver.with(changesTypes));

  Deno.test(`${driver.name}: a value that is none of the new type stops the migration, and is named`, () =>
    driver.with(async (database) => {
      for (const [at, [from, to, becomes]] of EXAMPLES.entries()) {
        const misfits = becomes.flatMap(([old, now]) => now === null ? [old] : []);
        const fits = becomes.flatMap(([old, now]) => now === null ? [] : [old]);
        for (const misfit of misfits) {
          const table = `${nameOf(at)}_${misfits.indexOf(misfit)}`;
          const changed = migrationsOf([tableOf(table, from)], [tableOf(table, to)]);
          const [first, second] = changed?.migrations ?? [];
          const what = `${typeName(from)} to ${typeName(to)}: ${JSON.stringify(misfit)}`;
          assert(first && second, what);
          await database.migrate(
            first.sql.split(";").slice(0, 1).map((sql) => ({ sql, args: [] })),
          );
          await fill(database, table, from, [misfit, ...fits]);
          const apart = {
            ...second,
            when: 1_000_000 + 1000 * at + 10_000_000 * misfits.indexOf(misfit),
          };
          const { message } = await assertRejects(
            () => applyMigrations(database, [apart]),
            MigrationError,
            "1 row holds",
          );
          assertStringIncludes(message, `${table}.value no ${typeName(to)}`);
          assertEquals(await valuesOf(database, table, from), [misfit, ...fits, null], what);
        }
      }
    }));
}

Deno.test("libSQL's server: values that are some of the new type get its form", async () => {
  const program = await sqld();
  if (program === null) return;
  await withSqld(program, async ({ url }) => {
    const database = await openDatabase({ url });
    await changesTypes(database).finally(() => database.close());
  });
});

/** A drizzle-kit state is read in both of its forms to the same tables; what cannot be read is refused by name. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { baselineTables } from "../../../cli/adopt/baseline_tables.ts";
import { DraftError } from "../../../cli/adopt/foreign_schema.ts";
import { kitFolders } from "../../../cli/adopt/kit_folders.ts";
import { readKitSnapshot } from "../../../cli/adopt/kit_snapshot.ts";
import type { SqlTable } from "../../../shared/model/sql_table.ts";
import { kitState, type KitVersion } from "../../support/older_project.ts";

async function schemaOf(version: KitVersion) {
  const files = await kitState(version, "drizzle/app");
  const [folder, ...others] = kitFolders(files);
  assert(folder && others.length === 0);
  assertEquals([folder.path, folder.files.length], ["drizzle/app", Object.keys(files).length]);
  return readKitSnapshot(folder.snapshot, files[folder.snapshot] ?? "");
}

/** Without uniqueness, which version 7 keeps inside the table, and without the key that this asks for. */
function comparable(tables: readonly SqlTable[]) {
  return tables.map(({ name, columns, indexes }) => ({
    name,
    columns: columns.map((column) => ({ ...column, notNull: column.primaryKey || column.notNull })),
    indexes: indexes.filter(({ unique }) => !unique).map((index) => index.name),
  })).sort((a, b) => a.name < b.name ? -1 : 1);
}

Deno.test("both versions say the same tables", async () => {
  const [six, seven] = [await schemaOf(6), await schemaOf(7)];
  assertEquals(comparable(six.tables), comparable(seven.tables));
  assertEquals([six.decisions, seven.decisions], [[], []]);
  const tasks = six.tables.find(({ name }) => name === "tasks");
  assertEquals(tasks?.columns.slice(1, 5).map((c) => [c.name, c.type, c.default, c.references]), [
    ["project_id", "text", null, { table: "projects", column: "id", onDelete: "cascade" }],
    ["title", "text", null, null],
    ["code", "text", null, null],
    ["done", "integer", "0", null],
  ]);
  assertEquals(tasks?.indexes.map(({ name, unique }) => [name, unique]), [
    ["tasks_code_unique", true],
    ["tasks_project_id_idx", false],
  ]);
  // What stands inside the table of version 7 has it rebuilt.
  const keys = (tables: readonly SqlTable[]) =>
    tables.map(({ name, columns }) => [name, columns[0]?.notNull]);
  assertEquals(keys(six.tables).every(([, notNull]) => notNull), true);
  assertEquals(
    keys(seven.tables).filter(([, notNull]) => !notNull).map(([name]) => name),
    ["tasks"],
  );
});

const column = (name: string, facts: Readonly<Record<string, unknown>> = {}) => ({
  [name]: { name, type: "text", primaryKey: false, notNull: false, autoincrement: false, ...facts },
});

const TABLE = {
  name: "a",
  columns: { ...column("id", { primaryKey: true, notNull: true }), ...column("b") },
  indexes: {},
  foreignKeys: {},
  compositePrimaryKeys: {},
  uniqueConstraints: {},
  checkConstraints: {},
};

const snapshot = (table: Readonly<Record<string, unknown>>, views = {}) =>
  JSON.stringify({
    version: "6",
    dialect: "sqlite",
    id: "0",
    prevId: "0",
    tables: { a: { ...TABLE, ...table } },
    views,
  });

const REMARKS: readonly (readonly [what: string, text: string, isTaken: boolean, told: string])[] =
  [
    [
      "a key of two columns",
      snapshot({ compositePrimaryKeys: { k: { name: "k", columns: ["id", "b"] } } }),
      false,
      'Table "a" is left out, for its primary key of 2 columns: it stays in the database as it is; define another table for its rows',
    ],
    [
      "a generated column",
      snapshot({ columns: { ...TABLE.columns, ...column("c", { generated: { as: "1" } }) } }),
      false,
      'Table "a" is left out, for its generated column "c": it stays in the database as it is; define another table for its rows',
    ],
    [
      "a type of its own",
      snapshot({ columns: { ...TABLE.columns, ...column("c", { type: "numeric" }) } }),
      false,
      'Table "a" is left out, for the type numeric of its column "c": it stays in the database as it is; define another table for its rows',
    ],
    [
      "a check",
      snapshot({ checkConstraints: { c: { name: "c", value: "b > 1" } } }),
      true,
      'Table "a" loses its check "c": say in its definition what should hold instead',
    ],
    [
      "an index on an expression",
      snapshot({ indexes: { i: { name: "i", columns: ["lower(b)"], isUnique: true } } }),
      true,
      'Table "a" loses its index "i", which is on an expression: say in its definition what should hold instead',
    ],
    [
      "a view",
      snapshot({}, { v: {} }),
      true,
      'View "v" is not taken over: there are none here',
    ],
  ];

for (const [what, text, isTaken, told] of REMARKS) {
  Deno.test(`what no table here has is listed: ${what}`, () => {
    const { tables, decisions } = readKitSnapshot("s.json", text);
    assertEquals([tables.length, decisions], [isTaken ? 1 : 0, [told]]);
  });
}

const REFUSED: readonly (readonly [what: string, text: string, told: string])[] = [
  ["text", "nothing", "s.json is no snapshot of drizzle-kit that can be read"],
  ["a list", "[]", "s.json is no snapshot of drizzle-kit that can be read"],
  [
    "an older version",
    '{"version":"5","dialect":"sqlite"}',
    's.json is of version 5, and 6 and 7 can be read: bring it up with "drizzle-kit up"',
  ],
  [
    "a later version",
    '{"version":"8","dialect":"sqlite"}',
    's.json is of version 8, and 6 and 7 can be read: bring it up with "drizzle-kit up"',
  ],
  [
    "another database",
    '{"version":"7","dialect":"postgresql"}',
    "s.json is of postgresql: only SQLite's schemas can be taken over",
  ],
  [
    "a damaged one of version 6",
    snapshot({ columns: { id: { name: "id" } } }),
    "s.json is damaged: it is not what drizzle-kit writes",
  ],
  [
    "a damaged one of version 7",
    '{"version":"7","dialect":"sqlite","ddl":[{"entityType":"tables"}]}',
    "s.json is damaged: it is not what drizzle-kit writes",
  ],
];

for (const [what, text, told] of REFUSED) {
  Deno.test(`a snapshot that cannot be read is refused: ${what}`, () => {
    const error = assertThrows(() => readKitSnapshot("s.json", text), DraftError);
    assertEquals(error.message, told);
  });
}

Deno.test("a state of which a part is missing is refused", async () => {
  const six = await kitState(6, "drizzle/app");
  const without = (end: string) =>
    Object.fromEntries(Object.entries(six).filter(([path]) => !path.endsWith(end)));
  const told = (files: Readonly<Record<string, string>>) =>
    assertThrows(() => kitFolders(files), DraftError).message;
  assertEquals(
    told(without("_journal.json")),
    "drizzle/app/meta/_journal.json is missing beside its snapshots: restore it",
  );
  assertEquals(
    told(without("0001_snapshot.json")),
    "drizzle/app/meta/0001_snapshot.json is missing, which the journal names: restore it",
  );
  assertEquals(
    told({ ...six, "drizzle/app/meta/_journal.json": "{" }),
    "drizzle/app/meta/_journal.json is no journal of drizzle-kit with a migration",
  );
});

Deno.test("two branches of version 7 that nobody brought together are refused", async () => {
  const files = await kitState(7, "drizzle");
  const [first = ""] = Object.keys(files).filter((path) => path.endsWith("snapshot.json")).sort();
  const { prevIds, ...rest } = JSON.parse(files[first] ?? "");
  const other = JSON.stringify({ ...rest, id: "other", prevIds });
  const told = assertThrows(
    () => kitFolders({ ...files, "drizzle/20990101000000_other/snapshot.json": other }),
    DraftError,
  ).message;
  assert(told.includes("are both the last snapshot"), told);
});

Deno.test("tables of the first implementation's own are left where they are, unless somebody defines one", async () => {
  const state = await kitState(6, "quickback/drizzle/features");
  const auth = await kitState(6, "quickback/drizzle/auth");
  const named = (files: Readonly<Record<string, string>>) => {
    const { tables, decisions } = baselineTables(files, () => false);
    return [tables.map(({ name }) => name), decisions.length] as const;
  };
  assertEquals(named({ ...state, ...auth }), [["labels", "projects", "tasks", "timeEntries"], 2]);
  const defined = {
    "quickback/features/views/views.ts": `export default feature("customView", {});`,
  };
  assertEquals(named({ ...state, ...defined })[0].includes("custom_view"), true);
});

Deno.test("a table that two databases have is refused", async () => {
  const files = { ...await kitState(6, "drizzle/one"), ...await kitState(6, "drizzle/two") };
  const told = assertThrows(() => baselineTables(files, () => false), DraftError).message;
  assertEquals(
    told,
    'Table "custom_view" is in drizzle/one and in drizzle/two, and one database can have it once: rename one of them',
  );
});

/** What a changed schema needs its author's word for, where it says so and with which way out (definitions 1, 2). */
import { assert, assertEquals } from "@std/assert";
import { compile, type RawFiles, validate } from "../../../shared/compiler/mod.ts";
import { toldOf } from "../../support/analysis.ts";
import { BARE_HOST } from "../../support/sample_files.ts";

const CONFIG = "quickback/quickback.config.ts";
const NOTES = "quickback/features/notes/notes.ts";
const TAGS = "quickback/features/notes/tags.ts";
const META = "quickback/drizzle/features/meta/";
const JOURNAL = `${META}_journal.json`;
const SNAPSHOT = `${META}0000_snapshot.json`;

const config = (migrations = "{}") =>
  `export default { name: "notes", compiler: { migrations: ${migrations} } };\n`;

const table = (name: string, columns: readonly string[], rest = "") =>
  `import { feature, q } from "quickback";
export default feature("${name}", {
  columns: {
    organizationId: q.scope("organization"), ${columns.join(", ")}
  },
  guards: { createable: [] },
  delete: { access: { roles: ["member"] }, mode: "soft" },${rest}
});
`;

const TITLE = "title: q.text()";
const SIZE = "size: q.int()";
const BEFORE: RawFiles = {
  [CONFIG]: config(),
  [NOTES]: table("notes", [TITLE, SIZE]),
  [TAGS]: table("tags", [TITLE]),
};

/** The definitions with the migration state that an earlier compile left. */
function compiledBefore(): RawFiles {
  const result = compile(BEFORE, BARE_HOST);
  assert(result.ok, result.ok ? "" : JSON.stringify(result.errors));
  const state = result.files.filter(({ path }) => path.startsWith(META));
  return { ...BEFORE, ...Object.fromEntries(state.map(({ path, content }) => [path, content])) };
}

const KEPT = compiledBefore();

/** A validation refuses what a compile refuses. */
function told(changed: RawFiles, gone: readonly string[] = []): readonly string[] {
  const entries = Object.entries({ ...KEPT, ...changed });
  const files = Object.fromEntries(entries.filter(([path]) => !gone.includes(path)));
  const [result, validation] = [compile(files, BARE_HOST), validate(files)];
  const found = result.ok ? [] : toldOf(result.errors);
  assertEquals(validation.ok ? [] : toldOf(validation.errors), found);
  return found;
}

/** What `drizzle-kit generate` leaves, with a constraint that this compiler does not write. */
const KIT_JOURNAL = {
  version: "7",
  dialect: "sqlite",
  entries: [{
    idx: 0,
    version: "6",
    when: 1740000000000,
    tag: "0000_aromatic_wolverine",
    breakpoints: true,
  }],
};
const KIT_SNAPSHOT = {
  version: "6",
  dialect: "sqlite",
  id: "0f4bd0a5-6c3c-4bd4-9d0d-3c2a0b8a7e11",
  prevId: "00000000-0000-0000-0000-000000000000",
  tables: {
    notes: {
      name: "notes",
      columns: {
        id: { name: "id", type: "text", primaryKey: true, notNull: true, autoincrement: false },
      },
      indexes: {},
      foreignKeys: {},
      compositePrimaryKeys: {},
      uniqueConstraints: { n: { name: "n", columns: ["id"] } },
      checkConstraints: {},
    },
  },
  views: {},
  enums: {},
  _meta: { schemas: {}, tables: {}, columns: {} },
  internal: { indexes: {} },
};
const ADOPT =
  'written by another tool, such as drizzle-kit, in a form that this compiler does not continue | To adopt the project: "quickback adopt <folder>" makes that schema the first migration. A database that has its tables then takes "deno task migrate --baseline" (docs/guides/moving.md)';

const ROWS: readonly (readonly [what: string, changed: RawFiles, told: readonly string[]])[] = [
  ["nothing", {}, []],
  ["a column that is gone", { [NOTES]: table("notes", [TITLE]) }, [
    'MIGRATION_DROPS_COLUMN 2:16 Column "size" of table "notes" is no longer defined | To drop it with its values, say compiler.migrations.allowDestructive: true; while developing, dev --fresh begins with an empty database',
  ]],
  ["a column that is gone while others have come", {
    [NOTES]: table("notes", [SIZE, "name: q.text()", "label: q.text()"]),
  }, [
    'MIGRATION_RENAME_OR_DROP 2:16 Column "title" of table "notes" is gone while "name", "label" have come | Renamed: say compiler.migrations.renames.columns: { "notes.title": "<new name>" }; dropped with its values: say compiler.migrations.allowDestructive: true; while developing, dev --fresh begins with an empty database',
  ]],
  ["a hint that fits nothing", {
    [CONFIG]: config('{ renames: { columns: { "notes.titel": "name" } } }'),
    [NOTES]: table("notes", [SIZE, "name: q.text()"]),
  }, [
    'MIGRATION_HINT_UNUSED 2:16 Column "title" of table "notes" is no longer defined, and a hint of compiler.migrations.renames that may mean it fits nothing | Correct the hint: its old name as in the last migration, its new name as defined; or remove it',
  ]],
  ["a hint whose old name is still defined", {
    [CONFIG]: config('{ renames: { columns: { "notes.title": "name" } } }'),
    [NOTES]: table("notes", [TITLE, SIZE, "name: q.text()"]),
  }, [
    'MIGRATION_RENAME_UNCLEAR 2:16 Column "title" of table "notes" is still defined, and a hint of compiler.migrations.renames renames it | Remove the hint; or rename it in one compile, and define the old name anew in the next',
  ]],
  ["a required column without default", {
    [NOTES]: table("notes", [TITLE, SIZE, "name: q.text().required()"]),
  }, [
    'MIGRATION_NEEDS_DEFAULT 2:16 Required column "name" is new in table "notes" and rows that exist have no value for it | Give it a default, or add it as optional, fill it, and require it in a later compile; while developing, dev --fresh begins with an empty database',
  ]],
  ["another type", { [NOTES]: table("notes", ["title: q.text()", "size: q.date()"]) }, [
    'MIGRATION_CHANGES_TYPE 2:16 Column "size" of table "notes" changes from int to date, and no value of the one is one of the other | Add a column of the new type beside it, fill it with a data step (docs/guides/data-steps.md) and drop the old one in a later compile; to give its values up, where the column is optional or has a default, say compiler.migrations.allowDestructive: true; while developing, dev --fresh begins with an empty database',
  ]],
  ["rows accepted in a column that there is not", {
    [CONFIG]: config('{ accept: ["notes.titel"] }'),
  }, [
    'MIGRATION_ACCEPTS_NOTHING 1:16 compiler.migrations.accept names "notes.titel", which is no column | Did you mean "notes.title"?',
  ]],
  ["deleted rows that are no longer kept", {
    [NOTES]: table("notes", [TITLE, SIZE]).replace('"soft"', '"hard"'),
  }, [
    'MIGRATION_DROPS_DELETED_ROWS 2:16 Column "deleted_at" of table "notes" is no longer defined, which marks the rows that were deleted | To remove those rows for good, say compiler.migrations.allowDestructive: true; to keep them, leave delete.mode "soft"',
  ]],
  ["state that was damaged", { [JOURNAL]: "{" }, [
    'MIGRATION_STATE_INVALID 1:1 Migration state "quickback/drizzle/features/meta/_journal.json" is damaged, or of a version that this compiler does not write | Restore quickback/drizzle/features from version control; after a merge, take that folder of one branch whole and compile again',
  ]],
  ["a journal of another tool", {
    [JOURNAL]: JSON.stringify({ ...KIT_JOURNAL, dialect: "postgresql" }),
  }, [`MIGRATION_STATE_FOREIGN 1:1 Migration state "${JOURNAL}" was ${ADOPT}`]],
  ["a snapshot of another tool", {
    [JOURNAL]: JSON.stringify(KIT_JOURNAL),
    [SNAPSHOT]: JSON.stringify(KIT_SNAPSHOT),
  }, [`MIGRATION_STATE_FOREIGN 1:1 Migration state "${SNAPSHOT}" was ${ADOPT}`]],
  ["a snapshot of another tool in a folder of its migration", {
    "quickback/drizzle/features/20260101000000_calm_wolf/snapshot.json": "{}",
  }, [
    `MIGRATION_STATE_FOREIGN 1:1 Migration state "quickback/drizzle/features/20260101000000_calm_wolf/snapshot.json" was ${ADOPT}`,
  ]],
  ["a snapshot of this compiler that was damaged", {
    [SNAPSHOT]: (KEPT[SNAPSHOT] ?? "").replace('"columns"', '"colums"'),
  }, [
    `MIGRATION_STATE_INVALID 1:1 Migration state "${SNAPSHOT}" is damaged, or of a version that this compiler does not write | Restore quickback/drizzle/features from version control; after a merge, take that folder of one branch whole and compile again`,
  ]],
  ["whatever may be lost, with leave", {
    [CONFIG]: config("{ allowDestructive: true }"),
    [NOTES]: table("notes", []).replace('"soft"', '"hard"'),
  }, []],
];

for (const [what, changed, expected] of ROWS) {
  Deno.test(`a changed schema: ${what}`, () => assertEquals(told(changed), expected));
}

Deno.test("a changed schema: a table that is gone", () => {
  assertEquals(told({}, [TAGS]), [
    'MIGRATION_DROPS_TABLE 1:16 Table "tags" is no longer defined | Renamed: say compiler.migrations.renames.tables: { "tags": "<new name>" }; dropped with its rows: say compiler.migrations.allowDestructive: true; while developing, dev --fresh begins with an empty database',
  ]);
});

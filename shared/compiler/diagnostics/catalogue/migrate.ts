/** Phase 5: what a changed schema needs the author's word for (definitions 2, `compiler.migrations`). */
import { row } from "../row.ts";

const ALLOW = "compiler.migrations.allowDestructive: true";
/** The usual first edits of a template lose rows that nobody wants: the development database is the way out. */
const FRESH = "while developing, dev --fresh begins with an empty database";

const FAULTS = {
  missing: "is missing",
  malformed: "is damaged, or of a version that this compiler does not write",
  edited: "was edited: it no longer says what its id was made from",
  unlisted: "is not in the journal",
  outOfLine: "was not made after the snapshot before it, as happens when two branches are merged",
} as const;

export const MIGRATE = {
  MIGRATION_STATE_INVALID: row<{ file: string; fault: keyof typeof FAULTS }>({
    severity: "error",
    section: "definitions 1",
    title: "The migration state of earlier compiles is missing or was edited",
    message: ({ file, fault }) => `Migration state ${JSON.stringify(file)} ${FAULTS[fault]}`,
    hint: () =>
      "Restore quickback/drizzle/features from version control; " +
      "after a merge, take that folder of one branch whole and compile again",
  }),
  MIGRATION_STATE_FOREIGN: row<{ file: string }>({
    severity: "error",
    section: "definitions 1",
    title: "The migration state was written by another tool, in a form that cannot be continued",
    message: ({ file }) =>
      `Migration state ${
        JSON.stringify(file)
      } was written by another tool, such as drizzle-kit, in a form that this compiler does not continue`,
    hint: () =>
      "To adopt the project, move quickback/drizzle aside and compile: the first migration then makes the whole schema. " +
      "A new database takes it as it is; in one that has the tables, record it as applied (docs/deploy.md, Adopting a database)",
  }),
  MIGRATION_DROPS_TABLE: row<{ table: string }>({
    severity: "error",
    section: "definitions 2",
    title: "A table is gone, and with it its rows",
    message: ({ table }) => `Table ${JSON.stringify(table)} is no longer defined`,
    hint: ({ table }) =>
      `Renamed: say compiler.migrations.renames.tables: { ${
        JSON.stringify(table)
      }: "<new name>" }; dropped with its rows: say ${ALLOW}; ${FRESH}`,
  }),
  MIGRATION_DROPS_COLUMN: row<{ table: string; column: string }>({
    severity: "error",
    section: "definitions 2",
    title: "A column is gone, and with it its values",
    message: ({ table, column }) =>
      `Column ${JSON.stringify(column)} of table ${JSON.stringify(table)} is no longer defined`,
    hint: () => `To drop it with its values, say ${ALLOW}; ${FRESH}`,
  }),
  MIGRATION_DROPS_DELETED_ROWS: row<{ table: string; column: string }>({
    severity: "error",
    section: "definitions 2",
    title: "A table no longer keeps deleted rows, and those that it keeps would go",
    message: ({ table, column }) =>
      `Column ${JSON.stringify(column)} of table ${
        JSON.stringify(table)
      } is no longer defined, which marks the rows that were deleted`,
    hint: () =>
      `To remove those rows for good, say ${ALLOW}; to keep them, leave delete.mode "soft"`,
  }),
  MIGRATION_HINT_UNUSED: row<{ table: string; column: string | null }>({
    severity: "error",
    section: "definitions 2",
    title: "A rename hint fits nothing while what it may mean would be dropped",
    message: ({ table, column }) =>
      `${column === null ? "Table" : `Column ${JSON.stringify(column)} of table`} ${
        JSON.stringify(table)
      } is no longer defined, and a hint of compiler.migrations.renames that may mean it fits nothing`,
    hint: () =>
      "Correct the hint: its old name as in the last migration, its new name as defined; or remove it",
  }),
  MIGRATION_RENAME_UNCLEAR: row<{ table: string; column: string | null }>({
    severity: "error",
    section: "definitions 2",
    title: "A rename hint names what is still defined, while its new name has come",
    message: ({ table, column }) =>
      `${column === null ? "Table" : `Column ${JSON.stringify(column)} of table`} ${
        JSON.stringify(table)
      } is still defined, and a hint of compiler.migrations.renames renames it`,
    hint: () =>
      "Remove the hint; or rename it in one compile, and define the old name anew in the next",
  }),
  MIGRATION_RENAME_OR_DROP: row<{ table: string; gone: string; added: readonly string[] }>({
    severity: "error",
    section: "definitions 2",
    title: "A column is gone while another has come: renamed, or dropped and added",
    message: ({ table, gone, added }) =>
      `Column ${JSON.stringify(gone)} of table ${JSON.stringify(table)} is gone while ${
        added.map((name) => JSON.stringify(name)).join(", ")
      } ${added.length === 1 ? "has" : "have"} come`,
    hint: ({ table, gone, added }) =>
      `Renamed: say compiler.migrations.renames.columns: { ${JSON.stringify(`${table}.${gone}`)}: ${
        JSON.stringify(added.length === 1 ? added[0] : "<new name>")
      } }; dropped with its values: say ${ALLOW}; ${FRESH}`,
  }),
  MIGRATION_NEEDS_DEFAULT: row<{ table: string; column: string }>({
    severity: "error",
    section: "definitions 2",
    title: "A required column without default is added to a table that may have rows",
    message: ({ table, column }) =>
      `Required column ${JSON.stringify(column)} is new in table ${
        JSON.stringify(table)
      } and rows that exist have no value for it`,
    hint: () =>
      "Give it a default, or add it as optional, fill it, and require it in a later compile; " +
      FRESH,
  }),
  MIGRATION_NEEDS_BACKFILL: row<
    { table: string; column: string; keys: readonly string[]; said: string | null }
  >({
    severity: "error",
    section: "definitions 2",
    title: "A table that may have rows gains a scope, and whose those rows are is not known",
    message: ({ table, column, said }) =>
      `Table ${JSON.stringify(table)} gains the scope column ${
        JSON.stringify(column)
      } and rows that exist have no value for it` +
      (said === null ? "" : `: ${JSON.stringify(said)} cannot fill it`),
    hint: ({ table, column, keys }) => {
      const [key = "<organization id>"] = keys;
      const others = keys.length === 0
        ? "a value for all of them"
        : `a foreign key to take it from (${keys.join(", ")}), a value for all of them`;
      return `Say compiler.migrations.backfills: { ${JSON.stringify(`${table}.${column}`)}: ${
        JSON.stringify(key)
      } }: ${others}, or "delete" to remove those rows`;
    },
  }),
  MIGRATION_CHANGES_TYPE: row<{ table: string; column: string; from: string; to: string }>({
    severity: "error",
    section: "definitions 2",
    title: "A column changes its stored type in a way that may lose values",
    message: ({ table, column, from, to }) =>
      `Column ${JSON.stringify(column)} of table ${
        JSON.stringify(table)
      } changes from ${from} to ${to}, which may lose values`,
    hint: () =>
      `Add a column of the new type beside it, or accept the loss: say ${ALLOW}; ${FRESH}`,
  }),
} as const;

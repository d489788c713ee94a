/** Lists the codes of phases 5 and 7 about migrations and the bundle of the output. */
import { didYouMean, quote } from "../wording.ts";
import { row } from "../diagnostic.ts";

const ALLOW = "compiler.migrations.allowDestructive: true";
/**
 * Hint for a change that loses rows. The usual first edits of a template lose only sample rows, so it suggests a new
 * development database.
 */
const FRESH = "while developing, dev --fresh begins with an empty database";

const FAULTS = {
  missing: "is missing",
  malformed: "is damaged, or of a version that this compiler does not write",
  edited: "was edited: it no longer says what its id was made from",
  unlisted: "is not in the journal",
  outOfLine: "was not made after the snapshot before it, as happens when two branches are merged",
} as const;

/** Codes of phase 5 about schema changes that need an instruction of the author (definitions 2, `compiler.migrations`). */
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
      'To adopt the project: "quickback adopt <folder>" makes that schema the first migration. ' +
      'A database that has its tables then takes "deno task migrate --baseline" (docs/guides/moving.md)',
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
    title: "A column changes to a type that its values are none of",
    message: ({ table, column, from, to }) =>
      `Column ${JSON.stringify(column)} of table ${
        JSON.stringify(table)
      } changes from ${from} to ${to}, and no value of the one is one of the other`,
    hint: () =>
      "Add a column of the new type beside it, fill it with a data step (docs/guides/data-steps.md) and drop the old one in a later " +
      `compile; to give its values up, where the column is optional or has a default, say ${ALLOW}; ${FRESH}`,
  }),
  MIGRATION_CONVERTS: row<{ table: string; column: string; from: string; to: string }>({
    severity: "warning",
    section: "definitions 2",
    title: "A migration converts the values of a column",
    message: ({ table, column, from, to }) =>
      `Column ${JSON.stringify(column)} of table ${
        JSON.stringify(table)
      } is converted from ${from} to ${to}`,
    hint: () =>
      "The migration looks at the rows first, and changes nothing where a value is none of the new type; " +
      "a data step of the migration before this one runs before it",
  }),
  MIGRATION_MAKES_DEFAULT: row<{ table: string; column: string }>({
    severity: "warning",
    section: "definitions 3",
    title: "A text that was a default means the caller now",
    message: ({ table, column }) =>
      `The default "$ctx.userId" of ${JSON.stringify(column)} of table ${
        JSON.stringify(table)
      } was stored as that text, and is the caller's id from now on`,
    hint: () =>
      "Rows that exist keep the text: change them in a data step (docs/guides/data-steps.md)",
  }),
  MIGRATION_NARROWS: row<
    {
      table: string;
      column: string;
      limits: readonly string[];
      isAcceptable: boolean;
      step: string;
    }
  >({
    severity: "warning",
    section: "definitions 2",
    title: "A column takes less than before, and rows may hold more",
    message: ({ table, column, limits }) =>
      `Column ${JSON.stringify(column)} of table ${JSON.stringify(table)} takes less than before: ${
        limits.join(", ")
      }`,
    hint: ({ table, column, isAcceptable, step }) =>
      "The migration looks at the rows first, and changes nothing where one does not fit: " +
      `change those in a data step ${step}_….sql, which runs before it (docs/guides/data-steps.md)` +
      (isAcceptable
        ? `; to keep them as they are, say compiler.migrations.accept: [${
          JSON.stringify(`${table}.${column}`)
        }]`
        : ""),
  }),
  MIGRATION_ACCEPTS_NOTHING: row<{ name: string; nearest: string | null }>({
    severity: "error",
    section: "definitions 2",
    title: "compiler.migrations.accept names a column that there is not",
    message: ({ name }) => `compiler.migrations.accept names ${quote(name)}, which is no column`,
    hint: didYouMean,
  }),
} as const;

const SECTION = "contract 4.8";

/** Codes of phase 7 about mistakes that appear only when the output is bundled for its platform (contract 4.8). */
export const BUNDLE = {
  BUNDLE_IMPORT_UNRESOLVED: row<{ specifier: string; chain: string }>({
    severity: "error",
    section: SECTION,
    title: "An import leads to nothing in the output or its packages",
    message: ({ specifier, chain }) => `Import ${quote(specifier)} leads to nothing${chain}`,
    hint: () =>
      "Import what the package's own exports name, and list packages in build.dependencies",
  }),
  BUNDLE_EXPORT_MISSING: row<{ name: string; module: string; nearest: string | null }>({
    severity: "error",
    section: SECTION,
    title: "A named import is not exported by its module",
    message: ({ name, module }) => `${quote(module)} has no export ${quote(name)}`,
    hint: didYouMean,
  }),
  BUNDLE_MEMBER_MISSING: row<{ name: string; module: string; nearest: string | null }>({
    severity: "warning",
    section: SECTION,
    title: "A member of a namespace import is not exported by its module",
    message: ({ name, module }) =>
      `${quote(module)} has no export ${quote(name)}, so it is always undefined`,
    hint: didYouMean,
  }),
  BUNDLE_HOST_MODULE: row<{ specifier: string; chain: string; target: string }>({
    severity: "error",
    section: SECTION,
    title: "Code imports a module that the platform of the project cannot run",
    message: ({ specifier, chain, target }) =>
      `Module ${quote(specifier)} does not run on ${target}${chain}`,
    hint: () => "Leave it out, or choose another providers.runtime",
  }),
  BUNDLE_HOST_MEMBER: row<{ member: string; target: string }>({
    severity: "error",
    section: SECTION,
    title: "Code uses what the platform of the project does not have",
    message: ({ member, target }) => `${quote(member)} does not run on ${target}`,
    hint: () => "Leave it out, or choose another providers.runtime",
  }),
  BUNDLE_NATIVE_ADDON: row<{ specifier: string; chain: string; target: string }>({
    severity: "error",
    section: SECTION,
    title: "Code imports a native addon",
    message: ({ specifier, chain, target }) =>
      `Native addon ${quote(specifier)} does not run on ${target}${chain}`,
    hint: () => "Use a package that is written in JavaScript or WebAssembly",
  }),
  BUNDLE_NOT_CODE: row<{ specifier: string }>({
    severity: "error",
    section: SECTION,
    title: "An import leads to a file that is no module",
    message: ({ specifier }) => `File ${quote(specifier)} cannot be imported: it is no module`,
    hint: () => "Write its content into a .ts file that exports it",
  }),
  BUNDLE_REQUIRE: row<{ specifier: string }>({
    severity: "error",
    section: SECTION,
    title: "Code loads a module in a way that modules do not have",
    message: ({ specifier }) => `require(${quote(specifier)}) does not exist in a module`,
    hint: () => "Write an import statement",
  }),
  BUNDLE_INVALID: row<{ problem: string }>({
    severity: "error",
    section: SECTION,
    title: "Code cannot be bundled",
    message: ({ problem }) => problem,
  }),
  BUNDLE_TOO_LARGE: row<{ target: string; size: string; limit: string }>({
    severity: "error",
    section: SECTION,
    title: "The bundle is larger than its platform takes",
    message: ({ target, size, limit }) =>
      `The bundle has ${size} compressed, ${target} takes at most ${limit}`,
    hint: () => "Import less: large texts and data belong into tables or files",
  }),
  BUNDLE_NEEDS_LARGER_PLAN: row<{ target: string; size: string; limit: string }>({
    severity: "warning",
    section: SECTION,
    title: "The bundle is larger than the platform's free plan takes",
    message: ({ target, size, limit }) =>
      `The bundle has ${size} compressed, the free plan of ${target} takes at most ${limit}`,
    hint: () => "Import less, or deploy it with a paid plan",
  }),
} as const;

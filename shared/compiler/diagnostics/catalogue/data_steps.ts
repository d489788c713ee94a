/** Lists the codes of phases 3 and 5 about steps of migrations that change rows (definitions 1, `migrations/`). */
import { didYouMean, quote } from "../wording.ts";
import { row } from "../diagnostic.ts";

const SECTION = "definitions 1";

export const DATA_STEPS = {
  DATA_STEP_NAME: row<{ file: string }>({
    severity: "error",
    section: SECTION,
    title: "The file name of a data step does not say which migration it follows",
    message: ({ file }) => `Data step ${quote(file)} names no migration to follow`,
    hint: () =>
      "Begin with the migration's number and go on in words: 0003_fill-names.sql runs after migration 0003",
  }),
  DATA_STEP_BEYOND: row<{ file: string; newest: string | null }>({
    severity: "error",
    section: SECTION,
    title: "A data step follows a migration that there is not",
    message: ({ file, newest }) =>
      newest === null
        ? `Data step ${quote(file)} follows a migration, and there is none`
        : `Data step ${quote(file)} follows a migration that there is not: the newest is ${newest}`,
    hint: ({ newest }) =>
      newest === null
        ? null
        : `Begin the file's name with ${newest}_, or compile into the folder that has the earlier migrations`,
  }),
  DATA_STEP_LATE: row<{ file: string; newest: string }>({
    severity: "error",
    section: SECTION,
    title: "A new data step stands before migrations that databases may have",
    message: ({ file, newest }) =>
      `Data step ${quote(file)} is new, and earlier compiles have made migrations up to ${newest}`,
    hint: ({ newest }) =>
      `Begin the file's name with ${newest}_: databases that have later migrations would not run it`,
  }),
  DATA_STEP_LEFT_OUT: row<{ file: string; newest: string | null }>({
    severity: "warning",
    section: SECTION,
    title: "A data step has no place among the migrations of a database that begins empty",
    message: ({ file, newest }) =>
      `Data step ${quote(file)} does not run here: the newest migration of this history is ${
        newest ?? "none"
      }`,
    hint: ({ newest }) =>
      `${
        newest === null ? "" : `Begin its name with ${newest}_ where that is the next release; `
      }to have the history of ` +
      "production here, keep the output's quickback/drizzle/ in the project's quickback/ folder",
  }),
  DATA_STEP_EDITED: row<{ file: string; isGone: boolean }>({
    severity: "error",
    section: SECTION,
    title: "A data step of an earlier compile was edited or removed",
    message: ({ file, isGone }) =>
      `Data step ${quote(file)} was ${isGone ? "removed" : "edited"} after an earlier compile`,
    hint: () =>
      "A database has run it, or may have: bring it back as it was, and put the change into a new step; where none has, bring " +
      "the output's quickback/drizzle/features back as it was before that compile",
  }),
  DATA_STEP_SQL: row<{ problem: string }>({
    severity: "error",
    section: SECTION,
    title: "A data step holds SQL that it may not",
    message: ({ problem }) => problem,
    hint: () =>
      "Write INSERT, UPDATE and DELETE, each ended by a semicolon: the migration makes the tables, and is the transaction",
  }),
  DATA_STEP_TABLE: row<{ table: string; nearest: string | null }>({
    severity: "error",
    section: SECTION,
    title: "A data step names a table that there is not",
    message: ({ table }) => `There is no table ${quote(table)} after this migration`,
    hint: didYouMean,
  }),
  DATA_STEP_SERVICE_TABLE: row<{ table: string }>({
    severity: "error",
    section: SECTION,
    title: "A data step writes a table of the service",
    message: ({ table }) => `Table ${quote(table)} is the service's own`,
    hint: () => "Read it where rows need it, and write the project's tables",
  }),
  DATA_STEP_HOMES: row<{ directory: string | null; tenant: string | null }>({
    severity: "error",
    section: SECTION,
    title: "A data step names tables of two databases, or none, where each organization has one",
    message: ({ directory, tenant }) =>
      directory === null || tenant === null
        ? "This data step names no table of the project, so that nothing says in which databases it runs"
        : `${quote(directory)} is in the database of all, ${
          quote(tenant)
        } in that of each organization`,
    hint: () => "Write one step for each of the two",
  }),
  DATA_STEP_CODE: row<{ construct: string }>({
    severity: "error",
    section: SECTION,
    title: "A data step in TypeScript reaches outside of its database",
    message: ({ construct }) => `A data step may not use ${construct}`,
    hint: () =>
      'It gets a database, and imports nothing but "drizzle-orm": its changes are part of a transaction, which may be undone',
  }),
  DATA_STEP_EXPORT: row<{ file: string }>({
    severity: "error",
    section: SECTION,
    title: "A data step in TypeScript exports no function",
    message: ({ file }) => `Data step ${quote(file)} has no function as its default export`,
    hint: () => "Write: export default async ({ db }) => { … };",
  }),
} as const;

/**
 * Types that generated declarations of a project fill in, for its handlers and for its editor. Before they exist, rows have an
 * unknown shape.
 */
import type { Register, Registered } from "../definition_language/register.ts";

export type { Register };

export type UnknownRow = Readonly<Record<string, unknown>>;

/** Every table as drizzle sees it, under its name in `db.query`. */
export type ProjectSchema = Registered<"schema", Record<string, never>>;

/** Every table under its author's name. */
export type ProjectTables = Registered<"tables", Readonly<Record<never, never>>>;

/** Services of `services/*.ts`, by file name. */
export type ProjectServices = Registered<"services", Readonly<Record<string, unknown>>>;

/** Definitions of `jobs/*.ts`, by file name. */
export type RegisteredJobs = Registered<"jobs", Readonly<Record<string, unknown>>>;

/** `<binding>.<variant>` of every `invalidates`. */
export type ProjectSignals = Registered<"signals", Readonly<Record<string, never>>>;

/** The row of a drizzle table. */
export type RowOf<Table> = Table extends { readonly $inferSelect: infer Row } ? Row : UnknownRow;

/** The row of the table of this name. */
export type RowOfTable<Name> = Name extends keyof ProjectTables ? RowOf<ProjectTables[Name]>
  : UnknownRow;

/** The definition of every action, by its key. */
export type ProjectActions = Registered<"actions", Readonly<Record<string, unknown>>>;

/** The table of every action that binds a record, by the action's description. */
type ProjectRecords = Registered<"records", Readonly<Record<never, never>>>;

/**
 * The row that an action binds, found by the action's description, because its file names no table. If the action is described
 * only by a doc comment, its columns have unknown types.
 */
export type RowOfAction<Description> = Description extends keyof ProjectRecords
  ? RowOf<ProjectRecords[Description]>
  : UnknownRow;

/** Events that the project lists. Any other may be emitted too. */
export type EventName = Registered<"events", never> | (string & Record<never, never>);

/**
 * Interface that a generated project merges with the types of its tables and services, for its own handlers. Before anything
 * is generated, rows are of unknown shape.
 */

/** Filled in by generated code (`declare module`): `schema`, `tables`, `services`, `signals`. */
export interface Register {
  /** For the type checker only: nothing stands there. */
  readonly registered?: true;
}

type Registered<Key extends string, Fallback> = Register extends { readonly [K in Key]: infer Told }
  ? Told
  : Fallback;

export type UnknownRow = Readonly<Record<string, unknown>>;

/** Every table as drizzle sees it, by the names that `db.query` knows. */
export type ProjectSchema = Registered<"schema", Record<string, never>>;

/** Every table by the name that its author gave it. */
export type ProjectTables = Registered<"tables", Readonly<Record<string, never>>>;

/** Services of `services/*.ts`, by file name. */
export type ProjectServices = Registered<"services", Readonly<Record<string, unknown>>>;

/** `<binding>.<variant>` of every `invalidates`. */
export type ProjectSignals = Registered<"signals", Readonly<Record<string, never>>>;

/** The row of a drizzle table. */
export type RowOf<Table> = Table extends { readonly $inferSelect: infer Row } ? Row : UnknownRow;

/** The row of the table of this name. */
export type RowOfTable<Name> = Name extends keyof ProjectTables ? RowOf<ProjectTables[Name]>
  : UnknownRow;

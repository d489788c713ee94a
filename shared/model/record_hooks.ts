/** Types of the author's code around the writes of a table's records (definitions 6, hooks). */

/** Names of hooks in the order in which they may run. */
export const RECORD_HOOKS = [
  "beforeCreate",
  "beforeUpdate",
  "beforeDelete",
  "afterCreate",
  "afterUpdate",
  "afterDelete",
] as const;

export type RecordHookName = typeof RECORD_HOOKS[number];

/** Kind of change to an existing record: of its fields, by a restore, of a file, or of its state by the service. */
export type RecordHookOperation = "update" | "restore" | "file" | "transition";

/** Model of `features/<feature>/hooks/<table>.ts`. */
export interface RecordHooksModel {
  readonly table: string;
  readonly module: string;
  /** Hooks in the order of `RECORD_HOOKS`. */
  readonly hooks: readonly RecordHookName[];
  /** True when the code may write by `db.records`, whose refusals then count as the code's own. Absent otherwise. */
  readonly writesRecords?: true;
}

/** Mark on errors of `db.records`, by which authors' code recognizes them, as with other errors. */
export const RECORD_ERROR: unique symbol = Symbol.for("quickback.RecordError");

/** Code of the author around the writes of a table's records (definitions 6, hooks). */

/** In the order in which they may run. */
export const RECORD_HOOKS = [
  "beforeCreate",
  "beforeUpdate",
  "beforeDelete",
  "afterCreate",
  "afterUpdate",
  "afterDelete",
] as const;

export type RecordHookName = typeof RECORD_HOOKS[number];

/** Kind of a change of a record that stands: of its fields, by a restore, of a file, or of its state by the service. */
export type RecordHookOperation = "update" | "restore" | "file" | "transition";

/** `features/<feature>/hooks/<table>.ts`. */
export interface RecordHooksModel {
  readonly table: string;
  readonly module: string;
  /** In the order of `RECORD_HOOKS`. */
  readonly hooks: readonly RecordHookName[];
  /** The code may write by `db.records`, whose refusals are then its own. Absent if it does not. */
  readonly writesRecords?: true;
}

/** Mark of what `db.records` throws; a mark, as those of other errors that authors know. */
export const RECORD_ERROR: unique symbol = Symbol.for("quickback.RecordError");

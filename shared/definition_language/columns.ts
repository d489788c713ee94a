/** Options of columns and tables, in `q` notation and in drizzle's (definitions 3). */
import { boolean, integer, object, oneOf, required, ruled } from "./shape.ts";

const members = ruled<readonly string[]>("a list of texts");

/** Options of `q.text({ … })`. */
export const TEXT_OPTIONS = object({
  /** Most characters (code points) of a value. */
  maxLength: integer(1),
  /** The closed set of its values. */
  enum: members,
});

/** Options of `q.url({ … })`. */
export const URL_OPTIONS = object({
  /** Most characters (code points) of a value. */
  maxLength: integer(1),
});

/** Second argument of `.references(() => other.id, { … })`. */
export const REFERENCE_OPTIONS = object({
  /** Fate of a row whose target is deleted. */
  onDelete: oneOf(["cascade", "set null", "restrict", "no action"]),
  /** Of drizzle's notation; ids do not change. */
  onUpdate: ruled<string>("anything"),
});

/** Options of a table without routes: `q.table(name, columns, { … })`, `defineTable(table, { … })`. */
export const TABLE_OPTIONS = object({
  /** Its rows are everybody's, in a project with organizations too. */
  exception: required(oneOf([true])),
});

/** Options of drizzle's `text()`. */
export const DRIZZLE_TEXT_OPTIONS = object({
  /** The closed set of its values. */
  enum: members,
  /** Most characters of a value. */
  length: integer(1),
  /** `json`: the column holds any JSON value. */
  mode: oneOf(["text", "json"]),
});

/** Options of drizzle's `integer()`. */
export const DRIZZLE_INTEGER_OPTIONS = object({
  /** Type of the column in the API. */
  mode: oneOf(["number", "boolean", "timestamp", "timestamp_ms"]),
});

/** Options of drizzle's `.primaryKey()`. */
export const DRIZZLE_KEY_OPTIONS = object({
  /** Keys count up, as they do anyway. */
  autoIncrement: boolean,
});

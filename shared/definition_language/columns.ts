/** Options of columns and tables, in `q` notation and in drizzle's (definitions 3). */
import { DECIMAL_PRECISION_MAX, FILE_SIZE_MAX, FILES_MAX } from "../contract/mod.ts";
import { RANDOM_LENGTH, SEQUENCE_START_MAX } from "../contract/mod.ts";
import * as s from "./shape.ts";

const members = s.ruled<readonly string[]>("a list of texts");

/** Options of `q.text({ … })`. */
export const TEXT_OPTIONS = s.object({
  /** Most characters (code points) of a value. */
  maxLength: s.integer(1),
  /** Fewest characters that a write may say. */
  minLength: s.integer(1),
  /** Regular expression that a write must meet: as in JSON Schema, unanchored, with the flag `u`. */
  pattern: s.text,
  /** Texts that meet the pattern, at least one: for examples, demos and proofs. */
  examples: members,
  /** The closed set of its values. */
  enum: members,
});

/** Options of `q.int({ … })`. */
export const INT_OPTIONS = s.object({
  /** Least value that a write may say. */
  min: s.integer(Number.MIN_SAFE_INTEGER),
  /** Greatest value that a write may say. */
  max: s.integer(Number.MIN_SAFE_INTEGER),
});

/** Options of `q.real({ … })`. */
export const REAL_OPTIONS = s.object({
  /** Least value that a write may say. */
  min: s.ruled<number>("a number"),
  /** Greatest value that a write may say. */
  max: s.ruled<number>("a number"),
});

/** Options of `q.decimal({ … })`. */
export const DECIMAL_OPTIONS = s.object({
  /** Digits in all. */
  precision: s.required(s.integer(1, DECIMAL_PRECISION_MAX)),
  /** Digits behind the point, at most the precision. */
  scale: s.required(s.integer(0, DECIMAL_PRECISION_MAX)),
  /** Least value that a write may say. */
  min: s.ruled<string>('a decimal as a string, such as `"0.01"`'),
  /** Greatest value that a write may say. */
  max: s.ruled<string>('a decimal as a string, such as `"99.99"`'),
});

/** Options of `q.timestamp({ … })`. */
export const TIMESTAMP_OPTIONS = s.object({
  /** First instant that a write may say. */
  min: s.ruled<string>("an ISO 8601 date-time with a time zone"),
  /** Last instant that a write may say. */
  max: s.ruled<string>("an ISO 8601 date-time with a time zone"),
});

/** Options of `q.date({ … })`. */
export const DATE_OPTIONS = s.object({
  /** First day that a write may say. */
  min: s.ruled<string>("a day, `YYYY-MM-DD`"),
  /** Last day that a write may say. */
  max: s.ruled<string>("a day, `YYYY-MM-DD`"),
});

/** Options of `q.file({ … })`. */
export const FILE_OPTIONS = s.object({
  /** Most bytes of a file; 10 MiB unless it says otherwise. */
  maxSize: s.integer(1, FILE_SIZE_MAX),
  /** Media types without parameters, or `image/*`; without them any type is taken, and none is shown in place. */
  types: s.ruled<readonly string[]>("a list of media types"),
  /** It holds a list of files, empty at first. */
  multiple: s.boolean,
  /** Most files that such a list may hold; 20 unless it says otherwise. */
  maxItems: s.integer(1, FILES_MAX),
});

/** Options of `q.list(of, { … })`. */
export const LIST_OPTIONS = s.object({
  /** Most values that it may hold. */
  maxItems: s.integer(1, 1000),
});

/** Options of `q.vector({ … })`. */
export const VECTOR_OPTIONS = s.object({
  /** How many numbers each value has. */
  dimensions: s.required(s.integer(1, 4096)),
  /** Measure of how far two values are apart: the angle between them, or the straight line. */
  metric: s.oneOf(["cosine", "euclidean"]),
  /** Columns of text that the embeddings service makes it from; without it, clients write it. */
  from: s.words("columns"),
});

/** Options of `q.url({ … })`. */
export const URL_OPTIONS = s.object({
  /** Most characters (code points) of a value. */
  maxLength: s.integer(1),
});

/** Argument of `.default({ … })`: the service makes a value for each new row. Either `random` or `sequence`. */
export const MADE_DEFAULT = s.object({
  /** So many characters of `A-Z`, `a-z`, `0-9`, `-` and `_`, drawn at random: for texts. */
  random: s.integer(RANDOM_LENGTH.min, RANDOM_LENGTH.max),
  /** The next number: of a text its form, such as `"WO-{0000}"`, in which the zeros are the fewest digits; `true` for `q.int()`. */
  sequence: s.ruled<string | true>('a text such as `"WO-{0000}"`, or `true`'),
  /** The first number of a sequence; 1 unless it says otherwise. */
  start: s.integer(0, SEQUENCE_START_MAX),
  /** Rows that a sequence counts together: those of one organization, or all; `organization` unless it says otherwise. */
  per: s.oneOf(["organization", "table"]),
});

/** Second argument of `q.rollup("table.foreignKey", { … })`: one of them. */
export const ROLLUP = s.object({
  /** How many children there are. */
  count: s.oneOf([true]),
  /** Sum of a column of theirs; 0 without one. */
  sum: s.word("a column"),
  /** Least value; null without one. */
  min: s.word("a column"),
  /** Greatest value; null without one. */
  max: s.word("a column"),
});

/** Third argument of `q.rollup("table.foreignKey", { … }, { … })`. */
export const ROLLUP_OPTIONS = s.object({
  /** Literals that columns of a child must have, to count. */
  where: s.ruled<Readonly<Record<string, unknown>>>("conditions on columns of the children"),
});

/** Second argument of `.references(() => other.id, { … })`. */
export const REFERENCE_OPTIONS = s.object({
  /** Fate of a row whose target is deleted. */
  onDelete: s.oneOf(["cascade", "set null", "restrict", "no action"]),
  /** Of drizzle's notation; ids do not change. */
  onUpdate: s.ruled<string>("anything"),
});

/** Options of a table without routes: `q.table(name, columns, { … })`, `defineTable(table, { … })`. */
export const TABLE_OPTIONS = s.object({
  /** Its rows are everybody's, in a project with organizations too. */
  exception: s.required(s.oneOf([true])),
});

/** Options of drizzle's `text()`. */
export const DRIZZLE_TEXT_OPTIONS = s.object({
  /** The closed set of its values. */
  enum: members,
  /** Most characters of a value. */
  length: s.integer(1),
  /** `json`: the column holds any JSON value. */
  mode: s.oneOf(["text", "json"]),
});

/** Options of drizzle's `integer()`. */
export const DRIZZLE_INTEGER_OPTIONS = s.object({
  /** Type of the column in the API. */
  mode: s.oneOf(["number", "boolean", "timestamp", "timestamp_ms"]),
});

/** Options of drizzle's `.primaryKey()`. */
export const DRIZZLE_KEY_OPTIONS = s.object({
  /** Keys count up, as they do anyway. */
  autoIncrement: s.boolean,
});

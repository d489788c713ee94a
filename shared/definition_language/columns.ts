/** Options of columns and tables, in `q` notation and in drizzle's (definitions 3). */
import { DECIMAL_PRECISION_MAX, FILE_SIZE_MAX, FILES_MAX } from "../contract/mod.ts";
import { RANDOM_LENGTH, SEQUENCE_START_MAX } from "../contract/mod.ts";
import * as s from "./shape.ts";

const members = s.ruled<readonly string[]>("a list of texts");

/** Options of `q.text({ … })`. */
export const TEXT_OPTIONS = s.object({
  /** Most characters (code points) of a value. */
  maxLength: s.integer(1),
  /** Fewest characters of a value that a request writes. */
  minLength: s.integer(1),
  /** Regular expression for values that a request writes: as in JSON Schema, unanchored, with the flag `u`. */
  pattern: s.text,
  /** Texts that match the pattern, at least one. Examples, demos and proofs use them. */
  examples: members,
  /** The fixed set of its values. */
  enum: members,
});

/** Options of `q.int({ … })`. */
export const INT_OPTIONS = s.object({
  /** Least value that a request may write. */
  min: s.integer(Number.MIN_SAFE_INTEGER),
  /** Greatest value that a request may write. */
  max: s.integer(Number.MIN_SAFE_INTEGER),
});

/** Options of `q.real({ … })`. */
export const REAL_OPTIONS = s.object({
  /** Least value that a request may write. */
  min: s.ruled<number>("a number"),
  /** Greatest value that a request may write. */
  max: s.ruled<number>("a number"),
});

/** Options of `q.decimal({ … })`. */
export const DECIMAL_OPTIONS = s.object({
  /** Number of digits. */
  precision: s.required(s.integer(1, DECIMAL_PRECISION_MAX)),
  /** Number of digits behind the point, at most `precision`. */
  scale: s.required(s.integer(0, DECIMAL_PRECISION_MAX)),
  /** Least value that a request may write. */
  min: s.ruled<string>('a decimal as a string, such as `"0.01"`'),
  /** Greatest value that a request may write. */
  max: s.ruled<string>('a decimal as a string, such as `"99.99"`'),
});

/** Options of `q.timestamp({ … })`. */
export const TIMESTAMP_OPTIONS = s.object({
  /** First instant that a request may write. */
  min: s.ruled<string>("an ISO 8601 date-time with a time zone"),
  /** Last instant that a request may write. */
  max: s.ruled<string>("an ISO 8601 date-time with a time zone"),
});

/** Options of `q.date({ … })`. */
export const DATE_OPTIONS = s.object({
  /** First date that a request may write. */
  min: s.ruled<string>("a day, `YYYY-MM-DD`"),
  /** Last date that a request may write. */
  max: s.ruled<string>("a day, `YYYY-MM-DD`"),
});

/** Options of `q.file({ … })`. */
export const FILE_OPTIONS = s.object({
  /** Largest file in bytes. Default: 10 MiB. */
  maxSize: s.integer(1, FILE_SIZE_MAX),
  /**
   * Accepted media types without parameters, or `image/*`. Default: any type is accepted, and files are only served as
   * downloads.
   */
  types: s.ruled<readonly string[]>("a list of media types"),
  /** The column holds a list of files, which is empty at first. */
  multiple: s.boolean,
  /** Most files in the list. Default: 20. */
  maxItems: s.integer(1, FILES_MAX),
});

/** Options of `q.list(of, { … })`. */
export const LIST_OPTIONS = s.object({
  /** Most values in the list. */
  maxItems: s.integer(1, 1000),
});

/** Options of `q.vector({ … })`. */
export const VECTOR_OPTIONS = s.object({
  /** Number of numbers in a value. */
  dimensions: s.required(s.integer(1, 4096)),
  /** Measure of distance: the angle between two vectors (`cosine`), or the straight line (`euclidean`). */
  metric: s.oneOf(["cosine", "euclidean"]),
  /** Text columns from which the embeddings service makes the vector. Default: clients write it. */
  from: s.words("columns"),
});

/** Options of `q.account({ … })`. */
export const ACCOUNT_OPTIONS = s.object({
  /** Rows that name a member who goes: they keep the id (`keep`, the default), the member (`restrict`), or lose the id. */
  onMemberRemoved: s.oneOf(["keep", "restrict", "setNull"]),
});

/** Options of `q.url({ … })`. */
export const URL_OPTIONS = s.object({
  /** Most characters (code points) of a value. */
  maxLength: s.integer(1),
});

/** Argument of `.default({ … })`: the service makes a value for each new row. Use either `random` or `sequence`. */
export const MADE_DEFAULT = s.object({
  /** Number of random characters (`A-Z`, `a-z`, `0-9`, `-` and `_`), for texts. */
  random: s.integer(RANDOM_LENGTH.min, RANDOM_LENGTH.max),
  /** The next number. A text has a form such as `"WO-{0000}"`, whose zeros are the fewest digits; `q.int()` has `true`. */
  sequence: s.ruled<string | true>('a text such as `"WO-{0000}"`, or `true`'),
  /** The first number of a sequence. Default: 1. */
  start: s.integer(0, SEQUENCE_START_MAX),
  /** Rows that share a counter: those of one `organization`, or the whole `table`. Default: `organization`. */
  per: s.oneOf(["organization", "table"]),
});

/** Second argument of `q.rollup("table.foreignKey", { … })`: exactly one of these. */
export const ROLLUP = s.object({
  /** Number of children. */
  count: s.oneOf([true]),
  /** Sum of a column of the children; 0 without children. */
  sum: s.word("a column"),
  /** Least value of a column; null without children. */
  min: s.word("a column"),
  /** Greatest value of a column; null without children. */
  max: s.word("a column"),
});

/** Third argument of `q.rollup("table.foreignKey", { … }, { … })`. */
export const ROLLUP_OPTIONS = s.object({
  /** Literals that a child's columns must have for the child to count. */
  where: s.ruled<Readonly<Record<string, unknown>>>("conditions on columns of the children"),
});

/** Second argument of `.references(() => other.id, { … })`. */
export const REFERENCE_OPTIONS = s.object({
  /** Treatment of a row whose target is deleted. */
  onDelete: s.oneOf(["cascade", "set null", "restrict", "no action"]),
  /** Accepted in drizzle's notation. It has no effect, because ids do not change. */
  onUpdate: s.ruled<string>("anything"),
});

/** Options of a table without routes: `q.table(name, columns, { … })`, `defineTable(table, { … })`. */
export const TABLE_OPTIONS = s.object({
  /** Rows are visible to everybody, also in a project with organizations. */
  exception: s.required(s.oneOf([true])),
});

/** Options of drizzle's `text()`. */
export const DRIZZLE_TEXT_OPTIONS = s.object({
  /** The fixed set of its values. */
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
  /** Accepted. Integer keys always count up. */
  autoIncrement: s.boolean,
});

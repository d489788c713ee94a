/** The record of a column type. All that the service knows of a type is in one file of this folder (definitions 3). */
import type { z } from "zod";
import type { IdStrategy, JsonSchema, JsonValue, Scalar } from "../contract/mod.ts";

/** A value as SQLite stores it: booleans are 0 and 1, timestamps normalised, JSON its text, whole numbers beyond 53 bits bigints. */
export type StoredValue = string | number | bigint | null;

/**
 * The facts about one type. `Type` is its form in the model, `Author` the TypeScript type of its values in definitions and
 * handlers.
 */
export interface ColumnTypeRecord<Type extends { readonly kind: string }, Author = unknown> {
  /** Exists for the type checker only. */
  readonly author?: Author;
  /** The type that the builder declares without arguments; null: the builder needs arguments, which the compiler reads. */
  readonly plain: Type | null;
  /** Other names of the builder. */
  readonly aliases: readonly string[];
  /** Writer of columns of this type (contract 2.2). */
  readonly manager: "client" | "id" | "scope" | "revision";
  /** Returns the storage of a column. Scalars share a few objects, so that no row costs an allocation. */
  storage(ids: IdRule, type: Type): Storage;
  readonly rules: TypeRules;
  /**
   * Returns SQL that is true for stored values of the type, and false for the values that another tool may have stored. It
   * checks only what each read can afford. Null: the SQL type admits no other value, or the value is checked elsewhere.
   */
  fitsSql(cell: string, type: Type): string | null;
  /**
   * Returns the values of a column. It is called once per column: a counted id holds integers, a text with an `enum` one of its
   * values.
   */
  values(type: Type, ids: IdRule): ValueType;
}

/** Form of the ids of a table. */
export interface IdRule {
  readonly idStrategy: IdStrategy;
  readonly idPrefix: string;
}

/** Uses of a column of the type that definitions may make (definitions 3 to 5). */
export interface TypeRules {
  /** True when `search` and partial masks work on it. */
  readonly isText: boolean;
  /** True when a well-known column name masks it automatically (definitions 4.4). */
  readonly isSensitive: boolean;
  /**
   * True for lists and objects. They cannot be sorted, compared in conditions or used as labels, and a merge patch merges them.
   */
  readonly isStructured: boolean;
  /** True for a list. Filters can only ask whether it is set, and lists cannot be sorted by it. */
  readonly isList: boolean;
  /** True when records contain it only if `fields` names it. */
  readonly isAsked: boolean;
  /** True for a file. Its bytes have a route of their own, and write bodies can only set it to null. */
  readonly isFile: boolean;
  /** True when conditions may use less and greater. */
  readonly isOrdered: boolean;
  /** True for an instant, as `defaultNow`, transition stamps and soft deletion write it. */
  readonly isInstant: boolean;
  /** True when the value begins with its date, so that views can group it by day, week and month. */
  readonly hasDay: boolean;
  /** True when it holds ids of users, organizations or teams, which conditions compare with values of `ctx`. */
  readonly holdsIds: boolean;
  /** Type of keys in other tables that it can refer to. In drizzle's notation it is also the type of its own primary key. */
  readonly key: "text" | "int" | null;
  /** Aggregations besides `count`. */
  readonly aggregates: readonly ("sum" | "avg" | "min" | "max")[];
}

/** The type's form in SQLite, and the conversions between SQLite and JSON. */
export interface Storage {
  readonly sql: "text" | "integer" | "real";
  /** Type in `CREATE TABLE`; null: the same as `sql`. */
  readonly declared: `F32_BLOB(${number})` | null;
  /** Returns SQL that reads a cell's stored form. */
  read(cell: string): string;
  /** Returns SQL of the value to put into a cell, given a placeholder for its stored form. */
  write(place: string): string;
  /** Mode of drizzle's column builder. */
  readonly mode: "boolean" | "json" | "decimal" | null;
  /** Digits of a number that is stored without its point, of which `scale` are behind it; null for any other value. */
  readonly decimal: { readonly precision: number; readonly scale: number } | null;
  /** Default of every column of the type without a default of its own; null: none. */
  readonly default: number | null;
  /** Returns the argument of `json_object` for a cell; null: SQL cannot express it exactly. */
  jsonSql(cell: string): string | null;
  /** Converts a JSON value to stored form; undefined: it is no value of the type. */
  store(value: unknown): string | number | bigint | undefined;
  /**
   * Converts a condition's literal to stored form; undefined: no value of the column equals it. Only values of the same type
   * are compared, so that SQLite's type affinity has no effect on rules.
   */
  operand(value: Exclude<Scalar, null>): string | number | bigint | undefined;
  restore(value: string | number | bigint): JsonValue;
  /** Returns a stored value as JSON text. */
  jsonText(value: string | number | bigint): string;
  /**
   * Conversion for handlers, which write and compare values in another form (definitions 5); null: they use the stored value.
   */
  readonly handler: HandlerForm | null;
}

export interface HandlerForm {
  readonly wanted: string;
  /** Converts a value of drizzle's builder to stored form; null: the value is refused. */
  encode(value: unknown): StoredValue;
  /** Converts any value that a statement binds; null: it is refused. */
  bound<Bound>(value: Bound): Bound | StoredValue;
  /**
   * Converts a stored value to what drizzle's builder returns. Absent: the value as it is, or as the column's mode converts it.
   */
  decode?(value: unknown): unknown;
}

/** The values of one column: in JSON, in URLs, in conditions, and in examples and proofs. */
export interface ValueType {
  /** Schema within a record. */
  readonly schema: JsonSchema;
  readonly words: string;
  /** Most code points; null: there is no limit, or it is no text. */
  readonly maxLength: number | null;
  /** The author's pattern for writes, with texts that match it; null: none. */
  readonly pattern: { readonly source: string; readonly examples: readonly string[] } | null;
  /** Texts of a fixed set; null: there is no such set. */
  readonly enum: readonly string[] | null;
  /** All values, if they can be listed; null otherwise. */
  readonly choices: readonly JsonValue[] | null;
  /**
   * Returns the schema within a write body, for a value that is present and not null. What zod cannot express in JSON Schema is
   * in `meta`, beside its check.
   */
  body(): z.ZodType;
  /** Returns the schema of a column that may be null. */
  nullableBody(): z.ZodType;

  /** Schema of a filter's value. */
  readonly querySchema: JsonSchema;
  /** Schema of one JSON text in the list of `.in`; null: the text of a value is not JSON. */
  readonly jsonItem: JsonSchema | null;
  /** True when `like` can search in it. */
  readonly hasText: boolean;
  /** True when it holds words, which `ilike` compares without case. Dates and JSON are not words. */
  readonly hasCase: boolean;
  /** Converts a filter's text, which has no NUL, to stored form (contract 4.3); undefined: it is no value of the column. */
  read(text: string): string | number | bigint | undefined;
  /** The accepted form, as words after "needs". */
  readonly expected: string;

  /** Returns the expected form for an unsuitable literal in a definition; null: the literal is suitable. */
  mismatch(value: Exclude<JsonValue, null>): string | null;
  /** Converts a suitable literal to its canonical spelling in the model. */
  normal<Literal extends JsonValue>(value: Literal): Literal | string;

  /** Makes an example. `text` is used where any text is valid. */
  example(text: string): JsonValue;
  /** Makes a value. Different numbers give different values if the type has enough of them. */
  sample(of: {
    readonly text: string;
    readonly number: number;
    /** Milliseconds since the epoch. */
    readonly now: number;
  }): JsonValue;
  /** Returns the values right before and after a value. */
  neighbours(value: JsonValue): readonly JsonValue[];
  /**
   * Returns two values that differ in length, order and content. The first ascends with the number, the second descends; null:
   * there are none.
   */
  twins(number: number): readonly [one: JsonValue, other: JsonValue] | null;
}

/** Returns zod messages that report a missing value and null before a wrong type. */
export function typed(message: string): (issue: { readonly input?: unknown }) => string {
  return ({ input }) => {
    if (input === undefined) return "Required";
    return input === null ? "Must not be null" : message;
  };
}

/** Rules of a value that is compared as a whole. A type overrides what differs. */
export const SCALAR_RULES: TypeRules = {
  isText: false,
  isSensitive: true,
  isStructured: false,
  isList: false,
  isAsked: false,
  isFile: false,
  isOrdered: true,
  isInstant: false,
  hasDay: false,
  holdsIds: false,
  key: null,
  aggregates: ["min", "max"],
};

/** Storage of a value that SQLite keeps in its JSON form. */
export const PLAIN_STORAGE = {
  declared: null,
  read: (cell: string) => cell,
  write: (place: string) => place,
  mode: null,
  decimal: null,
  default: null,
  jsonSql: (cell: string) => cell,
  restore: (value: string | number | bigint) => typeof value === "bigint" ? Number(value) : value,
  jsonText: (value: string | number | bigint) =>
    typeof value === "bigint" ? String(value) : JSON.stringify(value),
  handler: null,
} as const;

/** Facts about a value that is no text and has no fixed set. */
export const PLAIN_VALUES = {
  maxLength: null,
  pattern: null,
  enum: null,
  choices: null,
  jsonItem: null,
  nullableBody(this: Pick<ValueType, "body">) {
    return this.body().nullable();
  },
  normal: <Literal>(value: Literal) => value,
  neighbours: () => [],
} as const;

/** The model type of a record. */
export type TypeOf<Record> = Record extends ColumnTypeRecord<infer Type> ? Type : never;

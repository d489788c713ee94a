/** The record of a column type: everything that the service knows of it stands in one file of this folder (definitions 3). */
import type { z } from "zod";
import type { IdStrategy, JsonSchema, JsonValue, Scalar } from "../contract/mod.ts";

/** A value as SQLite stores it: booleans are 0 and 1, timestamps normalised, JSON its text, whole numbers beyond 53 bits bigints. */
export type StoredValue = string | number | bigint | null;

/** `Type` is its form in the model, `Author` the TypeScript type of its values in definitions and handlers. */
export interface ColumnTypeRecord<Type extends { readonly kind: string }, Author = unknown> {
  /** For the type checker only: nothing stands there. */
  readonly author?: Author;
  /** The type that the builder without arguments declares; null: the builder takes some, read by the compiler. */
  readonly plain: Type | null;
  /** Other names of the builder. */
  readonly aliases: readonly string[];
  /** Writer of its columns (contract 2.2). */
  readonly manager: "client" | "id" | "scope" | "revision";
  /** Of scalars one of few objects: nothing is made for a row. */
  storage(ids: IdRule, type: Type): Storage;
  readonly rules: TypeRules;
  /**
   * SQL that is true for every stored value of the type, and false for what another tool may have put there: its form, as far as
   * each read can afford to look. Null: a column of its SQL type holds nothing else, or it is looked at elsewhere.
   */
  fitsSql(cell: string, type: Type): string | null;
  /** Settled once per column: an id that is counted holds integers, a text with an `enum` is one of its values. */
  values(type: Type, ids: IdRule): ValueType;
}

/** The ids of a table. */
export interface IdRule {
  readonly idStrategy: IdStrategy;
  readonly idPrefix: string;
}

/** Uses of a column of the type that definitions may make (definitions 3 to 5). */
export interface TypeRules {
  /** `search` and partial masks work on it. */
  readonly isText: boolean;
  /** A well-known name masks it, although nobody asked (definitions 4.4). */
  readonly isSensitive: boolean;
  /** Lists and objects: no sort, condition or label by it; merged by a merge patch. */
  readonly isStructured: boolean;
  /** Neither filtered nor sorted by, but for whether it is set. */
  readonly isList: boolean;
  /** In a record only where `fields` names it. */
  readonly isAsked: boolean;
  /** Its bytes have a route of their own: bodies carry null alone. */
  readonly isFile: boolean;
  /** Conditions may ask for less or more. */
  readonly isOrdered: boolean;
  /** A moment: what `defaultNow`, transition stamps and soft deletion write. */
  readonly isInstant: boolean;
  /** Begins with its day: views group it by day, week and month. */
  readonly hasDay: boolean;
  /** Holds ids of users, organizations and teams: conditions compare it with values of `ctx`. */
  readonly holdsIds: boolean;
  /** The keys of other tables that it refers to; in drizzle's notation also what its own primary key is made of. */
  readonly key: "text" | "int" | null;
  /** Besides `count`. */
  readonly aggregates: readonly ("sum" | "avg" | "min" | "max")[];
}

/** The type in SQLite, and between SQLite and JSON. */
export interface Storage {
  readonly sql: "text" | "integer" | "real";
  /** Type in `CREATE TABLE`; null: `sql`. */
  readonly declared: `F32_BLOB(${number})` | null;
  /** SQL of a cell's stored form. */
  read(cell: string): string;
  /** SQL of what is put into a cell, from the place of its stored form. */
  write(place: string): string;
  /** Mode of drizzle's builder. */
  readonly mode: "boolean" | "json" | "decimal" | null;
  /** Digits of a number that is stored without its point, `scale` of them behind it; null: any other value. */
  readonly decimal: { readonly precision: number; readonly scale: number } | null;
  /** SQL of every column of the type that says no default. */
  readonly default: number | null;
  /** The member of `json_object` for a cell; null: SQL cannot say it exactly. */
  jsonSql(cell: string): string | null;
  /** A JSON value in stored form; undefined: the type holds no such value. */
  store(value: unknown): string | number | bigint | undefined;
  /**
   * A condition's literal in stored form; undefined: no value of the column equals it. Comparing only like with like keeps
   * SQLite's type affinity out of the rules.
   */
  operand(value: Exclude<Scalar, null>): string | number | bigint | undefined;
  restore(value: string | number | bigint): JsonValue;
  /** The same as JSON text. */
  jsonText(value: string | number | bigint): string;
  /** Form in which handlers write and compare values (definitions 5); null: the value as it is. */
  readonly handler: HandlerForm | null;
}

export interface HandlerForm {
  readonly wanted: string;
  /** A builder's value in stored form; null: refused. */
  encode(value: unknown): StoredValue;
  /** A value that a statement binds, whoever made it; null: refused. */
  bound<Bound>(value: Bound): Bound | StoredValue;
  /** A stored value as builders answer it; absent: as it is, or as their column's mode says. */
  decode?(value: unknown): unknown;
}

interface SampleOf {
  readonly text: string;
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The values of one column: in JSON, in URLs, in conditions, and for examples and proofs. */
export interface ValueType {
  /** Within a record. */
  readonly schema: JsonSchema;
  readonly words: string;
  /** Code points; null: no limit, or no text. */
  readonly maxLength: number | null;
  /** Of an author, for writes, and texts that meet it; null: none. */
  readonly pattern: { readonly source: string; readonly examples: readonly string[] } | null;
  /** Texts of a closed set. */
  readonly enum: readonly string[] | null;
  /** Every value, where they can be counted. */
  readonly choices: readonly JsonValue[] | null;
  /** Within a write body: there, and not null. What zod cannot say in JSON Schema is in `meta`, beside its check. */
  body(): z.ZodType;
  /** The same for a column that may be null. */
  nullableBody(): z.ZodType;

  /** Of a filter's value. */
  readonly querySchema: JsonSchema;
  /** The text is JSON itself: of one among the commas of `.in`; null: any other text. */
  readonly jsonItem: JsonSchema | null;
  /** `like` can look into it. */
  readonly hasText: boolean;
  /** What it holds are words, which `ilike` reads in upper and lower case alike: no dates, no JSON. */
  readonly hasCase: boolean;
  /** A filter's text without NUL in stored form (contract 4.3); undefined: it is no value of the column. */
  read(text: string): string | number | bigint | undefined;
  /** The accepted form, to follow "needs". */
  readonly expected: string;

  /** The form expected instead of a literal in a definition; null: it fits. */
  mismatch(value: Exclude<JsonValue, null>): string | null;
  /** A fitting literal in the one spelling that the model has. */
  normal<Literal extends JsonValue>(value: Literal): Literal | string;

  /** `text` where any text may stand. */
  example(text: string): JsonValue;
  /** A value that fits; unlike that of any other number where the type has room. */
  sample(of: SampleOf): JsonValue;
  /** Values right before and after. */
  neighbours(value: JsonValue): readonly JsonValue[];
  /** Two values unlike in length, order and content, ascending by number in the one and descending in the other; null: there are none. */
  twins(number: number): readonly [one: JsonValue, other: JsonValue] | null;
}

/** Missing and null are said before the type is. */
export function typed(message: string): (issue: { readonly input?: unknown }) => string {
  return ({ input }) => {
    if (input === undefined) return "Required";
    return input === null ? "Must not be null" : message;
  };
}

/** Rules of a value that is compared as a whole; a type says what differs. */
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

/** Of a value that SQLite stores as it is in JSON. */
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

/** Of a value that is no text and of no closed set. */
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

/** The type that a record is of. */
export type TypeOf<Record> = Record extends ColumnTypeRecord<infer Type> ? Type : never;

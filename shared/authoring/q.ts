/** `q`: one builder per column type, and tables without routes (definitions 3). */
import type { AuthorOf, ColumnType } from "../column_types/mod.ts";
import type { ScopeKind } from "../contract/mod.ts";
import type {
  ACCOUNT_OPTIONS,
  DATE_OPTIONS,
  DECIMAL_OPTIONS,
  FILE_OPTIONS,
  INT_OPTIONS,
  LIST_OPTIONS,
  REAL_OPTIONS,
  ROLLUP,
  ROLLUP_OPTIONS,
  TEXT_OPTIONS,
  TIMESTAMP_OPTIONS,
  URL_OPTIONS,
  VECTOR_OPTIONS,
} from "../definition_language/columns.ts";
import type { ForeignKey } from "../definition_language/register.ts";
import type { Written } from "../definition_language/shape.ts";
import { ColumnBuilder } from "./column.ts";
import type { ComputedRow } from "./computed.ts";
import { type Columns, type TableOf, tableOf, type TableOptions } from "./table.ts";

function column<Value, Type extends string>(
  type: Type,
  options: Readonly<Record<string, unknown>> = {},
): ColumnBuilder<Value, Type> {
  return new ColumnBuilder<Value, Type>({ type, options, modifiers: [] });
}

/** Makes the builder of a type without options. */
function plain<Kind extends ColumnType["kind"]>(
  kind: Kind,
): () => ColumnBuilder<AuthorOf<Kind>, Kind> {
  return () => column(kind);
}

const bool = plain("bool");

function timestamp(
  options: Written<typeof TIMESTAMP_OPTIONS> = {},
): ColumnBuilder<string, "timestamp"> {
  return column("timestamp", options);
}

type TextOptions = Written<typeof TEXT_OPTIONS>;

function text<const Values extends readonly string[]>(
  options: TextOptions & { readonly enum: Values },
): ColumnBuilder<Values[number], "text">;
function text(options?: Omit<TextOptions, "enum">): ColumnBuilder<string, "text">;
function text(options: TextOptions = {}): ColumnBuilder<string, "text"> {
  return column("text", options);
}

type RollupFunction = Written<typeof ROLLUP>;

type FileOptions = Written<typeof FILE_OPTIONS>;

function file(
  options: FileOptions & { readonly multiple: true },
): ColumnBuilder<readonly AuthorOf<"file">[], "file">;
function file(options?: FileOptions): ColumnBuilder<AuthorOf<"file">, "file">;
function file(options: FileOptions = {}): ColumnBuilder<unknown, "file"> {
  return column("file", options);
}

export const q = Object.freeze({
  /** The primary key. */
  id: plain("id"),
  /** A text; with `enum` one of a fixed set. */
  text,
  /** A whole number. */
  int: (options: Written<typeof INT_OPTIONS> = {}): ColumnBuilder<number, "int"> =>
    column("int", options),
  /** A number. */
  real: (options: Written<typeof REAL_OPTIONS> = {}): ColumnBuilder<number, "real"> =>
    column("real", options),
  /** An exact decimal number, which is a string in JSON: `q.decimal({ precision: 12, scale: 2 })`. */
  decimal: (options: Written<typeof DECIMAL_OPTIONS>): ColumnBuilder<string, "decimal"> =>
    column("decimal", options),
  /** A boolean. */
  bool,
  /** The same as `bool`. */
  boolean: bool,
  /** An instant, as an ISO 8601 date-time string. */
  timestamp,
  /** The same as `timestamp`. */
  datetime: timestamp,
  /** A day, `YYYY-MM-DD`. */
  date: (options: Written<typeof DATE_OPTIONS> = {}): ColumnBuilder<string, "date"> =>
    column("date", options),
  /** An email address. */
  email: plain("email"),
  /** The account of a member of the row's organization, by its id: `q.account({ onMemberRemoved: "setNull" })`. */
  account: (options: Written<typeof ACCOUNT_OPTIONS> = {}): ColumnBuilder<string, "account"> =>
    column("account", options),
  /** An http or https URL. */
  url: (options: Written<typeof URL_OPTIONS> = {}): ColumnBuilder<string, "url"> =>
    column("url", options),
  /** One of a fixed set of texts: `q.enum(["open", "done"])`. */
  enum: <const Values extends readonly string[]>(
    values: Values,
  ): ColumnBuilder<Values[number], "enum"> => column("enum", { values }),
  /** A file that belongs to the record, with a route of its own: `q.file({ maxSize: 5_000_000, types: ["image/*"] })`. */
  file,
  /** A list of scalars: `q.list(q.text(), { maxItems: 10 })`. */
  list: <Value>(
    of: ColumnBuilder<Value>,
    options: Written<typeof LIST_OPTIONS> = {},
  ): ColumnBuilder<readonly Value[], "list"> => column("list", { of: of.definition, ...options }),
  /** Numbers for similarity search by `near`: `q.vector({ dimensions: 1536, from: ["title"] })`. */
  vector: (options: Written<typeof VECTOR_OPTIONS>): ColumnBuilder<readonly number[], "vector"> =>
    column("vector", options),
  /** Any JSON value. */
  json: plain("json"),
  /** An id that the service takes from the caller. A write body cannot contain it. */
  scope: (scope: ScopeKind): ColumnBuilder<string, "scope"> => column("scope", { scope }),
  /** A counter that starts at 1 and grows by one with every write. */
  revision: plain("revision"),
  /**
   * A value computed from the row: `q.computed(q.decimal({ precision: 18, scale: 4 }), ({ quantity, price }) => quantity *
   * price)`.
   */
  computed: <Value, Type extends string>(
    type: ColumnBuilder<Value, Type>,
    _expression: (row: ComputedRow) => unknown,
  ): ColumnBuilder<Value, "computed"> => column("computed", { type: type.definition }),
  /** A total over the rows that refer to this one: `q.rollup("lines.orderId", { sum: "amount" })`. */
  rollup: <Fn extends RollupFunction>(
    children: ForeignKey,
    fn: Fn,
    options: Written<typeof ROLLUP_OPTIONS> = {},
  ): ColumnBuilder<Fn extends { readonly count: true } ? number : number | string, "computed"> =>
    column("computed", { children, ...fn, ...options }),
  /** A table. It becomes a resource by `defineTable`, and is internal without it. */
  table: <Name extends string, Own extends Columns>(
    name: Name,
    columns: Own,
    _options?: TableOptions,
  ): TableOf<Name, Own> => tableOf(name, columns),
});

/** All column types, by their name in the model and in `q` (definitions 3). */
import type { JsonValue, ScopeKind } from "../contract/mod.ts";
import { account, type AccountType } from "./account.ts";
import { bool } from "./bool.ts";
import type {
  ColumnTypeRecord,
  IdRule,
  Storage,
  StoredValue,
  TypeOf,
  TypeRules,
  ValueType,
} from "./column_type.ts";
import { date } from "./date.ts";
import { decimal } from "./decimal.ts";
import { email } from "./email.ts";
import { enumeration } from "./enum.ts";
import { file, type FileType } from "./file.ts";
import { id } from "./id.ts";
import { int } from "./int.ts";
import { json } from "./json.ts";
import { list } from "./list.ts";
import { real } from "./real.ts";
import { revision } from "./revision.ts";
import { scope } from "./scope.ts";
import { text } from "./text.ts";
import { timestamp } from "./timestamp.ts";
import { url } from "./url.ts";
import { vector } from "./vector.ts";

export type { Bounds } from "./bounds.ts";
export type {
  ColumnTypeRecord,
  HandlerForm,
  IdRule,
  Storage,
  StoredValue,
  ValueType,
} from "./column_type.ts";
export {
  FILTER_OPERATORS,
  type FilterOperator,
  filterOperator,
  FOLDED_TEXTS,
} from "./filter_operators.ts";
export type { AccountType, FileType };
export { idExample } from "./id.ts";
export { decimalPattern, decimalSql, decimalText } from "./decimal.ts";
export { isItemType, ITEMS_MAX_DEFAULT } from "./list.ts";
export {
  DIMENSIONS_MAX,
  VECTOR_METRICS,
  vectorDigits,
  type VectorMetric,
  vectorOf,
  type VectorType,
  vectorWords,
} from "./vector.ts";

const COLUMN_TYPES = {
  id,
  text,
  int,
  real,
  decimal,
  bool,
  timestamp,
  date,
  url,
  email,
  account,
  enum: enumeration,
  file,
  json,
  list,
  vector,
  scope,
  revision,
};

type Records = typeof COLUMN_TYPES;

export type ColumnType = { [Kind in keyof Records]: TypeOf<Records[Kind]> }[keyof Records];

/** The TypeScript type of a column's values. */
export type AuthorOf<Kind extends keyof Records> = Records[Kind] extends
  ColumnTypeRecord<infer _Type, infer Author> ? Author : never;

const RECORDS: Readonly<Record<keyof Records, ColumnTypeRecord<ColumnType>>> = COLUMN_TYPES;

interface TypedColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** Returns the records of all types by name. */
export function columnTypes(): readonly [keyof Records, ColumnTypeRecord<ColumnType>][] {
  return Object.entries(RECORDS) as [keyof Records, ColumnTypeRecord<ColumnType>][];
}

/** True for a type of a model. Its facts are not checked. */
export function isColumnType(value: unknown): value is ColumnType {
  return typeof value === "object" && value !== null && "kind" in value &&
    typeof value.kind === "string" && Object.hasOwn(RECORDS, value.kind);
}

/** Returns what definitions may do with a column of the type. */
export function rulesOf(type: ColumnType): TypeRules {
  return RECORDS[type.kind].rules;
}

/** Rule of ids that applies before the project's own is known. */
const ANY_IDS: IdRule = { idStrategy: false, idPrefix: "" };

export function storageOf(type: ColumnType, ids: IdRule = ANY_IDS): Storage {
  return RECORDS[type.kind].storage(ids, type);
}

/** Returns SQL that is true for stored values of the type; null: every value is accepted. */
export function fitsSql(type: ColumnType, cell: string): string | null {
  return RECORDS[type.kind].fitsSql(cell, type);
}

/** Makes the values of a column. Called once per column, and not for every row or request. */
export function valuesOf(column: Pick<TypedColumn, "type">, ids: IdRule = ANY_IDS): ValueType {
  return RECORDS[column.type.kind].values(column.type, ids);
}

/** Converts a checked value to stored form. */
export function stored({ name, type }: TypedColumn, value: unknown): StoredValue {
  if (value === null) return null;
  const stored = storageOf(type).store(value);
  if (stored !== undefined) return stored;
  // Validation has refused all other values, so this is an error of the service.
  throw new TypeError(`Column '${name}' cannot store a value of another type`);
}

/** Converts a stored value to JSON. */
export function restored({ name, type }: TypedColumn, value: StoredValue | Uint8Array): JsonValue {
  if (value === null) return null;
  if (value instanceof Uint8Array) throw new TypeError(`Column '${name}' holds bytes`);
  return storageOf(type).restore(value);
}

/** Returns the rules of a file column; null for another column. */
export function fileOf(type: ColumnType | null): FileType | null {
  return type?.kind === "file" ? type : null;
}

/** The rules of an account; null: another column. */
export function accountOf(type: ColumnType | null): AccountType | null {
  return type?.kind === "account" ? type : null;
}

/** True for a column with several files. */
export function holdsFiles(type: ColumnType): boolean {
  return fileOf(type)?.maxItems !== undefined;
}

/** True for a column of doubles or of lists of them. */
export function holdsReals(type: ColumnType): boolean {
  return storageOf(type.kind === "list" ? type.of : type).sql === "real";
}

/** Returns the scope of a scope column; null for another column. */
export function scopeOf(type: ColumnType | null): ScopeKind | null {
  return type?.kind === "scope" ? type.scope : null;
}

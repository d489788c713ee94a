/** Reads column builders: `q.text()` and its siblings, and drizzle's own notation (definitions 3). */
import { columnTypes, isItemType, ITEMS_MAX_DEFAULT } from "../../../../column_types/mod.ts";
import { valuesOf } from "../../../../column_types/mod.ts";
import type { Bounds } from "../../../../column_types/mod.ts";
import { FILE_SIZE_DEFAULT, FILES_MAX_DEFAULT } from "../../../../contract/mod.ts";
import { MEDIA_TYPE_RANGE } from "../../../../contract/mod.ts";
import * as language from "../../../../definition_language/columns.ts";
import { type Members, object, type Shape } from "../../../../definition_language/shape.ts";
import type { ColumnType } from "../../../../model/mod.ts";
import type { Value } from "../../values.ts";
import { type Fields, readField, readFields, requireKey } from "../read/fields.ts";
import { read } from "../read/read_member.ts";
import { type At, below, invalidValue, wrongType } from "../read/reader.ts";
import { oneOf } from "../read/scalars.ts";
import {
  type Builder,
  type BuilderCall,
  type Built,
  hasAtMost,
  isNumber,
  isText,
  readEnum,
  reportArguments,
  withArgument,
  withOptions,
} from "./builder_arguments.ts";
import type { DerivedDraft } from "./draft.ts";

const SQL_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Builders of `q` that take arguments. */
const WITH_ARGUMENTS: { readonly [Kind in ColumnType["kind"]]?: Builder } = {
  text: withOptions(language.TEXT_OPTIONS, (fields) => {
    const values = fields && readField(fields, "enum", readEnum);
    if (values === undefined && fields?.entries.has("enum")) return undefined;
    const maxLength = (fields && read(fields, "maxLength")) ?? null;
    const shape = fields ? readShape(fields, maxLength) : {};
    return shape && { kind: "text", maxLength, enum: values ?? null, ...shape };
  }),
  int: withOptions(
    language.INT_OPTIONS,
    (fields) => boundedType(fields, isNumber, (bounds) => ({ kind: "int", ...bounds })),
  ),
  real: withOptions(
    language.REAL_OPTIONS,
    (fields) => boundedType(fields, isNumber, (bounds) => ({ kind: "real", ...bounds })),
  ),
  decimal: (call, at) =>
    call.args.length === 0
      ? void reportArguments(call, "q.decimal({ precision: 12, scale: 2 })", at)
      : READ_DECIMAL(call, at),
  date: withOptions(
    language.DATE_OPTIONS,
    (fields) => boundedType(fields, isText, (bounds) => ({ kind: "date", ...bounds })),
  ),
  timestamp: withOptions(
    language.TIMESTAMP_OPTIONS,
    (fields) => boundedType(fields, isText, (bounds) => ({ kind: "timestamp", ...bounds })),
  ),
  url: withOptions(
    language.URL_OPTIONS,
    (fields) => ({ kind: "url", maxLength: (fields && read(fields, "maxLength")) ?? null }),
  ),
  account: withOptions(language.ACCOUNT_OPTIONS, (fields) => {
    const onMemberRemoved = (fields && read(fields, "onMemberRemoved")) ?? "keep";
    return { kind: "account", ...(onMemberRemoved === "keep" ? {} : { onMemberRemoved }) };
  }),
  file: withOptions(language.FILE_OPTIONS, (fields) => {
    const types = fields && readField(fields, "types", readMediaTypes);
    if (types === undefined && fields?.entries.has("types")) return undefined;
    const maxSize = (fields && read(fields, "maxSize")) ?? FILE_SIZE_DEFAULT;
    const one = { kind: "file", maxSize, types: types ?? null } as const;
    const maxItems = fields && read(fields, "maxItems");
    if (fields && read(fields, "multiple")) {
      return { ...one, maxItems: maxItems ?? FILES_MAX_DEFAULT };
    }
    const entry = fields?.entries.get("maxItems");
    if (!fields || !entry) return one;
    return invalidValue(
      entry.value,
      "no limit without multiple: true",
      below(fields.at, "maxItems"),
    );
  }),
  list: readList,
  vector: readVector,
  enum: withArgument(readEnum, (values) => ({ kind: "enum", values })),
  scope: withArgument(
    oneOf(["organization", "owner", "team"]),
    (scope) => ({ kind: "scope", scope }),
    "scope",
  ),
};

/** Reads the digits of a decimal. The author must give both, because no default fits money and measures alike. */
const READ_DECIMAL = withOptions(language.DECIMAL_OPTIONS, (fields) => {
  if (!fields) return undefined;
  const [precision, scale] = [read(fields, "precision"), read(fields, "scale")];
  if (precision === undefined || scale === undefined) return undefined;
  const entry = fields.entries.get("scale");
  if (entry && scale > precision) {
    return invalidValue(entry.value, `at most ${precision}`, below(fields.at, "scale"));
  }
  return boundedType(
    fields,
    isText,
    (bounds) => ({ kind: "decimal", precision, scale, ...bounds }),
  );
});

/** Reads `q.list(q.text(), { maxItems })`: a list of one scalar type, without modifiers. */
function readList(call: BuilderCall, at: At): Built | undefined {
  const [item, options] = call.args;
  const expected = "q.list(q.text(), { maxItems }) of a scalar type without modifiers";
  const builder = item?.kind === "call" && item.chain.length === 0
    ? Q_BUILDERS.get(item.callee)
    : undefined;
  if (item?.kind !== "call" || !builder || call.args.length > 2) {
    return void reportArguments(call, expected, at);
  }
  const of = builder({ args: item.args, callee: item.callee, value: item }, at)?.type;
  const fields = options && readFields(options, language.LIST_OPTIONS, at);
  if (!of) return undefined;
  if (!isItemType(of)) return void reportArguments(call, expected, at);
  const maxItems = (fields && read(fields, "maxItems")) ?? ITEMS_MAX_DEFAULT;
  return { type: { kind: "list", of, maxItems }, manager: "client", sqlName: null };
}

/** Reads `q.vector({ dimensions, metric, from })`. */
function readVector(call: BuilderCall, at: At): Built | undefined {
  const [options] = call.args;
  const expected = "q.vector({ dimensions, metric, from })";
  if (!options || call.args.length > 1) return void reportArguments(call, expected, at);
  const fields = readFields(options, language.VECTOR_OPTIONS, at);
  const dimensions = fields && read(fields, "dimensions");
  if (!fields || !dimensions) return undefined;
  const metric = read(fields, "metric") ?? "cosine";
  const from = read(fields, "from")?.map(({ text }) => text) ?? null;
  const entry = fields.entries.get("from");
  if (entry && from?.length === 0) {
    return invalidValue(entry.value, "at least one column", below(fields.at, "from"));
  }
  const type = { kind: "vector", dimensions, metric, from } as const;
  return { type, manager: from === null ? "client" : "system", sqlName: null };
}

/** Reads the limits of a text's length and pattern. A later rule proves the pattern, and nothing matches it before. */
function readShape(
  fields: Fields<(typeof language.TEXT_OPTIONS)["members"]>,
  maxLength: number | null,
) {
  const minLength = read(fields, "minLength");
  const pattern = read(fields, "pattern");
  const examples = readField(fields, "examples", readEnum);
  const beside = fields.entries.has("enum")
    ? (["minLength", "pattern"] as const).find((key) => fields.entries.has(key))
    : undefined;
  const misplaced = fields.entries.get(beside ?? (pattern === undefined ? "examples" : ""));
  if (misplaced) {
    const other = beside ? 'nothing beside "enum"' : 'nothing without "pattern"';
    return invalidValue(misplaced.value, other, below(fields.at, misplaced.key));
  }
  if (pattern !== undefined && !examples) {
    requireKey(fields, "examples");
    return undefined;
  }
  const entry = fields.entries.get("minLength");
  if (entry && minLength !== undefined && maxLength !== null && minLength > maxLength) {
    return invalidValue(entry.value, `at most ${maxLength}`, below(fields.at, "minLength"));
  }
  return {
    ...(minLength === undefined ? {} : { minLength }),
    ...(pattern === undefined || !examples ? {} : { pattern, examples }),
  };
}

/** Returns the type with a `min` and a `max` that fit it and each other; `undefined` if one does not, which is reported. */
function boundedType<Value extends string | number>(
  fields: Fields | null,
  isOf: (value: unknown) => value is Value,
  typeOf: (bounds: Bounds<Value>) => ColumnType,
): ColumnType | undefined {
  let bounds: Bounds<Value> = {};
  for (const key of ["min", "max"] as const) {
    const entry = fields?.entries.get(key);
    if (!fields || !entry) continue;
    const at = below(fields.at, key);
    const written = entry.value;
    const values = valuesOf({ type: typeOf({}) });
    const value = written.kind === "number" || written.kind === "string" ? written.value : null;
    const mismatch = value === null ? "a value" : values.mismatch(value);
    const normal = value === null || mismatch !== null ? null : values.normal(value);
    if (normal === null || !isOf(normal)) return invalidValue(written, mismatch ?? "a value", at);
    if (valuesOf({ type: typeOf(bounds) }).mismatch(normal) !== null) {
      return invalidValue(written, `at least ${bounds.min}`, at);
    }
    bounds = { ...bounds, [key]: normal };
  }
  return typeOf(bounds);
}

/**
 * Reads `q.computed(q.decimal({ … }), ({ quantity, price }) => quantity * price)`. Its function is read once the table is
 * known.
 */
function readComputed(call: BuilderCall, at: At): Built | undefined {
  const [declared, expression, ...rest] = call.args;
  const expected = "q.computed(type, (row) => …) of a type without modifiers";
  if (declared?.kind !== "call" || declared.chain.length > 0 || !expression || rest.length > 0) {
    return void reportArguments(call, expected, at);
  }
  const builder = Q_BUILDERS.get(declared.callee);
  const callee = declared.callee.replace(/^q\./, "");
  if (!builder || !COMPUTED_TYPES.some((name) => name === callee)) {
    return void reportArguments(call, `one of ${COMPUTED_TYPES.map((one) => `q.${one}`)}`, at);
  }
  const type = builder({ args: declared.args, callee: declared.callee, value: declared }, at)?.type;
  if (!type) return undefined;
  const bound = ["min", "max", "maxLength", "minLength", "pattern", "enum"].find((name) =>
    Object.entries(type).some(([key, value]) => key === name && value !== null)
  );
  if (bound) {
    return void reportArguments(call, `a type without "${bound}": nobody writes the column`, at);
  }
  if (expression.kind !== "function" && expression.kind !== "thunk") {
    return wrongType(expression, "a function of the row's columns", at);
  }
  if (expression.kind === "thunk") {
    return invalidValue(expression, "a function of the row's columns, ({ price }) => …", at);
  }
  const { text, place } = expression;
  const derived = { kind: "computed", text, place } as const;
  return { type, manager: "computed", sqlName: null, derived };
}

/** Reads `q.rollup("lineItems.orderId", { sum: "amount" }, { where })`. */
function readRollup(call: BuilderCall, at: At): Built | undefined {
  const [path, aggregate, options, ...rest] = call.args;
  const expected = 'q.rollup("table.foreignKey", { count: true }) or { sum | min | max: column }';
  const [table = "", foreignKey = ""] = path?.kind === "string" ? path.value.split(".") : [];
  if (
    path?.kind !== "string" || !aggregate || table === "" || foreignKey === "" || rest.length > 0
  ) {
    return void reportArguments(call, expected, at);
  }
  const fields = readFields(aggregate, language.ROLLUP, at);
  const more = options && readFields(options, language.ROLLUP_OPTIONS, at);
  if (!fields || (options && !more)) return undefined;
  const [said, ...others] = [...fields.entries.values()];
  if (!said || others.length > 0) {
    return invalidValue(aggregate, "one of count, sum, min and max", at);
  }
  const fn = (["count", "sum", "min", "max"] as const).find((name) => name === said.key);
  if (!fn) return undefined;
  if (fn === "count" && read(fields, "count") !== true) return undefined;
  const column = fn === "count" ? null : read(fields, fn);
  if (column === undefined) return undefined;
  const where = more?.entries.get("where")?.value ?? null;
  const derived: DerivedDraft = {
    kind: "rollup",
    children: { text: path.value, place: path.place },
    fn,
    column,
    where,
    place: call.value.place,
  };
  // The type is replaced later: it follows from the source column.
  return { type: { kind: "int" }, manager: "computed", sqlName: null, derived };
}

const COMPUTED_TYPES = [
  "int",
  "real",
  "decimal",
  "text",
  "bool",
  "boolean",
  "date",
  "timestamp",
  "datetime",
] as const;

/** Builders of `q`, by callee. */
export const Q_BUILDERS: ReadonlyMap<string, Builder> = new Map<string, Builder>([
  ["q.computed", readComputed],
  ["q.rollup", readRollup],
  ...columnTypes().flatMap(([kind, { plain: type, manager, aliases }]) => {
    const builder: Builder | undefined = type === null
      ? WITH_ARGUMENTS[kind]
      : (call, at) => hasAtMost(call, 0, at) ? { type, manager, sqlName: null } : undefined;
    if (!builder) throw new Error(`Nothing reads the arguments of "q.${kind}"`);
    return [kind, ...aliases].map((name): [string, Builder] => [`q.${name}`, builder]);
  }),
]);

/** Builders imported from `drizzle-orm/sqlite-core`, by callee. */
export const DRIZZLE_BUILDERS: ReadonlyMap<string, Builder> = new Map<string, Builder>([
  [
    "text",
    drizzle(language.DRIZZLE_TEXT_OPTIONS, (fields) => {
      if (fields && read(fields, "mode") === "json") return { kind: "json" };
      const values = fields && readField(fields, "enum", readEnum);
      const length = (fields && read(fields, "length")) ?? null;
      return { kind: "text", maxLength: length, enum: values ?? null };
    }),
  ],
  [
    "integer",
    drizzle(language.DRIZZLE_INTEGER_OPTIONS, (fields) => {
      const mode = fields && read(fields, "mode");
      if (mode === undefined && fields?.entries.has("mode")) return undefined;
      if (mode === "boolean") return { kind: "bool" };
      return mode === "timestamp" || mode === "timestamp_ms"
        ? { kind: "timestamp" }
        : { kind: "int" };
    }),
  ],
  ["real", drizzle(object({}), () => ({ kind: "real" }))],
]);

/** Returns a reader of `builder()`, `builder("sql_name")`, `builder("sql_name", {…})` or `builder({…})`. */
function drizzle<Own extends Members>(
  shape: Shape<Own>,
  typeOf: (fields: Fields<Own> | null) => ColumnType | undefined,
): Builder {
  return (call, at) => {
    if (!hasAtMost(call, 2, at)) return undefined;
    const [first, second] = call.args;
    const named = first?.kind === "string" ? first : null;
    if (named && !SQL_NAME.test(named.value)) return wrongType(named, "a plain SQL name", at);
    const value = named ? second : first;
    const fields = value ? readFields(value, shape, at) : null;
    const type = fields === undefined ? undefined : typeOf(fields);
    return type && { type, manager: "client", sqlName: named?.value ?? null };
  };
}

/** Reads at least one media type without parameters, or a range of them. They become lower case, as they are compared. */
function readMediaTypes(value: Value, at: At): readonly string[] | undefined {
  const types = readEnum(value, at);
  const wrong = types?.findIndex((type) => !MEDIA_TYPE_RANGE.test(type)) ?? -1;
  if (wrong === -1) return types;
  const place = value.kind === "array" ? value.items[wrong] ?? value : value;
  return invalidValue(place, 'a media type such as "application/pdf" or "image/*"', at);
}

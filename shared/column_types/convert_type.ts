/**
 * Changes of a column's type (definitions 2, `compiler.migrations`): which stored values can be converted, and the SQL of their
 * new form. Conversions are exact. Nothing is rounded or cut unless that is allowed.
 */
import type { JsonValue } from "../contract/mod.ts";
import { normalizedDate, normalizedDateTime } from "../lib/times.ts";
import type { ColumnType, IdRule, StoredValue } from "./mod.ts";
import { decimalSql, decimalText, storageOf, valuesOf } from "./mod.ts";

type Stored = Exclude<StoredValue, null>;

export interface Conversion {
  /** Returns SQL of the new stored form, exact for every value that `read` accepts. Null: the stored form stays. */
  readonly sql: ((cell: string) => string) | null;
  /** Returns the JSON value that a stored one converts to; undefined: it cannot be converted. */
  read(stored: Stored): JsonValue | undefined;
  /** True when every value of the old type can be converted. */
  readonly isTotal: boolean;
  /** True when `isLossy` admits values of which something is lost. */
  readonly isCutting: boolean;
}

interface Change {
  readonly from: ColumnType;
  readonly to: ColumnType;
  /** True when digits behind the point and times of day may be lost. */
  readonly isLossy: boolean;
}

type Kind = ColumnType["kind"];
type Sources = { readonly [From in Kind]?: (change: Change) => Conversion | null };

/**
 * Returns the conversion; null: no value of the old type is one of the new. Types of one kind, and a text with an `enum`, keep
 * their form.
 */
export function conversionOf(change: Change): Conversion | null {
  const [from, to] = [formOf(change.from), formOf(change.to)];
  if (from.kind === to.kind && from.kind !== "decimal") {
    return isOfOneForm(from, to) ? kept(change) : null;
  }
  return INTO[to.kind][from.kind]?.({ ...change, from, to }) ?? null;
}

/** Returns the type by its content: a text with an `enum` becomes an enum. */
export function formOf(type: ColumnType): ColumnType {
  return type.kind === "text" && type.enum ? { kind: "enum", values: type.enum } : type;
}

/** False for vectors of different dimensions, and for one file against several, which are stored differently. */
function isOfOneForm(from: ColumnType, to: ColumnType): boolean {
  if (from.kind === "vector" && to.kind === "vector") return from.dimensions === to.dimensions;
  if (from.kind !== "file" || to.kind !== "file") return true;
  return (from.maxItems === undefined) === (to.maxItems === undefined);
}

/** Returns the JSON value of a stored one; undefined: it does not have the type's form. */
export function storedJson(type: ColumnType, value: Stored): JsonValue | undefined {
  const storage = storageOf(type);
  try {
    const json = storage.restore(value);
    const again = storage.store(json);
    // A JSON value has many spellings.
    const isSame = storage.mode === "json" ? again !== undefined : again === value;
    return isSame ? json : undefined;
  } catch {
    // The text is not JSON, or the digits are not a number.
    return undefined;
  }
}

function kept({ from }: Pick<Change, "from">): Conversion {
  return { sql: null, isTotal: true, isCutting: false, read: (stored) => storedJson(from, stored) };
}

/** Keeps texts of another kind if the new type accepts them. */
function keptIfFit(change: Pick<Change, "from">): Conversion {
  return { ...kept(change), isTotal: false };
}

/** Makes a conversion that parses texts. `read` gets texts only. */
function parsed(
  sql: Conversion["sql"],
  read: (text: string) => JsonValue | undefined,
): Conversion {
  return {
    sql,
    isTotal: false,
    isCutting: false,
    read: (stored) => typeof stored === "string" ? read(stored) : undefined,
  };
}

/** Makes a conversion through the JSON of the old type's values. */
function remade(
  { from }: Pick<Change, "from">,
  { isTotal = true, isCutting = false, ...how }: {
    readonly sql: Conversion["sql"];
    readonly isTotal?: boolean;
    readonly isCutting?: boolean;
    readonly read: (value: JsonValue, stored: Stored) => JsonValue | undefined;
  },
): Conversion {
  const read = (stored: Stored) => {
    const value = storedJson(from, stored);
    return value === undefined ? undefined : how.read(value, stored);
  };
  return { sql: how.sql, isTotal, isCutting, read };
}

const quoted = (change: Pick<Change, "from">) =>
  remade(change, {
    sql: (cell) => `CASE WHEN ${cell} IS NOT NULL THEN json_quote(${cell}) END`,
    read: (value) => value,
  });

const WHOLE = /^(?:0|-?[1-9][0-9]*)$/;
const TRUE = ["true", "1"];
const FALSE = ["false", "0"];
const MIDNIGHT = "T00:00:00.000Z";
/** Digits that a binary double always reproduces. */
const REAL_DIGITS = 15;

/** Conversions by the new kind, then by the old kind. A kind that is missing has no value of the new one. */
const INTO: Readonly<Record<Kind, Sources>> = {
  text: {
    enum: kept,
    email: kept,
    url: kept,
    account: kept,
    date: kept,
    timestamp: kept,
    int: (change) => remade(change, { sql: (cell) => `CAST(${cell} AS text)`, read: String }),
    decimal: (change) =>
      remade(change, {
        sql: (cell) => decimalSql(cell, scaleOf(change.from)),
        read: (value) => value,
      }),
    json: (change) =>
      remade(change, {
        sql: (cell) =>
          `CASE WHEN json_type(${cell}) = 'text' THEN ${cell} ->> '$' ELSE ${cell} END`,
        isTotal: false,
        read: (value, stored) => typeof value === "string" ? value : String(stored),
      }),
  },
  enum: { text: keptIfFit },
  email: { text: keptIfFit },
  account: { text: keptIfFit },
  url: { text: keptIfFit },
  int: {
    bool: (change) => remade(change, { sql: null, read: Number }),
    real: (change) =>
      remade(change, {
        sql: (cell) => `CAST(${cell} AS integer)`,
        isTotal: false,
        read: (value) => Number.isSafeInteger(value) ? value : undefined,
      }),
    decimal: movedPoint,
    text: () =>
      parsed(
        (cell) => `CAST(${cell} AS integer)`,
        (text) => WHOLE.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined,
      ),
  },
  real: {
    int: (change) => remade(change, { sql: null, read: (value) => value }),
    decimal: (change) =>
      remade(change, {
        sql: (cell) => `CAST(${cell} AS real) / ${power(scaleOf(change.from))}.0`,
        isTotal: false,
        read: (value, stored) =>
          String(stored).replace("-", "").length > REAL_DIGITS ? undefined : Number(value),
      }),
  },
  decimal: {
    int: movedPoint,
    decimal: movedPoint,
    real: (change) => change.isLossy ? rounded(change) : null,
    text: ({ to }) =>
      parsed(
        (cell) => decimalOfText(cell, scaleOf(to)),
        (text) => storageOf(to).store(text) === undefined ? undefined : text,
      ),
  },
  bool: {
    int: (change) =>
      remade(change, {
        sql: null,
        isTotal: false,
        read: (value) => value === 0 || value === 1 ? value === 1 : undefined,
      }),
    text: () =>
      parsed(
        (cell) => `CASE WHEN ${cell} IS NOT NULL THEN ${cell} IN ('true', '1') END`,
        (text) => TRUE.includes(text) ? true : FALSE.includes(text) ? false : undefined,
      ),
  },
  timestamp: {
    date: (change) =>
      remade(change, {
        sql: (cell) => `${cell} || '${MIDNIGHT}'`,
        read: (value) => normalizedDate(String(value)) ?? undefined,
      }),
    text: () => parsed(instantOfText, exactInstant),
  },
  date: {
    timestamp: (change) =>
      remade(change, {
        sql: (cell) => `substr(${cell}, 1, 10)`,
        isTotal: change.isLossy,
        isCutting: true,
        read: (value) => {
          const instant = String(value);
          return change.isLossy || instant.endsWith(MIDNIGHT) ? instant.slice(0, 10) : undefined;
        },
      }),
    text: ({ to }) => parsed(null, (text) => storedJson(to, text)),
  },
  list: {
    json: listed,
    text: listed,
  },
  json: {
    text: quoted,
    enum: quoted,
    email: quoted,
    url: quoted,
    date: quoted,
    timestamp: quoted,
    int: quoted,
    list: kept,
  },
  id: {},
  scope: {},
  revision: {},
  file: {},
  vector: {},
};

/** Converts JSON whose items are written in the column's spelling. */
function listed({ to }: Pick<Change, "to">): Conversion {
  return parsed((cell) => `json(${cell})`, (text) => {
    const value = storedJson(to, text);
    return value !== undefined && storageOf(to).store(value) === JSON.stringify(value)
      ? value
      : undefined;
  });
}

/** Converts between integers and decimals, which differ in the place of their point. */
function movedPoint({ from, to, isLossy }: Change): Conversion {
  const [before, after] = [scaleOf(from), scaleOf(to)];
  const isWhole = to.kind === "int";
  const say = (value: bigint) => isWhole ? Number(value) : decimalText(value, after);
  const read = (stored: Stored) => {
    const value = storedJson(from, stored);
    if (value === undefined || !Number.isInteger(Number(stored))) return undefined;
    const number = BigInt(stored);
    if (after >= before) return say(number * 10n ** BigInt(after - before));
    const step = 10n ** BigInt(before - after);
    if (number % step === 0n) return say(number / step);
    return isLossy ? say((number + (number < 0n ? -step : step) / 2n) / step) : undefined;
  };
  return {
    isTotal: false,
    isCutting: after < before,
    read,
    sql: before === after ? null : (cell) => movedPointSql(cell, before, after),
  };
}

/** Converts a binary fraction to the nearest decimal, if loss is allowed, since few are exact. */
function rounded(change: Change): Conversion {
  const scale = scaleOf(change.to);
  return remade(change, {
    sql: (cell) => `CAST(round(${cell} * ${power(scale)}.0) AS integer)`,
    isTotal: false,
    isCutting: true,
    read: (value) => {
      const number = Math.round(Math.abs(Number(value)) * 10 ** scale);
      return Number.isFinite(number)
        ? decimalText(BigInt(Number(value) < 0 ? -number : number), scale)
        : undefined;
    },
  });
}

/** Returns SQL that moves the point. Lost digits are rounded to the nearest, halves away from zero. */
function movedPointSql(cell: string, before: number, after: number): string {
  if (after >= before) return `${cell} * ${power(after - before)}`;
  const half = `5${"0".repeat(before - after - 1)}`;
  // Integers divide towards zero.
  return `(${cell} + CASE WHEN ${cell} % ${power(before - after)} = 0 THEN 0 ` +
    `WHEN ${cell} < 0 THEN -${half} ELSE ${half} END) / ${power(before - after)}`;
}

function scaleOf(type: ColumnType): number {
  return storageOf(type).decimal?.scale ?? 0;
}

function power(digits: number): string {
  return `1${"0".repeat(digits)}`;
}

/** Returns SQL of a decimal text's digits without the point, padded to the scale. */
function decimalOfText(cell: string, scale: number): string {
  const written =
    `CASE instr(${cell}, '.') WHEN 0 THEN 0 ELSE length(${cell}) - instr(${cell}, '.') END`;
  return `CAST(replace(${cell}, '.', '') || substr('${
    "0".repeat(scale)
  }', 1, ${scale} - ${written}) AS integer)`;
}

/** Returns an instant with at most three digits of a second; undefined for more, which would be lost. */
function exactInstant(text: string): string | undefined {
  return /\.[0-9]{4}/.test(text) ? undefined : normalizedDateTime(text) ?? undefined;
}

/** Returns SQL that converts an instant to UTC. SQLite shifts whole seconds exactly; the digits behind them are copied. */
function instantOfText(cell: string): string {
  const zone = `CASE WHEN ${cell} LIKE '%Z' THEN 'Z' ELSE substr(${cell}, -6) END`;
  const local = `substr(${cell}, 1, length(${cell}) - length(${zone}))`;
  const seconds =
    `CASE instr(${cell}, '.') WHEN 0 THEN ${local} ELSE substr(${cell}, 1, instr(${cell}, '.') - 1) END`;
  const digits =
    `CASE instr(${cell}, '.') WHEN 0 THEN '' ELSE substr(${local}, instr(${cell}, '.') + 1) END`;
  return `strftime('%Y-%m-%dT%H:%M:%S', (${seconds}) || (${zone})) || '.' || ` +
    `substr((${digits}) || '000', 1, 3) || 'Z'`;
}

/** Returns a type's name for people: `decimal(10, 2)`, `list of int`. */
export function typeName(type: ColumnType): string {
  const form = formOf(type);
  if (form.kind === "decimal") return `decimal(${form.precision}, ${form.scale})`;
  if (form.kind === "list") return `list of ${typeName(form.of)}`;
  if (form.kind === "vector") return `vector of ${form.dimensions}`;
  if (form.kind === "file" && form.maxItems !== undefined) return "files";
  return form.kind;
}

/** True for a JSON value that the column may hold. */
export function isFit(type: ColumnType, value: JsonValue): boolean {
  return valuesOf({ type }).body().safeParse(value).success;
}

/** Replaces keys, scopes and revisions by the texts or integers that they hold. */
export function heldType(type: ColumnType, ids: IdRule): ColumnType {
  switch (type.kind) {
    case "id":
    case "scope":
    case "revision":
      return storageOf(type, ids).sql === "integer"
        ? { kind: "int" }
        : { kind: "text", maxLength: null, enum: null };
    default:
      return type;
  }
}

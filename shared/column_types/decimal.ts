/** `q.decimal({ precision, scale })`: an exact decimal number, a string in JSON, stored as a whole number of its last digits (definitions 3). */
import { z } from "zod";
import { DECIMAL_PRECISION_MAX } from "../contract/mod.ts";
import { bounded, type Bounds, type Scale } from "./bounds.ts";
import type { ColumnTypeRecord, Storage, ValueType } from "./column_type.ts";
import { PLAIN_STORAGE, PLAIN_VALUES, typed } from "./column_type.ts";
import { NUMBER_RULES } from "./int.ts";

interface DecimalType extends Bounds<string> {
  readonly kind: "decimal";
  /** Digits in all. */
  readonly precision: number;
  /** Digits behind the point. */
  readonly scale: number;
}

type Digits = Pick<DecimalType, "precision" | "scale">;

const WRITTEN = /^-?[0-9]{1,18}(?:\.[0-9]{1,18})?$/;

/** Returns the number without its point; undefined: the text is no decimal, or has more digits than the column. */
function scaled(text: unknown, { precision, scale }: Digits): bigint | undefined {
  if (typeof text !== "string" || !WRITTEN.test(text)) return undefined;
  const [whole = "", fraction = ""] = text.split(".");
  if (fraction.length > scale) return undefined;
  const value = BigInt(whole + fraction.padEnd(scale, "0"));
  return isWithin(value, precision) ? value : undefined;
}

function isWithin(value: bigint, precision: number): boolean {
  const limit = 10n ** BigInt(precision);
  return value < limit && -value < limit;
}

/** Returns the number with all digits behind the point. */
export function decimalText(value: bigint, scale: number): string {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, "0");
  const sign = value < 0n ? "-" : "";
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Returns SQL that does the same with a stored number. */
export function decimalSql(cell: string, scale: number): string {
  if (scale === 0) return `CAST(${cell} AS text)`;
  const one = `1${"0".repeat(scale)}`;
  return `CASE WHEN ${cell} IS NULL THEN NULL ELSE printf('%s%d.%0${scale}d', ` +
    `CASE WHEN ${cell} < 0 THEN '-' ELSE '' END, abs(${cell}) / ${one}, abs(${cell}) % ${one}) END`;
}

/** Returns a number if it is exact, as the drivers do, else a bigint. */
function exact(value: bigint | undefined): number | bigint | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function decimalStorage(digits: Digits): Storage {
  const { precision, scale } = digits;
  const store = (value: unknown) => exact(scaled(value, digits));
  // A number from a statement of the author's may have a fraction beyond the last digit.
  const restore = (value: string | number | bigint) =>
    decimalText(BigInt(typeof value === "number" ? Math.trunc(value) : value), scale);
  return {
    ...PLAIN_STORAGE,
    sql: "integer",
    mode: "decimal",
    decimal: digits,
    jsonSql: (cell) => decimalSql(cell, scale),
    store,
    operand: store,
    restore,
    jsonText: (value) => `"${restore(value)}"`,
    handler: {
      wanted: `Must be ${wordsOf(digits)}`,
      encode: (value) => store(value) ?? null,
      // A value of drizzle's builder is encoded already. A statement of the author's may use either form.
      bound: (value) =>
        typeof value === "bigint" || Number.isSafeInteger(value)
          ? isWithin(BigInt(String(value)), precision) ? value : null
          : store(value) ?? null,
      decode: (value) => {
        if (typeof value === "number" && !Number.isSafeInteger(value)) {
          // A relation's rows come as JSON numbers, whose lost digits must not be answered.
          throw new RangeError("A decimal beyond 53 bits cannot be read through a relation");
        }
        return typeof value === "number" || typeof value === "bigint" ? restore(value) : value;
      },
    },
  };
}

/** Storages by precision and scale. */
const STORAGES: readonly (readonly Storage[])[] = Array.from(
  { length: DECIMAL_PRECISION_MAX + 1 },
  (_, precision) =>
    Array.from({ length: precision + 1 }, (_, scale) => decimalStorage({ precision, scale })),
);

function storageOfDigits({ precision, scale }: Digits): Storage {
  const storage = STORAGES[precision]?.[scale];
  if (!storage) throw new RangeError(`No decimal has ${scale} of ${precision} digits`);
  return storage;
}

function wordsOf({ precision, scale }: Digits): string {
  const last = scale === 0 ? "" : `, at most ${scale} of them behind the point,`;
  return `a decimal number of at most ${precision} digits${last} as a string`;
}

/** Returns the pattern of a write or a filter. */
function patternOf({ precision, scale }: DecimalType, sign = "-?"): string {
  const whole = precision === scale ? "0" : `[0-9]{1,${precision - scale}}`;
  return `^${sign}${whole}${scale === 0 ? "" : `(?:\\.[0-9]{1,${scale}})?`}$`;
}

function decimalValues(type: DecimalType): ValueType {
  const { precision, scale } = type;
  const form = new RegExp(patternOf(type));
  const sample = (value: bigint) => decimalText(value, scale);
  const words = wordsOf(type);
  const querySchema = { type: "string", format: "decimal", pattern: patternOf(type) } as const;
  // The bound that JSON Schema can express for a text.
  const bodyPattern = patternOf(type, type.min?.startsWith("-") === false ? "" : "-?");
  const bodyForm = new RegExp(bodyPattern);
  const isOne = (value: unknown): value is string => typeof value === "string" && form.test(value);
  return {
    ...PLAIN_VALUES,
    // Sums, and rows from before the precision was reduced, may have more digits.
    schema: { type: "string", format: "decimal", pattern: decimalPattern(scale) },
    words,
    body: () =>
      z.string({ error: typed(`Must be ${words}`) })
        .refine((text) => bodyForm.test(text), { error: `Must be ${words}` })
        .meta({ format: "decimal", pattern: bodyPattern }),
    querySchema,
    hasText: false,
    hasCase: false,
    read: (text) => isOne(text) ? exact(scaled(text, type)) : undefined,
    expected: words,
    mismatch: (value) => isOne(value) ? null : words,
    normal: (value) => {
      const number = scaled(value, type);
      return number === undefined ? value : sample(number);
    },
    example: () => sample(precision === 1 ? 1n : 15n),
    sample: ({ number }) => sample(BigInt(number) % 10n ** BigInt(precision)),
    neighbours: (value) => {
      const number = scaled(value, type);
      if (number === undefined) return [];
      return [number - 1n, number + 1n].filter((one) => isWithin(one, precision)).map(sample);
    },
    twins: (at) => precision < 6 ? null : [sample(BigInt(10 + at)), sample(BigInt(90_090 - at))],
  };
}

/** Returns the pattern of an answer, which has all digits behind the point. */
export function decimalPattern(scale: number): string {
  return `^-?[0-9]+${scale === 0 ? "" : `\\.[0-9]{${scale}}`}$`;
}

/** Returns the order of values that differ by one in the last digit. */
function scaleOf(type: DecimalType): Scale<string> {
  const { scale } = type;
  const rank = (value: string) => scaled(value, type) ?? 0n;
  return {
    compare: (one, other) => {
      const [a, b] = [rank(one), rank(other)];
      return a < b ? -1 : a > b ? 1 : 0;
    },
    moved: (value, steps) => decimalText(rank(value) + BigInt(steps), scale),
    steps: (from, to) => Number(rank(to) - rank(from)),
    zero: decimalText(0n, scale),
    isNumber: false,
  };
}

export const decimal: ColumnTypeRecord<DecimalType, string> = {
  plain: null,
  aliases: [],
  manager: "client",
  storage: (_ids, type) => storageOfDigits(type),
  // `| 0` changes every value but an integer, and is cheaper than calling typeof().
  fitsSql: (cell) => `(${cell} | 0) = ${cell}`,
  rules: NUMBER_RULES,
  values: (type) => bounded(decimalValues(type), type, scaleOf(type)),
};

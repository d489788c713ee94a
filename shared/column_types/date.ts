/** `q.date()`: a calendar date, stored and answered as `YYYY-MM-DD` (definitions 3). */
import { z } from "zod";
import { bounded, type Bounds, type Scale } from "./bounds.ts";
import { normalizedDate } from "../lib/times.ts";
import type { ColumnTypeRecord, Storage, ValueType } from "./column_type.ts";
import { PLAIN_STORAGE, PLAIN_VALUES, SCALAR_RULES, typed } from "./column_type.ts";

const DAY = 86_400_000;
const WANTED = "Must be an ISO 8601 date such as 2026-01-31";

const DATE_STORAGE: Storage = {
  ...PLAIN_STORAGE,
  sql: "text",
  store: dateOnly,
  operand: dateOnly,
  handler: {
    wanted: WANTED,
    // A `Date` has another day in another time zone, so handlers must pass a text.
    encode: (value) => dateOnly(value) ?? null,
    bound: (value) => dateOnly(value) ?? null,
  },
};

const DATES: ValueType = {
  ...PLAIN_VALUES,
  schema: { type: "string", format: "date" },
  words: "an ISO 8601 date",
  body: () =>
    z.string({ error: typed(WANTED) })
      .refine((text) => dateOnly(text) !== undefined, { error: WANTED })
      .meta({ format: "date" }),
  querySchema: { type: "string", format: "date" },
  hasText: true,
  hasCase: false,
  read: dateOnly,
  expected: "an ISO 8601 date such as 2026-01-31",
  mismatch: (value) => dateOnly(value) === undefined ? "an ISO 8601 date" : null,
  example: () => "2026-01-31",
  sample: ({ now }) => dayOf(now),
  neighbours: (value) => {
    const day = typeof value === "string" ? Date.parse(value) : Number.NaN;
    return Number.isNaN(day) ? [] : [dayOf(day - DAY), dayOf(day + DAY)];
  },
  twins: (at) => [`2020-01-0${1 + at % 8}`, `2031-12-${28 - at % 8}`],
};

interface DateType extends Bounds<string> {
  readonly kind: "date";
}

const DAYS: Scale<string> = {
  compare: (one, other) => Date.parse(one) - Date.parse(other),
  moved: (day, steps) => dayOf(Date.parse(day) + steps * DAY),
  steps: (from, to) => (Date.parse(to) - Date.parse(from)) / DAY,
  zero: dayOf(0),
  isNumber: false,
};

export const date: ColumnTypeRecord<DateType, string> = {
  plain: null,
  aliases: [],
  manager: "client",
  storage: () => DATE_STORAGE,
  // SQLite turns a date that does not exist into the following one.
  fitsSql: (cell) => `date(${cell}) = ${cell}`,
  rules: { ...SCALAR_RULES, hasDay: true },
  values: (type) => bounded(DATES, type, DAYS),
};

function dateOnly(value: unknown): string | undefined {
  return typeof value === "string" && normalizedDate(value) !== null ? value : undefined;
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

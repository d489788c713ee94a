/** `q.timestamp()`: an instant, stored and answered as `YYYY-MM-DDTHH:mm:ss.sssZ`. */
import { z } from "zod";
import { normalizedDate, normalizedDateTime } from "../lib/times.ts";
import { bounded, type Bounds, type Scale } from "./bounds.ts";
import type { ColumnTypeRecord, Storage, ValueType } from "./column_type.ts";
import { PLAIN_STORAGE, PLAIN_VALUES, SCALAR_RULES, typed } from "./column_type.ts";

const HOUR = 3_600_000;

const TIMESTAMP_STORAGE: Storage = {
  ...PLAIN_STORAGE,
  sql: "text",
  store: (value) => typeof value === "string" ? normalizedDateTime(value) ?? undefined : undefined,
  operand: (value) => typeof value === "string" ? comparedTime(value) : undefined,
  handler: {
    wanted: "Must be an ISO 8601 date and time with Z or an offset",
    encode: instantOf,
    bound: instantOf,
  },
};

const TIMESTAMP_QUERY = {
  anyOf: [{ type: "string", format: "date-time" }, { type: "string", format: "date" }],
} as const;

const TIMESTAMPS: ValueType = {
  ...PLAIN_VALUES,
  schema: { type: "string", format: "date-time" },
  words: "an ISO 8601 date-time",
  body: () =>
    z.string({ error: typed("Must be an ISO 8601 date-time") })
      .refine((text) => normalizedDateTime(text) !== null, {
        error: "Must be an ISO 8601 date-time with Z or an offset",
      })
      .meta({ format: "date-time" }),
  querySchema: TIMESTAMP_QUERY,
  hasText: true,
  hasCase: false,
  read: comparedTime,
  expected: "an ISO 8601 date, or a date-time with Z or an offset (a plus sign is written %2B)",
  mismatch: (value) => {
    if (typeof value !== "string") return "a string";
    return normalizedDateTime(value) === null ? "an ISO 8601 date-time with time zone" : null;
  },
  normal: (value) => typeof value === "string" ? normalizedDateTime(value) ?? value : value,
  example: () => "2026-01-31T10:20:30.000Z",
  sample: ({ now }) => new Date(now).toISOString(),
  neighbours: (value) => {
    const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
    if (Number.isNaN(time)) return [];
    return [time - HOUR, time + HOUR].map((one) => new Date(one).toISOString());
  },
  twins: (at) => [`2020-01-0${1 + at % 8}T00:00:00.000Z`, `2031-12-${28 - at % 8}T23:59:59.999Z`],
};

interface TimestampType extends Bounds<string> {
  readonly kind: "timestamp";
}

const HOURS: Scale<string> = {
  compare: (one, other) => Date.parse(one) - Date.parse(other),
  moved: (instant, steps) => new Date(Date.parse(instant) + steps * HOUR).toISOString(),
  steps: (from, to) => (Date.parse(to) - Date.parse(from)) / HOUR,
  zero: new Date(0).toISOString(),
  isNumber: false,
};

export const timestamp: ColumnTypeRecord<TimestampType, string> = {
  plain: null,
  aliases: ["datetime"],
  manager: "client",
  storage: () => TIMESTAMP_STORAGE,
  // The digits are not checked one by one, because every row has two such columns.
  fitsSql: (cell) => `${cell} GLOB '????-??-??T??:??:??.???Z'`,
  rules: { ...SCALAR_RULES, isInstant: true, hasDay: true },
  values: (type) => bounded(TIMESTAMPS, type, HOURS),
};

/** Accepts a date in filters and conditions, and takes its first moment in UTC. */
function comparedTime(text: string): string | undefined {
  return normalizedDateTime(text) ?? normalizedDate(text) ?? undefined;
}

function instantOf(value: unknown): string | null {
  if (typeof value === "string") return normalizedDateTime(value);
  const isDate = value instanceof Date && !Number.isNaN(value.getTime());
  // A year with more than four digits has another spelling, which is refused.
  return isDate ? normalizedDateTime(value.toISOString()) : null;
}

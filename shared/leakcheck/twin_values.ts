/**
 * Two values of a masked column that look the same under its mask, and differ in everything else: length, order, content
 * (definitions 4.4).
 */
import { valuesOf } from "../column_types/mod.ts";
import type { JsonValue } from "../model/column.ts";
import type { MaskType } from "../model/mask.ts";
import type { HiddenColumn } from "./hidden_columns.ts";

export type TwinValues = readonly [one: JsonValue, other: JsonValue];

/** Ascending in the one, descending in the other; null: there are no two values under one mask. */
export function twinValues({ column, table, mask }: HiddenColumn, at: number): TwinValues | null {
  const values = valuesOf(column, table);
  if (mask.type === "redact") return values.twins(at);
  const twins = SHOWN_IN_PART[mask.type](at);
  return twins.every((text) => values.mismatch(text) === null) ? twins : null;
}

/** Counts down as the row counts up. */
function falling(at: number): number {
  return 90 - at;
}

/** First letters are what some masks show: unlike any other row's, so that the mask tells the rows apart. */
function letter(at: number): string {
  return String.fromCharCode("a".charCodeAt(0) + at % 26);
}

/** The last four digits are what these masks show. */
function lastFour(at: number): string {
  return String(4000 + at);
}

type TextTwins = readonly [string, string];

const SHOWN_IN_PART: Readonly<Record<Exclude<MaskType, "redact">, (at: number) => TextTwins>> = {
  email: (at) => [
    `${letter(at)}a${at}@${letter(at)}b.com`,
    `${letter(at)}z.longer.${falling(at)}@${letter(at)}very.other.com`,
  ],
  phone: (at) => [`555100${lastFour(at)}`, `+49 (171) ${falling(at)} ${lastFour(at)}`],
  ssn: (at) => [`12345${lastFour(at)}`, `987-65-${lastFour(at)}`],
  creditCard: (at) => [`41111111${lastFour(at)}`, `5500-0000-0000-${lastFour(at)}`],
  name: (at) => [
    `${letter(at)}da ${letter(at)}yron${at}`,
    `${letter(at)}lexandra Maria ${letter(at)}artholomew${falling(at)}`,
  ],
};

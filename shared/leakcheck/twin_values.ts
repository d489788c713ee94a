/**
 * Two values of a masked column that look the same under its mask, and differ in everything else: length, order, content
 * (definitions 4.4).
 */
import type { JsonValue } from "../model/column.ts";
import type { MaskType } from "../model/mask.ts";
import { type ValueKind, valueKindOf } from "../surface/column_kinds.ts";
import type { HiddenColumn } from "./hidden_columns.ts";

export type TwinValues = readonly [one: JsonValue, other: JsonValue];

/** Ascending in the one, descending in the other; null: there are no two values under one mask. */
export function twinValues({ column, table, mask }: HiddenColumn, at: number): TwinValues | null {
  const kind = valueKindOf(column, table);
  if (mask.type === "redact") return redactedTwins(kind, at);
  if (kind.kind !== "string") return null;
  const twins = SHOWN_IN_PART[mask.type](at);
  const { maxLength } = kind;
  return maxLength === null || twins.every((text) => text.length <= maxLength) ? twins : null;
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

function redactedTwins(kind: ValueKind, at: number): TwinValues | null {
  switch (kind.kind) {
    case "string":
      return textTwins([`a${at}`, `z${falling(at)} a longer secret`], kind.maxLength);
    case "url":
      return textTwins(
        [`https://a.example/${at}`, `https://z.example.org/longer/${falling(at)}`],
        kind.maxLength,
      );
    case "enum": {
      const { values } = kind;
      const [one, other] = [values[at % values.length], values[(at + 1) % values.length]];
      return one === undefined || other === undefined || one === other ? null : [one, other];
    }
    case "integer":
      return [10 + at, 90_000 + falling(at)];
    case "number":
      return [10.25 + at, 90_000.5 + falling(at)];
    case "boolean":
      return [at % 2 === 0, at % 2 !== 0];
    case "timestamp":
      return [`2020-01-0${1 + at % 8}T00:00:00.000Z`, `2031-12-${28 - at % 8}T23:59:59.999Z`];
    case "json":
      return [{ low: at }, { secret: ["a longer text", falling(at)] }];
    case "id":
      return null;
  }
}

/** Cut where a column is too short for the whole; null: nothing is left to differ in. */
function textTwins([one, other]: TextTwins, maxLength: number | null): TwinValues | null {
  if (maxLength === null) return [one, other];
  const cut: TextTwins = [one.slice(0, maxLength), other.slice(0, maxLength)];
  return cut[0] === cut[1] || one.length > maxLength ? null : cut;
}

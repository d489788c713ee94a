/**
 * Two values of a masked column that look the same under its mask, and differ in everything else: length, order, content
 * (definitions 4.4).
 */
import { valuesOf } from "../../shared/column_types/mod.ts";
import { maskRecord } from "../../shared/contract/masks.ts";
import type { JsonValue } from "../../shared/model/column.ts";
import type { HiddenColumn } from "./hidden_columns.ts";

export type TwinValues = readonly [one: JsonValue, other: JsonValue];

/** Ascending in the one, descending in the other; null: there are no two values under one mask. */
export function twinValues({ column, table, mask }: HiddenColumn, at: number): TwinValues | null {
  const values = valuesOf(column, table);
  const twins = maskRecord(mask.type).twins(at);
  if (twins === null) return values.twins(at);
  return twins.every((text) => values.mismatch(text) === null) ? twins : null;
}

/**
 * Positions in an order (contract 4.3, definitions 7 "Sort" and "Cursors"). The rows after a position are selected by
 * conditions that an index can seek. NULLs come first in ascending order; the primary key is always the last key.
 */
import { columnNamed } from "../../surface/mod.ts";
import type { ColumnModel, SortKey, TableModel } from "../../model/mod.ts";
import type { SqlValue } from "../ports.ts";
import { cellSql, equalsSql } from "./conditions.ts";
import { allOf, EVERY_ROW, type Fragment, fragment } from "./sql.ts";

export interface OrderKey {
  readonly column: ColumnModel;
  readonly descending: boolean;
}

/**
 * Returns a total order: the sort followed by the primary key, in the direction of the key before it. Keys after the primary
 * key are dropped.
 */
export function orderKeys(sort: readonly SortKey[], table: TableModel): readonly OrderKey[] {
  const keys: OrderKey[] = [];
  for (
    const { column, descending } of [...sort, {
      column: table.primaryKey,
      descending: sort.at(-1)?.descending ?? false,
    }]
  ) {
    if (keys.some((key) => key.column.name === column)) continue;
    keys.push({ column: columnNamed(column, table), descending });
    if (column === table.primaryKey) break;
  }
  return keys;
}

export function orderSql(keys: readonly OrderKey[], alias: string): string {
  return keys
    .map(({ column, descending }) => `${cellSql(column, alias)} ${descending ? "DESC" : "ASC"}`)
    .join(", ");
}

export function reversed(keys: readonly OrderKey[]): readonly OrderKey[] {
  return keys.map(({ column, descending }) => ({ column, descending: !descending }));
}

/**
 * Returns conditions for the rows after a position, of which each row meets at most one. Each is a run of equal keys followed
 * by a range, so an index can seek it.
 */
export function beyondSql(
  keys: readonly OrderKey[],
  values: readonly SqlValue[],
  alias: string,
): readonly Fragment[] {
  const places = keys.map((key, at): Place => ({
    ...key,
    cell: cellSql(key.column, alias),
    value: values[at] ?? null,
  }));
  return beyond(places, EVERY_ROW);
}

interface Place extends OrderKey {
  readonly cell: string;
  readonly value: SqlValue;
}

function beyond(places: readonly Place[], run: Fragment): readonly Fragment[] {
  const [first, ...rest] = places;
  if (!first) return [];
  // A row value needs one direction, and no NULL that would come after the position.
  const descending = places[0]?.descending ?? false;
  if (
    places.every((place) =>
      place.value !== null && place.descending === descending &&
      !(descending && place.column.nullable)
    )
  ) return [within(run, rowValueSql(places, first))];
  const equal = equalsSql(first.cell, first.value);
  return [
    ...beyond(rest, within(run, equal)),
    ...strictlyBeyond(first).map((range) => within(run, range)),
  ];
}

function rowValueSql(places: readonly Place[], { descending }: Place): Fragment {
  const cells = places.map(({ cell }) => cell).join(", ");
  const marks = places.map(() => "?").join(", ");
  return fragment(
    `(${cells}) ${descending ? "<" : ">"} (${marks})`,
    ...places.map(({ value }) => value),
  );
}

function strictlyBeyond({ cell, value, descending, column }: Place): readonly Fragment[] {
  if (!descending) {
    return [value === null ? fragment(`${cell} IS NOT NULL`) : fragment(`${cell} > ?`, value)];
  }
  if (value === null) return [];
  const nulls = column.nullable ? [fragment(`${cell} IS NULL`)] : [];
  return [fragment(`${cell} < ?`, value), ...nulls];
}

function within(run: Fragment, range: Fragment): Fragment {
  return run === EVERY_ROW ? range : allOf([run, range]);
}

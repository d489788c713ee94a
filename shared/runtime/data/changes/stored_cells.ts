/** Conversion of stored values and rows to JSON and back. */
import { z } from "zod";
import type { SqlValue } from "../../ports.ts";
import type { StoredRow } from "../types.ts";

/** A stored value in JSON. An integer that a JSON number cannot hold is `{ "int": "…" }`. */
export const CELL = z.union([
  z.string(),
  z.number(),
  z.null(),
  z.strictObject({ int: z.string().regex(/^-?\d{1,19}$/) }),
]);
export type Cell = z.infer<typeof CELL>;

/** Cells by column. */
export type Cells = Readonly<Record<string, Cell>>;

export function cellOf(value: SqlValue): Cell {
  if (value instanceof Uint8Array) throw new TypeError("A row with bytes cannot be told");
  return typeof value === "bigint" ? { int: String(value) } : value;
}

export function storedOf(cell: Cell): SqlValue {
  return typeof cell === "object" && cell !== null ? BigInt(cell.int) : cell;
}

export function cellsOf(row: StoredRow): Record<string, Cell> {
  return Object.fromEntries([...row].map(([name, value]) => [name, cellOf(value)]));
}

export function rowOf(cells: Cells): StoredRow {
  return new Map(Object.entries(cells).map(([name, cell]) => [name, storedOf(cell)]));
}

/**
 * Records from which columns a handler's rows take their members, so that a masked value stays masked under another name
 * (contract 4.4 rule 1).
 */
import { Column, is, SQL } from "drizzle-orm";
import type { TableModel } from "../../../model/mod.ts";
import type { ColumnOrigin } from "./result_columns.ts";
import type { TableIndex } from "./scope.ts";

export interface ReadOrigin {
  readonly table: TableModel;
  /** API name. */
  readonly column: string;
  /** True for an expression over the column, such as its maximum. */
  readonly isComputed: boolean;
  /** True when raw SQL read it, so that the value may depend on the column in any way. */
  readonly isRaw?: boolean;
}

/** A member of a row with its drizzle field. */
export interface SelectedField {
  readonly path: readonly string[];
  readonly field: unknown;
}

export class ReadOrigins {
  readonly #members = new WeakMap<object, Map<string, readonly ReadOrigin[]>>();

  /** Origins of a member; empty: unknown, or not read under this name. */
  of(holder: unknown, member: string): readonly ReadOrigin[] {
    const isObject = typeof holder === "object" && holder !== null;
    return (isObject ? this.#members.get(holder)?.get(member) : undefined) ?? [];
  }

  /** Records the renamed members of rows as drizzle assembled them. */
  note(rows: readonly unknown[], fields: readonly SelectedField[], index: TableIndex): void {
    for (const { path, field } of fields) {
      const member = path.at(-1) ?? "";
      const origins = originsOf(field, index, { isComputed: false }).filter((one) => {
        // A column under its own name is recognized anyway.
        const sqlName = one.table.columns.find(({ name }) => name === one.column)?.sqlName;
        return one.isComputed || (member !== one.column && member !== sqlName);
      });
      if (origins.length === 0) continue;
      for (const row of rows) this.#add(path.slice(0, -1).reduce(memberOf, row), member, origins);
    }
  }

  /** Records the members of raw SQL's rows by what each cell depends on. */
  noteRaw(
    rows: readonly unknown[],
    members: readonly (readonly string[])[],
    cells: readonly (readonly ColumnOrigin[])[],
  ): void {
    for (const [at, path] of members.entries()) {
      const origins = (cells[at] ?? []).map((one) => ({ ...one, isComputed: true, isRaw: true }));
      if (origins.length === 0) continue;
      for (const row of rows) {
        this.#add(path.slice(0, -1).reduce(memberOf, row), path.at(-1) ?? "", origins);
      }
    }
  }

  #add(holder: unknown, member: string, origins: readonly ReadOrigin[]): void {
    if (typeof holder !== "object" || holder === null) return;
    const members = this.#members.get(holder) ?? new Map<string, readonly ReadOrigin[]>();
    this.#members.set(holder, members.set(member, [...members.get(member) ?? [], ...origins]));
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** Symbol under which an aliased table keeps its original name. */
const OWN_NAME = Symbol.for("drizzle:OriginalName");

function originsOf(
  field: unknown,
  index: TableIndex,
  { isComputed }: Pick<ReadOrigin, "isComputed">,
): readonly ReadOrigin[] {
  if (is(field, Column)) {
    const name: unknown = Reflect.get(field.table, OWN_NAME);
    const table = index.tables.get(String(name).toLowerCase());
    const column = table?.columns.find(({ sqlName }) => sqlName === field.name);
    return table && column ? [{ table, column: column.name, isComputed }] : [];
  }
  if (is(field, SQL)) {
    return field.queryChunks.flatMap((one) => originsOf(one, index, { isComputed: true }));
  }
  return is(field, SQL.Aliased) ? originsOf(field.sql, index, { isComputed: true }) : [];
}

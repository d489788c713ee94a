/**
 * From which columns a handler's builders took the members of their rows, whatever names the handler gave them: what is masked
 * stays masked under another name (contract 4.4 rule 1).
 */
import { Column, is, SQL } from "drizzle-orm";
import type { TableModel } from "../../../model/mod.ts";
import type { ColumnOrigin } from "./result_columns.ts";
import type { TableIndex } from "./scope.ts";

export interface ReadOrigin {
  readonly table: TableModel;
  /** API name. */
  readonly column: string;
  /** An expression over the column, such as its maximum. */
  readonly isComputed: boolean;
  /** Read by raw SQL: how the value depends on the column is not known. */
  readonly isRaw?: boolean;
}

/** A member of a row and the drizzle field behind it. */
export interface SelectedField {
  readonly path: readonly string[];
  readonly field: unknown;
}

export class ReadOrigins {
  readonly #members = new WeakMap<object, Map<string, readonly ReadOrigin[]>>();

  /** None: the member was not read under this name, or nothing is known of it. */
  of(holder: unknown, member: string): readonly ReadOrigin[] {
    const isObject = typeof holder === "object" && holder !== null;
    return (isObject ? this.#members.get(holder)?.get(member) : undefined) ?? [];
  }

  /** Notes the renamed members of rows as drizzle has put them together. */
  note(rows: readonly unknown[], fields: readonly SelectedField[], index: TableIndex): void {
    for (const { path, field } of fields) {
      const member = path.at(-1) ?? "";
      const origins = originsOf(field, index, { isComputed: false }).filter((one) => {
        // Under its own name a column is known wherever it stands.
        const sqlName = one.table.columns.find(({ name }) => name === one.column)?.sqlName;
        return one.isComputed || (member !== one.column && member !== sqlName);
      });
      if (origins.length === 0) continue;
      for (const row of rows) this.#add(path.slice(0, -1).reduce(memberOf, row), member, origins);
    }
  }

  /** Notes members of rows that raw SQL gave, by what each of their cells depends on. */
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

/** Under it a table keeps its own name when a query calls it by another one. */
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

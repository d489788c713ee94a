/**
 * Keeps the current state of rows while questions are planned one after the other: relations are followed into these rows
 * (definitions 4.1).
 */
import type { ProjectModel, TableModel } from "../../shared/model/mod.ts";
import type { World as Related } from "../../shared/oracle/judge.ts";
import type { SeedRow, SeedValues } from "./seed_row.ts";

export class StandingRows {
  readonly #rows: Map<string, readonly SeedValues[]>;

  constructor({ tables }: ProjectModel, rows: readonly SeedRow[]) {
    const seeded = Map.groupBy(rows, ({ table }) => table.name);
    this.#rows = new Map(
      tables.map(({ name }) => [name, (seeded.get(name) ?? []).map(({ values }) => values)]),
    );
  }

  get world(): Related {
    return this.#rows;
  }

  /** Returns the world with one row added, or replaced by id. */
  worldWith(table: TableModel, row: SeedValues): Related {
    return new Map([...this.#rows, [table.name, [...this.#without(table, row), row]]]);
  }

  /** Records that a request creates or changes the row. */
  put(table: TableModel, row: SeedValues): void {
    this.#rows.set(table.name, [...this.#without(table, row), row]);
  }

  /** Records that a request removes the row. */
  remove(table: TableModel, row: SeedValues): void {
    this.#rows.set(table.name, this.#without(table, row));
  }

  /** Returns the rows except the one with this id. A row whose id the service generates replaces none. */
  #without({ name, primaryKey }: TableModel, row: SeedValues): readonly SeedValues[] {
    const id = row[primaryKey] ?? null;
    const rows = this.#rows.get(name) ?? [];
    return id === null ? rows : rows.filter((one) => one[primaryKey] !== id);
  }
}

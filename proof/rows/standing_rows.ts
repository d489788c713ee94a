/** Rows as they stand while questions are planned one after the other: what relations are followed into (definitions 4.1). */
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

  /** The world with one row put in place of the one of its id, or added to it. */
  worldWith(table: TableModel, row: SeedValues): Related {
    return new Map([...this.#rows, [table.name, [...this.#without(table, row), row]]]);
  }

  /** Notes that a request makes the row, or leaves it so. */
  put(table: TableModel, row: SeedValues): void {
    this.#rows.set(table.name, [...this.#without(table, row), row]);
  }

  /** Notes that a request removes the row. */
  remove(table: TableModel, row: SeedValues): void {
    this.#rows.set(table.name, this.#without(table, row));
  }

  /** A row whose id the service makes takes the place of none. */
  #without({ name, primaryKey }: TableModel, row: SeedValues): readonly SeedValues[] {
    const id = row[primaryKey] ?? null;
    const rows = this.#rows.get(name) ?? [];
    return id === null ? rows : rows.filter((one) => one[primaryKey] !== id);
  }
}

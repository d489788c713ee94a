/** Writes seeds into a database, bypassing the API, reads them again and removes them. */
import { columnNamed, storedColumns } from "../../shared/surface/mod.ts";
import { restored, storageOf, stored } from "../../shared/column_types/mod.ts";
import { sqlIdentifier } from "../../shared/lib/sql_text.ts";
import { type ProjectModel, serviceRecords, type TableModel } from "../../shared/model/mod.ts";
import type { Home } from "../../shared/oracle/principal_class.ts";
import { organizationOf } from "./own_databases.ts";
import type { RowId } from "./row_ids.ts";
import type { SeedRow, SeedValues } from "./seed_row.ts";
import { runPrefix } from "./world.ts";

export type SeedSqlValue = string | number | bigint | Uint8Array | null;

export interface SeedStatement {
  readonly sql: string;
  readonly args: readonly SeedSqlValue[];
}

interface SeedRunner {
  run(
    statement: SeedStatement,
  ): Promise<{ readonly rows: readonly (readonly SeedSqlValue[])[] }>;
}

/** Database of a seeding; the runtime's own port has this type. */
export interface SeedDatabase extends SeedRunner {
  write<T>(body: (transaction: SeedRunner) => Promise<T>): Promise<T>;
}

/** Databases of a seeding. */
export interface SeedPlaces {
  readonly database: SeedDatabase;
  /** Databases of organizations, if each has its own; absent: one database has all rows. */
  readonly organizations?: SeedOrganizations | undefined;
  /** All organizations, with their teams. */
  readonly homes: readonly Home[];
}

export interface SeedOrganizations {
  /** Returns the organization's database, created if it does not exist. */
  of(organizationId: string): SeedDatabase;
  /** Removes everything that was created for the organizations. */
  end(organizationIds: readonly string[]): Promise<void>;
}

/** Returns the organization whose database has the row; null: the shared database has it. */
function placeOf(row: SeedRow, { organizations, homes }: SeedPlaces): string | null {
  return organizations ? organizationOf(row, homes) : null;
}

function databaseOf(place: string | null, { database, organizations }: SeedPlaces): SeedDatabase {
  return organizations && place !== null ? organizations.of(place) : database;
}

/** Rows may refer to each other in any order: references are checked at the end of the transaction. */
const DEFERRED: SeedStatement = { sql: "PRAGMA defer_foreign_keys = ON", args: [] };

export async function insertSeeds(places: SeedPlaces, rows: readonly SeedRow[]): Promise<void> {
  for (const [place, own] of Map.groupBy(rows, (row) => placeOf(row, places))) {
    await insertInto(databaseOf(place, places), own);
  }
}

async function insertInto(database: SeedDatabase, rows: readonly SeedRow[]): Promise<void> {
  await database.write(async (transaction) => {
    await transaction.run(DEFERRED);
    for (const [table, ofTable] of Map.groupBy(rows, (row) => row.table)) {
      const columns = storedColumns(table);
      const size = Math.max(1, Math.floor(VALUES_MAX / columns.length));
      for (let at = 0; at < ofTable.length; at += size) {
        const rows = ofTable.slice(at, at + size);
        const names = columns.map(({ sqlName }) => sqlIdentifier(sqlName)).join(", ");
        const marks = `(${columns.map(({ type }) => storageOf(type).write("?")).join(", ")})`;
        await transaction.run({
          sql: `INSERT INTO ${sqlIdentifier(table.sqlName)} (${names}) VALUES ${
            rows.map(() => marks).join(", ")
          }`,
          args: rows.flatMap(({ values }) =>
            columns.map((column) => stored(column, values[column.name] ?? null))
          ),
        });
      }
    }
  });
}

/** Maximum number of values in one statement, far below the limit of any SQLite. */
const VALUES_MAX = 900;

/** Reads a seed again; null if the row no longer exists. */
export async function storedSeed(places: SeedPlaces, row: SeedRow): Promise<SeedValues | null> {
  const database = databaseOf(placeOf(row, places), places);
  const [record = null] = await storedRecords(database, row.table, [row.id]);
  return record;
}

/** Reads rows by their ids, or by another column, in the form of answers; missing ones are left out. */
export async function storedRecords(
  database: SeedRunner,
  table: TableModel,
  ids: readonly (string | number)[],
  by = table.primaryKey,
): Promise<readonly SeedValues[]> {
  const columns = table.columns.map(({ sqlName, type }) =>
    storageOf(type).read(sqlIdentifier(sqlName))
  ).join(", ");
  const { rows } = await database.run({
    sql: `SELECT ${columns} FROM ${sqlIdentifier(table.sqlName)}
      WHERE ${columnSql(table, by)} IN (${ids.map(() => "?").join(", ")})`,
    args: ids,
  });
  return rows.map((cells) =>
    Object.fromEntries(
      table.columns.map((column, at) => [column.name, restored(column, cells[at] ?? null)]),
    )
  );
}

/** Returns the first free integer of each table that numbers its rows. */
export async function firstFreeIds(
  database: SeedRunner,
  { tables }: ProjectModel,
): Promise<ReadonlyMap<string, number>> {
  const counting = tables.filter(({ idStrategy }) => idStrategy === "serial");
  const free = new Map<string, number>();
  for (const table of counting) {
    const { rows } = await database.run({
      sql: `SELECT coalesce(max(${keyOf(table)}), 0) FROM ${sqlIdentifier(table.sqlName)}`,
      args: [],
    });
    free.set(table.name, Number(rows[0]?.[0] ?? 0) + 1);
  }
  return free;
}

/** Removes everything that has a name of the run, and rows that the API created for callers without a name. */
export async function removeSeeds(
  { database, organizations, homes }: SeedPlaces,
  model: ProjectModel,
  run: string,
  created: Created,
): Promise<void> {
  await removeFrom(database, model, run, created);
  await organizations?.end(homes.map(({ organizationId }) => organizationId));
}

type Created = readonly { readonly table: TableModel; readonly id: RowId }[];

/** Removes the rows that a run left in one database. */
export async function removeFrom(
  database: SeedDatabase,
  model: ProjectModel,
  run: string,
  created: Created,
): Promise<void> {
  const prefix = runPrefix(run);
  await database.write(async (transaction) => {
    await transaction.run(DEFERRED);
    for (const { table, id } of created) {
      await transaction.run({
        sql: `DELETE FROM ${sqlIdentifier(table.sqlName)} WHERE ${keyOf(table)} = ?`,
        args: [id],
      });
    }
    for (const statement of await sweeps(model, prefix, transaction)) {
      await transaction.run(statement);
    }
  });
}

/** Further tables in which a run leaves rows: the service's own, and those of its accounts. */
const SWEPT: readonly { readonly name: string; readonly names: readonly string[] }[] = [
  ...serviceRecords().map(({ table, sweptBy }) => ({ name: table.name, names: sweptBy })),
  { name: "auth_apikey", names: ["reference_id"] },
  { name: "auth_oauth_grant", names: ["user_id"] },
  { name: "auth_oauth_client", names: ["id"] },
  { name: "auth_session", names: ["user_id"] },
  { name: "auth_member", names: ["user_id"] },
  { name: "auth_organization", names: ["id"] },
  { name: "auth_user", names: ["id"] },
];

/**
 * Makes the deletions by the prefix of the run's names. They compare with a range, because `LIKE` would read `_` as any
 * character.
 */
async function sweeps(
  { tables }: ProjectModel,
  prefix: string,
  runner: SeedRunner,
): Promise<readonly SeedStatement[]> {
  const between = (column: string) =>
    `${sqlIdentifier(column)} >= ? AND ${sqlIdentifier(column)} < ?`;
  const end = `${prefix.slice(0, -1)}\``;
  const own = tables.map((table) => {
    const names = table.columns.filter(({ manager, name }) =>
      manager === "scope" || name === "createdBy"
    ).map(({ sqlName }) => sqlName);
    return { name: table.sqlName, names };
  });
  const { rows } = await runner.run({
    sql: "SELECT name FROM sqlite_master WHERE type = 'table'",
    args: [],
  });
  const there = new Set(rows.map(([name]) => name));
  return [...own, ...SWEPT]
    .filter(({ name, names }) => names.length > 0 && there.has(name))
    .map(({ name, names }) => ({
      sql: `DELETE FROM ${sqlIdentifier(name)} WHERE ${names.map(between).join(" OR ")}`,
      args: names.flatMap(() => [prefix, end]),
    }));
}

function keyOf(table: TableModel): string {
  return columnSql(table, table.primaryKey);
}

function columnSql(table: TableModel, name: string): string {
  return sqlIdentifier(columnNamed(name, table).sqlName);
}

/** The database of this process, with every migration of the project applied. */
import { fileURLToPath } from "node:url";
import { type Environment, openDatabase, readBaseline, readMigrations } from "quickback/platform";
import { applyMigrations, recordBaseline } from "quickback/runtime";

const MIGRATIONS = fileURLToPath(new URL("../quickback/drizzle/features", import.meta.url));

/** `isBaseline`: the database has the tables of the first migration, which is recorded and not applied. */
export async function openMigratedDatabase(
  { databaseUrl, databaseAuthToken }: Environment,
  isBaseline = false,
) {
  const database = await openDatabase({
    url: databaseUrl,
    ...(databaseAuthToken === null ? {} : { authToken: databaseAuthToken }),
  });
  const recorded = isBaseline && await recordBaseline(database, await readBaseline(MIGRATIONS));
  const migrations = await readMigrations(MIGRATIONS);
  const applied = await applyMigrations(database, migrations);
  return { database, recorded, migrations, applied };
}

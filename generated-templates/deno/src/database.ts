/** The database of this process, with every migration of the project applied. */
import { fileURLToPath } from "node:url";
import { type Environment, openDatabase, readMigrations } from "quickback/platform";
import { applyMigrations } from "quickback/runtime";

const MIGRATIONS = fileURLToPath(new URL("../quickback/drizzle/features", import.meta.url));

export async function openMigratedDatabase({ databaseUrl, databaseAuthToken }: Environment) {
  const database = await openDatabase({
    url: databaseUrl,
    ...(databaseAuthToken === null ? {} : { authToken: databaseAuthToken }),
  });
  const applied = await applyMigrations(database, await readMigrations(MIGRATIONS));
  return { database, applied };
}

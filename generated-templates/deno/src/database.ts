/** Opens the databases of this process, with all migrations applied. */
import { fileURLToPath } from "node:url";
import {
  consoleLogger,
  type Environment,
  openDatabase,
  openTenantStore,
  readBaseline,
  readMigrations,
  systemClock as clock,
  systemTimer as timer,
} from "quickback/platform";
import { project } from "quickback/project";
import { applyOwnMigrations, openTenantDatabases, recordBaseline } from "quickback/runtime";

const MIGRATIONS = fileURLToPath(new URL("../quickback/drizzle/features", import.meta.url));

/**
 * Opens the databases. `isBaseline`: the database already has the tables of the first migration, which is recorded and not
 * applied. `isTakenOver`: the database belongs to this project under an earlier name. With databases of organizations,
 * `database` is the directory of `tenants`, which migrate on first use.
 */
export async function openMigratedDatabase(
  environment: Environment,
  { isBaseline = false, isTakenOver = false }: {
    readonly isBaseline?: boolean;
    readonly isTakenOver?: boolean;
  } = {},
) {
  const { databaseUrl, databaseAuthToken, statementLimits: limits, tenants } = environment;
  const { adminUrl, poolSize } = tenants;
  const isApart = project.database.tenancy === "perOrganization";
  const database = await openDatabase({
    url: databaseUrl,
    limits,
    ...(databaseAuthToken === null ? {} : { authToken: databaseAuthToken }),
    ...(isApart && adminUrl !== null ? { namespace: "default" } : {}),
  });
  const recorded = isBaseline && await recordBaseline(database, await readBaseline(MIGRATIONS));
  const migrations = await readMigrations(MIGRATIONS);
  const home = isApart ? "directory" : null;
  const applied = await applyOwnMigrations(database, project, { migrations, home, isTakenOver });
  const store = isApart ? await openTenantStore(environment) : null;
  const logger = consoleLogger({ clock });
  const databases = store &&
    openTenantDatabases({
      project,
      directory: database,
      store,
      migrations,
      clock,
      logger,
      timer,
      poolSize,
    });
  return { database, tenants: databases, store, recorded, migrations, applied };
}

/** Opens the databases in which a run plants its rows: those of the live API (definitions 8). */
import {
  openDatabase,
  openTenantStore,
  systemClock as clock,
  type TenantPlace,
} from "../../../library/platform/mod.ts";
import type { SeedOrganizations } from "../../../proof/rows/mod.ts";
import { type Database, scratchTenants } from "../../../shared/runtime/mod.ts";

interface Places {
  /** Shared database; the directory, if each organization has its own database. */
  readonly database: Database;
  /** Null: the one database has all rows. */
  readonly organizations: SeedOrganizations | null;
  close(): Promise<void>;
}

export async function openPlaces(live: {
  readonly databaseUrl: string;
  readonly databaseAuthToken: string | null;
  readonly tenants: TenantPlace;
}, isApart: boolean): Promise<Places> {
  const { databaseUrl: url, databaseAuthToken: authToken, tenants } = live;
  const database = await openDatabase({
    url,
    ...(authToken === null ? {} : { authToken }),
    ...(isApart && tenants.adminUrl !== null ? { namespace: "default" } : {}),
  });
  if (!isApart) return { database, organizations: null, close: () => database.close() };
  const store = await openTenantStore(live);
  return {
    database,
    organizations: scratchTenants({ directory: database, store, clock }),
    async close() {
      await store.close();
      await database.close();
    },
  };
}

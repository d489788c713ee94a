/** Opens the place of the databases of organizations (definitions 8, `DATABASE_TENANTS`, `DATABASE_ADMIN_URL`). */
import { dirname, join } from "node:path";
import type { TenantStore } from "../shared/runtime/ports.ts";
import { BUSY_TIMEOUT_MS, filePathOf } from "./open_database.ts";
import type { Environment } from "./read_environment.ts";

type Place = Pick<Environment, "databaseUrl" | "databaseAuthToken" | "tenants">;

/** Beside a directory in a file: files of a folder. On a server: its namespaces. */
export async function openTenantStore(
  { databaseUrl, databaseAuthToken, tenants }: Place,
): Promise<TenantStore> {
  const { folder, adminUrl, adminToken } = tenants;
  if (databaseUrl.startsWith("file:")) {
    // The native driver is loaded by whoever needs it: a host with a libSQL server may allow none.
    const { openTenantFiles } = await import("./libsql/tenant_files.ts");
    return await openTenantFiles({
      folder: folder ?? join(dirname(filePathOf(databaseUrl)), "tenants"),
      busyTimeout: BUSY_TIMEOUT_MS,
      synchronous: "FULL",
    });
  }
  if (adminUrl === null) {
    throw new Error(
      "Cannot start: DATABASE_ADMIN_URL must name the admin interface of the server, where organizations get their databases",
    );
  }
  const { openNamespaces } = await import("./libsql/tenant_namespaces.ts");
  return openNamespaces({
    url: databaseUrl,
    authToken: databaseAuthToken,
    adminUrl,
    adminToken,
    busyTimeout: BUSY_TIMEOUT_MS,
  });
}

/** Opens the store of organizations' databases (definitions 8, `DATABASE_TENANTS`, `DATABASE_ADMIN_URL`). */
import { dirname, join } from "node:path";
import { onceMade } from "../../shared/lib/memo.ts";
import type { TenantStore } from "../../shared/runtime/ports.ts";
import { BUSY_TIMEOUT_MS, filePathOf } from "./open_database.ts";
import { type Environment, TENANTS_FOLDER } from "./read_environment.ts";

type Place =
  & Pick<Environment, "databaseUrl" | "databaseAuthToken" | "tenants">
  & Partial<Pick<Environment, "statementLimits">>;

/** Opens the store: a folder beside a directory in a file, namespaces of a server, or URLs. */
export async function openTenantStore(place: Place): Promise<TenantStore> {
  const { databaseUrl, tenants: { folder, urlTemplate } } = place;
  const known = new Map<string, () => Promise<TenantStore>>();
  const opened = (address: string) => {
    const open = known.get(address) ?? onceMade(() => openPlace(address, place));
    known.set(address, open);
    return open();
  };
  const own = await openPlace(
    databaseUrl.startsWith("file:") && urlTemplate === null
      ? `file:${folder ?? join(dirname(filePathOf(databaseUrl)), TENANTS_FOLDER)}`
      : databaseUrl,
    place,
    urlTemplate,
  );
  return { ...own, at: opened };
}

async function openPlace(
  address: string,
  { databaseAuthToken, tenants: { adminUrl, adminToken }, statementLimits: limits }: Place,
  urlTemplate: string | null = null,
): Promise<TenantStore> {
  if (address.startsWith("file:") && urlTemplate === null) {
    // The native driver is loaded on demand, because a host with a libSQL server may forbid native code.
    const { openTenantFiles } = await import("./libsql/tenant_files.ts");
    return await openTenantFiles({
      folder: filePathOf(address),
      busyTimeout: BUSY_TIMEOUT_MS,
      synchronous: "FULL",
      limits,
    });
  }
  if (adminUrl === null && urlTemplate === null) {
    throw new Error(
      "Cannot start: DATABASE_ADMIN_URL must name the admin interface of the server, where organizations get their databases",
    );
  }
  const { openNamespaces } = await import("./libsql/tenant_namespaces.ts");
  return openNamespaces({
    url: address,
    authToken: databaseAuthToken,
    adminUrl,
    adminToken,
    urlTemplate,
    busyTimeout: BUSY_TIMEOUT_MS,
    limits,
  });
}

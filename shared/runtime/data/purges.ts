/** Deleted organizations and the progress of their purges, in `organization_purges` (definitions 7). */
import type { Clock, Database, EndOrganization, FilePorts, Reader, Transaction } from "../ports.ts";
import type { OrganizationRows } from "./organization_rows.ts";
import { removeObjects } from "./tenants/tenant_objects.ts";

/** True for an organization that was deleted, from the beginning of its purge on. */
export async function isPurged(reader: Reader, organizationId: string): Promise<boolean> {
  const sql = `SELECT EXISTS (SELECT 1 FROM "organization_purges" WHERE "organization_id" = ?)`;
  return (await reader.run({ sql, args: [organizationId] })).rows[0]?.[0] === 1;
}

export interface Purge {
  readonly id: string;
  readonly organizationId: string;
}

/** Records the deletion. From now on nobody acts in the organization: its accounts' facts are gone, and its rows follow. */
export async function beginPurge(
  transaction: Transaction,
  { id, organizationId }: Purge,
  { now, endOrganization }: { readonly now: string; readonly endOrganization: EndOrganization },
): Promise<void> {
  await endOrganization(transaction, organizationId);
  await transaction.runAll([
    { sql: `DELETE FROM "auth_organization" WHERE "id" = ?`, args: [organizationId] },
    {
      sql: `INSERT INTO "organization_purges" ("id", "organization_id", "status", "created_at")
        VALUES (?, ?, 'running', ?)`,
      args: [id, organizationId, now],
    },
  ]);
}

export async function endPurge(transaction: Transaction, id: string, now: string): Promise<void> {
  await transaction.run({
    sql: `UPDATE "organization_purges" SET "status" = 'done', "finished_at" = ? WHERE "id" = ?`,
    args: [now, id],
  });
}

/** Returns the oldest unfinished purge; null: there is none. */
export async function runningPurge(reader: Reader): Promise<Purge | null> {
  const { rows: [row] } = await reader.run({
    sql: `SELECT "id", "organization_id" FROM "organization_purges"
      WHERE "status" = 'running' ORDER BY "created_at", "id" LIMIT 1`,
    args: [],
  });
  return row ? { id: String(row[0]), organizationId: String(row[1]) } : null;
}

/** Returns the organizations deleted since then. */
export async function organizationsPurgedSince(
  reader: Reader,
  since: string,
): Promise<ReadonlySet<string>> {
  const { rows } = await reader.run({
    sql: `SELECT "organization_id" FROM "organization_purges" WHERE "created_at" >= ?`,
    args: [since],
  });
  return new Set(rows.map(([id]) => String(id)));
}

export interface PurgePorts {
  readonly database: Database;
  readonly clock: Clock;
  /** Removes the database of a deleted organization. Null or absent: it has none of its own. */
  readonly removeTenant?: ((organizationId: string) => Promise<void>) | null;
  /** Null or absent: the project has no files. */
  readonly files?: FilePorts | null | undefined;
}

/** Most files removed in one step. */
const FILES_AT_ONCE = 500;

/** Makes one step, and returns true while there is more. Several processes may work on one purge. */
export async function purgeStep(
  { id, organizationId }: Purge,
  rows: OrganizationRows,
  { database, clock, removeTenant = null, files }: PurgePorts,
): Promise<boolean> {
  const end = (transaction: Transaction) =>
    endPurge(transaction, id, new Date(clock.now()).toISOString());
  const isMore = await database.write(async (transaction) => {
    if (await rows.removeSome(transaction, organizationId)) return true;
    if (removeTenant === null && !files) await end(transaction);
    return false;
  });
  if (isMore || (removeTenant === null && !files)) return isMore;
  // This is last, so that a process that dies before leaves the purge unfinished.
  if (files && await removeObjects(files.store, organizationId, FILES_AT_ONCE)) return true;
  await removeTenant?.(organizationId);
  await database.write(end);
  return false;
}

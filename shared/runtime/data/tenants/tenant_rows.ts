/** `tenant_databases` of the directory: which organization has a database, by what name, and how it is. */
import { sha256 } from "../../../lib/bytes.ts";
import type { Reader, SqlValue, Transaction, WorkingTenant } from "../../ports.ts";
import { fragment } from "../sql.ts";

export type TenantStatus = "making" | "ready" | "moving" | "deleted";

export interface TenantRow {
  readonly organizationId: string;
  /** Of its file or namespace. */
  readonly name: string;
  readonly status: TenantStatus;
  /** Time of its last migration in the journal; 0: none. */
  readonly migrated: number;
  /** Why its last migration failed; null: it did not. */
  readonly failure: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Address of the folder or server that it was moved to; null: where new ones are made. */
  readonly place: string | null;
  /** Names the taking over whose end of its webhook endpoints is still to be carried out; null: there is none. */
  readonly endpointsOver: string | null;
}

const COLUMNS =
  "organization_id, name, status, migrated, failure, created_at, place, endpoints_over";

/** Null: the organization never had a database. */
export async function selectTenant(
  reader: Reader,
  organizationId: string,
): Promise<TenantRow | null> {
  const { rows: [row] } = await reader.run(
    fragment(`SELECT ${COLUMNS} FROM tenant_databases WHERE organization_id = ?`, organizationId),
  );
  return row ? rowOf(row) : null;
}

/** Those after `after` in the order of organizations, deleted ones included. */
export async function selectTenants(
  reader: Reader,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly TenantRow[]> {
  const { rows } = await reader.run(fragment(
    `SELECT ${COLUMNS} FROM tenant_databases WHERE organization_id > ?
      ORDER BY organization_id LIMIT ?`,
    after,
    limit,
  ));
  return rows.map(rowOf);
}

/** Organizations that were not deleted, those after `after` in their order. */
export async function selectLiving(
  reader: Reader,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly string[]> {
  const { rows } = await reader.run(fragment(
    `SELECT organization_id FROM tenant_databases WHERE status <> 'deleted' AND organization_id > ?
      ORDER BY organization_id LIMIT ?`,
    after,
    limit,
  ));
  return rows.map(([organizationId]) => String(organizationId));
}

/** False: there is a row of it already. */
export async function insertTenant(
  transaction: Transaction,
  { organizationId, name, createdAt }: Pick<TenantRow, "organizationId" | "name" | "createdAt">,
): Promise<boolean> {
  const { changes } = await transaction.run(fragment(
    `INSERT INTO tenant_databases (organization_id, name, status, migrated, created_at)
      VALUES (?, ?, 'making', 0, ?) ON CONFLICT DO NOTHING`,
    organizationId,
    name,
    createdAt,
  ));
  return changes > 0;
}

/** Keeps the result of its migrations. A database that was being made is ready when they succeeded. */
export async function markMigrated(
  transaction: Transaction,
  { organizationId, migrated, failure }: Pick<TenantRow, "organizationId" | "migrated" | "failure">,
): Promise<void> {
  await transaction.run(fragment(
    `UPDATE tenant_databases SET migrated = max(migrated, ?), failure = ?,
      status = CASE WHEN status = 'making' AND ? IS NULL THEN 'ready' ELSE status END
      WHERE organization_id = ?`,
    migrated,
    failure,
    failure,
    organizationId,
  ));
}

/** Says that nobody may use it until it is settled. */
export async function markMoving(transaction: Transaction, organizationId: string): Promise<void> {
  await transaction.run(fragment(
    `UPDATE tenant_databases SET status = 'moving' WHERE organization_id = ? AND status <> 'deleted'`,
    organizationId,
  ));
}

/** Says where it is from now on, and that work may wait in it. */
export async function settleMove(
  transaction: Transaction,
  { organizationId, place, since }: Pick<TenantRow, "organizationId" | "place"> & {
    /** Milliseconds since the epoch. */
    readonly since: number;
  },
): Promise<void> {
  await transaction.run(fragment(
    `UPDATE tenant_databases SET status = 'ready', place = ?, work_at = ?
      WHERE organization_id = ? AND status = 'moving'`,
    place,
    since,
    organizationId,
  ));
}

/** Marks it as over, for ever, whether or not there was a database. */
export async function buryTenant(
  transaction: Transaction,
  { organizationId, name, createdAt }: Pick<TenantRow, "organizationId" | "name" | "createdAt">,
): Promise<void> {
  await transaction.run(fragment(
    `INSERT INTO tenant_databases (organization_id, name, status, migrated, created_at)
      VALUES (?, ?, 'deleted', 0, ?)
      ON CONFLICT (organization_id) DO UPDATE SET status = 'deleted', work_at = NULL`,
    organizationId,
    name,
    createdAt,
  ));
}

/** Says that work is left in it, before the commit that leaves it. */
export async function markWork(
  transaction: Transaction,
  { organizationId, since }: WorkingTenant,
): Promise<void> {
  await transaction.run(fragment(
    `UPDATE tenant_databases SET work_at = ? WHERE organization_id = ? AND status <> 'deleted'`,
    since,
    organizationId,
  ));
}

export async function selectWorking(
  reader: Reader,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly WorkingTenant[]> {
  const { rows } = await reader.run(fragment(
    `SELECT organization_id, work_at FROM tenant_databases
      WHERE work_at IS NOT NULL AND organization_id > ? ORDER BY organization_id LIMIT ?`,
    after,
    limit,
  ));
  return rows.map(([organizationId, since]) => ({
    organizationId: String(organizationId),
    since: Number(since),
  }));
}

/** Forgets the end of its webhook endpoints that this taking over asked for, once it is carried out. */
export async function clearEndpointsOver(
  transaction: Transaction,
  { organizationId, endpointsOver }: Pick<TenantRow, "organizationId" | "endpointsOver">,
): Promise<void> {
  await transaction.run(fragment(
    `UPDATE tenant_databases SET endpoints_over = NULL
      WHERE organization_id = ? AND endpoints_over = ?`,
    organizationId,
    endpointsOver,
  ));
}

/** Unless more was left since, or its webhook endpoints are still to be disabled. */
export async function clearWork(
  transaction: Transaction,
  { organizationId, since }: WorkingTenant,
): Promise<void> {
  await transaction.run(fragment(
    `UPDATE tenant_databases SET work_at = NULL
      WHERE organization_id = ? AND work_at = ? AND endpoints_over IS NULL`,
    organizationId,
    since,
  ));
}

/** Name of an organization's database: nothing of it is the caller's or the organization's choice. */
export async function tenantName(organizationId: string): Promise<string> {
  return `t_${(await sha256(organizationId)).slice(0, 16).toHex()}`;
}

/** True when the accounts know the organization. */
export async function isOrganization(reader: Reader, organizationId: string): Promise<boolean> {
  const { rows } = await reader.run(
    fragment(`SELECT 1 FROM auth_organization WHERE id = ?`, organizationId),
  );
  return rows.length > 0;
}

function rowOf(row: readonly SqlValue[]): TenantRow {
  const [organizationId, name, status, migrated, failure = null, createdAt, place, over] = row;
  return {
    organizationId: String(organizationId),
    name: String(name),
    status: statusOf(status),
    migrated: Number(migrated),
    failure: failure === null ? null : String(failure),
    createdAt: String(createdAt),
    place: typeof place === "string" ? place : null,
    endpointsOver: typeof over === "string" ? over : null,
  };
}

function statusOf(text: SqlValue | undefined): TenantStatus {
  switch (text) {
    case "making":
    case "ready":
    case "moving":
    case "deleted":
      return text;
  }
  throw new Error(`tenant_databases has the status "${text}", which nobody wrote`);
}

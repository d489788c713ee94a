/** The log of accounts as rows (docs/decisions/accounts.md, "Security events"): pages, and deletion of old rows. */
import { SECURITY_EVENT_DAYS, SECURITY_EVENTS } from "../../model/mod.ts";
import type { Reader, SqlValue, Transaction } from "../ports.ts";
import { fragment } from "./sql.ts";
import { type Page, type PageRows, pageRows, pageSql, textOrNull } from "./webhooks/deliveries.ts";

export interface SecurityEventRow {
  readonly id: string;
  readonly userId: string;
  readonly kind: string;
  readonly createdAt: string;
  readonly address: string | null;
  readonly device: string | null;
  /** JSON. */
  readonly details: string;
}

const TABLE = SECURITY_EVENTS.name;

/** Returns events of an account, or of all accounts with null, the newest first. */
export async function selectSecurityEvents(
  reader: Reader,
  userId: string | null,
  page: Page,
): Promise<PageRows<SecurityEventRow>> {
  // A count of failures may belong to no account.
  const condition = userId === null
    ? fragment("user_id IS NOT NULL")
    : fragment("user_id = ?", userId);
  const { sql, args } = pageSql(condition, page);
  const { rows } = await reader.run(fragment(
    `SELECT id, user_id, kind, created_at, address, device, details FROM ${TABLE} ${sql}`,
    ...args,
  ));
  return pageRows(rows, page, eventRow);
}

function eventRow(cells: readonly SqlValue[]): SecurityEventRow {
  const [id, userId, kind, createdAt, address, device, details] = cells;
  return {
    id: String(id),
    userId: String(userId),
    kind: String(kind),
    createdAt: String(createdAt),
    address: textOrNull(address),
    device: textOrNull(device),
    details: String(details),
  };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Deletes old events and returns their number. `now` is in milliseconds since the epoch. */
export async function pruneSecurityEvents(
  transaction: Transaction,
  now: number,
  limit: number,
): Promise<number> {
  const before = new Date(now - SECURITY_EVENT_DAYS * DAY_MS).toISOString();
  const { changes } = await transaction.run(fragment(
    `DELETE FROM ${TABLE} WHERE id IN (SELECT id FROM ${TABLE} WHERE created_at < ? LIMIT ?)`,
    before,
    limit,
  ));
  return changes;
}

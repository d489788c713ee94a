/** Inbound events as rows (contract 2.10, 3.3). */
import type { Reader, SqlValue, Transaction } from "../../ports.ts";
import { fragment, jsonList } from "../sql.ts";
import type { QueuedRange } from "./deliveries.ts";
import { type Page, type PageRows, pageRows, pageSql } from "./page.ts";

export const EVENT_STATUSES = ["received", "processing", "processed", "failed"] as const;

type EventStatus = typeof EVENT_STATUSES[number];

export interface EventRow {
  readonly id: string;
  readonly provider: string;
  /** `<provider>:<type>`. */
  readonly eventType: string;
  readonly externalId: string | null;
  /** As it arrived. */
  readonly payload: string;
  readonly status: EventStatus;
  readonly attempts: number;
  readonly processedAt: string | null;
  readonly error: string | null;
  readonly createdAt: string;
}

type NewEvent = Pick<
  EventRow,
  "id" | "provider" | "eventType" | "externalId" | "payload" | "createdAt"
>;

const COLUMNS = `id, provider, event_type, external_id, payload, status, attempts, processed_at,
  error, created_at`;

/** False when the provider's id is known already: then nothing is stored. */
export async function insertEvent(transaction: Transaction, event: NewEvent): Promise<boolean> {
  const { changes } = await transaction.run({
    sql: `INSERT INTO webhook_events
      (id, provider, event_type, external_id, payload, status, attempts, created_at, round)
      VALUES (?, ?, ?, ?, ?, 'received', 0, ?, 0)
      ON CONFLICT (provider, external_id) DO NOTHING`,
    args: [
      event.id,
      event.provider,
      event.eventType,
      event.externalId,
      event.payload,
      event.createdAt,
    ],
  });
  return changes > 0;
}

/** The oldest events that no queue knows yet, and how often each was queued before. */
export async function selectUnqueuedEvents(
  reader: Reader,
  limit: number,
): Promise<readonly { readonly id: string; readonly round: number }[]> {
  const { rows } = await reader.run(fragment(
    "SELECT id, round FROM webhook_events WHERE queued_at IS NULL ORDER BY created_at LIMIT ?",
    limit,
  ));
  return rows.map(([id, round]) => ({ id: String(id), round: Number(round) }));
}

export async function markEventsQueued(
  transaction: Transaction,
  ids: readonly string[],
  now: string,
): Promise<void> {
  await transaction.run(fragment(
    "UPDATE webhook_events SET queued_at = ? WHERE id IN (SELECT value FROM json_each(?))",
    now,
    jsonList(ids),
  ));
}

/** As `requeueOverdue` of deliveries; `attempts` is how many an event gets in all. */
export async function requeueOverdueEvents(
  transaction: Transaction,
  { before, after }: QueuedRange,
  { limit, attempts }: { readonly limit: number; readonly attempts: number },
): Promise<number> {
  const { changes } = await transaction.run(fragment(
    `UPDATE webhook_events SET queued_at = NULL WHERE id IN (
      SELECT id FROM webhook_events WHERE status IN ('received', 'processing', 'failed')
        AND (queued_at > ? OR queued_at < ?) AND (status <> 'failed' OR attempts < ?)
        ORDER BY created_at LIMIT ?)`,
    after,
    before,
    attempts,
    limit,
  ));
  return changes;
}

/** Forgets events that are over from before a time, a limited number at once; tells how many. */
export async function pruneEvents(
  transaction: Transaction,
  before: string,
  { limit, attempts }: { readonly limit: number; readonly attempts: number },
): Promise<number> {
  const { changes } = await transaction.run(fragment(
    `DELETE FROM webhook_events WHERE id IN (SELECT id FROM webhook_events
      WHERE status IN ('processed', 'failed') AND created_at < ?
        AND (status <> 'failed' OR attempts >= ?) LIMIT ?)`,
    before,
    attempts,
    limit,
  ));
  return changes;
}

export async function selectEvent(reader: Reader, id: string): Promise<EventRow | null> {
  const { rows } = await reader.run(
    fragment(`SELECT ${COLUMNS} FROM webhook_events WHERE id = ?`, id),
  );
  return rows[0] ? eventRow(rows[0]) : null;
}

export async function selectEvents(
  reader: Reader,
  status: EventStatus | null,
  page: Page,
): Promise<PageRows<EventRow>> {
  const { sql, args } = pageSql(fragment("status = coalesce(?, status)", status), page);
  const { rows } = await reader.run(
    fragment(`SELECT ${COLUMNS} FROM webhook_events ${sql}`, ...args),
  );
  return pageRows(rows, page, eventRow);
}

/** Counts the attempt that begins; false when the event is processed already. */
export async function beginProcessing(transaction: Transaction, id: string): Promise<boolean> {
  const { changes } = await transaction.run(fragment(
    `UPDATE webhook_events SET status = 'processing', attempts = attempts + 1
      WHERE id = ? AND status <> 'processed'`,
    id,
  ));
  return changes > 0;
}

export async function finishProcessing(
  transaction: Transaction,
  id: string,
  processedAt: string,
): Promise<void> {
  await transaction.run(fragment(
    "UPDATE webhook_events SET status = 'processed', processed_at = ?, error = NULL WHERE id = ?",
    processedAt,
    id,
  ));
}

export async function failProcessing(
  transaction: Transaction,
  id: string,
  error: string,
): Promise<void> {
  await transaction.run(fragment(
    "UPDATE webhook_events SET status = 'failed', error = ? WHERE id = ? AND status <> 'processed'",
    error,
    id,
  ));
}

/** Has a failed event queued anew, with all of its attempts; false when it has not failed. */
export async function renewEvent(transaction: Transaction, id: string): Promise<boolean> {
  const { changes } = await transaction.run(fragment(
    `UPDATE webhook_events
      SET status = 'received', attempts = 0, error = NULL, queued_at = NULL, round = round + 1
      WHERE id = ? AND status = 'failed'`,
    id,
  ));
  return changes > 0;
}

function eventRow(cells: readonly SqlValue[]): EventRow {
  const [id, provider, eventType, externalId, payload, status, ...rest] = cells;
  const [attempts, processedAt, error, createdAt] = rest;
  return {
    id: String(id),
    provider: String(provider),
    eventType: String(eventType),
    externalId: textOrNull(externalId),
    payload: String(payload),
    status: EVENT_STATUSES.find((known) => known === status) ?? "failed",
    attempts: Number(attempts),
    processedAt: textOrNull(processedAt),
    error: textOrNull(error),
    createdAt: String(createdAt),
  };
}

function textOrNull(value: SqlValue | undefined): string | null {
  return typeof value === "string" ? value : null;
}

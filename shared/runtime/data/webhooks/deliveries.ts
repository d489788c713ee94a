/** Deliveries as rows: the outbox that emission fills, and the record of what became of each (contract 2.9, 3.4). */
import { TEST_EVENT } from "../../../contract/webhooks.ts";
import type { Reader, SqlValue, Statement, Transaction } from "../../ports.ts";
import { fragment, jsonList } from "../sql.ts";
import { type Page, type PageRows, pageRows, pageSql } from "./page.ts";

export const DELIVERY_STATUSES = ["pending", "delivered", "failed"] as const;

type DeliveryStatus = typeof DELIVERY_STATUSES[number];

export interface DeliveryRow {
  readonly id: string;
  readonly endpointId: string;
  readonly eventType: string;
  /** JSON text of the event's data. */
  readonly payload: string;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  readonly lastAttemptAt: string | null;
  readonly nextRetryAt: string | null;
  readonly createdAt: string;
}

export interface NewDelivery
  extends Pick<DeliveryRow, "id" | "endpointId" | "eventType" | "payload" | "createdAt"> {
  /** The delivery whose event this one emits again. */
  readonly sourceId?: string;
}

export type DeliveryOutcome = Pick<
  DeliveryRow,
  "status" | "attempts" | "responseStatus" | "responseBody" | "lastAttemptAt" | "nextRetryAt"
>;

const COLUMNS = `id, endpoint_id, event_type, payload, status, attempts, response_status,
  response_body, last_attempt_at, next_retry_at, created_at`;

/** Part of the transaction of what caused the event. */
export async function insertDeliveries(
  transaction: Transaction,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  await transaction.runAll(deliveries.map(insertStatement));
}

function insertStatement(delivery: NewDelivery): Statement {
  const { id, endpointId, eventType, payload, createdAt, sourceId } = delivery;
  return {
    sql: `INSERT INTO webhook_deliveries
      (id, endpoint_id, event_type, payload, status, attempts, created_at, source_id)
      VALUES (?, ?, ?, ?, 'pending', 0, ?, ?)`,
    args: [id, endpointId, eventType, payload, createdAt, sourceId ?? null],
  };
}

interface OutboxOptions {
  /** ISO 8601. */
  readonly now: string;
  readonly limit: number;
  /** An endpoint with so many due deliveries in the queue gets no more into it for now. */
  readonly limitPerEndpoint: number;
}

/**
 * Deliveries that no queue knows yet, of each endpoint the oldest: what is piled up for one endpoint never stands in the
 * way of another's, here or in a queue that hands out what came first.
 */
export async function selectUnqueued(
  reader: Reader,
  { now, limit, limitPerEndpoint }: OutboxOptions,
): Promise<readonly Pick<DeliveryRow, "id" | "endpointId">[]> {
  const { rows } = await reader.run(fragment(
    `WITH RECURSIVE waiting (endpoint_id) AS (
      SELECT min(endpoint_id) FROM webhook_deliveries WHERE queued_at IS NULL
      UNION ALL
      SELECT (SELECT min(endpoint_id) FROM webhook_deliveries
        WHERE queued_at IS NULL AND endpoint_id > waiting.endpoint_id)
      FROM waiting WHERE endpoint_id IS NOT NULL
    )
    SELECT delivery.id, delivery.endpoint_id FROM waiting
      JOIN webhook_deliveries AS delivery ON delivery.id IN (
        SELECT id FROM webhook_deliveries AS unqueued
          WHERE unqueued.endpoint_id = waiting.endpoint_id AND queued_at IS NULL
          ORDER BY created_at LIMIT ?)
      WHERE waiting.endpoint_id IS NOT NULL
        AND (${queuedCount("next_retry_at IS NULL")}) + (${queuedCount("next_retry_at <= ?")}) < ?
      ORDER BY delivery.created_at LIMIT ?`,
    limitPerEndpoint,
    limitPerEndpoint,
    now,
    limitPerEndpoint,
    limitPerEndpoint,
    limit,
  ));
  return rows.map(([id, endpointId]) => ({ id: String(id), endpointId: String(endpointId) }));
}

/** Counts no further than it must: what waits for a later attempt may be much more. */
function queuedCount(when: "next_retry_at IS NULL" | "next_retry_at <= ?"): string {
  return `SELECT count(*) FROM (SELECT 1 FROM webhook_deliveries AS queued
    WHERE queued.endpoint_id = waiting.endpoint_id AND status = 'pending'
      AND queued_at IS NOT NULL AND ${when} LIMIT ?)`;
}

export async function markQueued(
  transaction: Transaction,
  ids: readonly string[],
  now: string,
): Promise<void> {
  await transaction.run(fragment(
    "UPDATE webhook_deliveries SET queued_at = ? WHERE id IN (SELECT value FROM json_each(?))",
    now,
    jsonList(ids),
  ));
}

/** ISO 8601: what was queued before, or by a clock that has gone back since, may be lost. */
export interface QueuedRange {
  readonly before: string;
  readonly after: string;
}

/**
 * Has pending deliveries queued anew that should have been tried before a time, the oldest first: a queue that lost them
 * gets them back, one that has them knows them.
 */
export async function requeueOverdue(
  transaction: Transaction,
  { before, after }: QueuedRange,
  limit: number,
): Promise<number> {
  const { changes } = await transaction.run(fragment(
    `UPDATE webhook_deliveries SET queued_at = NULL WHERE id IN (
      SELECT id FROM webhook_deliveries WHERE status = 'pending'
        AND (queued_at > ? OR queued_at < ? AND coalesce(next_retry_at, '') < ?)
        ORDER BY created_at LIMIT ?)`,
    after,
    before,
    before,
    limit,
  ));
  return changes;
}

/** Forgets settled deliveries from before a time, a limited number at once; tells how many. */
export async function pruneDeliveries(
  transaction: Transaction,
  before: string,
  limit: number,
): Promise<number> {
  const { changes } = await transaction.run(fragment(
    `DELETE FROM webhook_deliveries WHERE id IN (SELECT id FROM webhook_deliveries
      WHERE status IN ('delivered', 'failed') AND created_at < ? LIMIT ?)`,
    before,
    limit,
  ));
  return changes;
}

export async function selectDelivery(reader: Reader, id: string): Promise<DeliveryRow | null> {
  const { rows } = await reader.run(
    fragment(`SELECT ${COLUMNS} FROM webhook_deliveries WHERE id = ?`, id),
  );
  return rows[0] ? deliveryRow(rows[0]) : null;
}

interface DeliveryFilter {
  readonly endpointId: string;
  /** Null: any. */
  readonly status: DeliveryStatus | null;
}

export async function selectDeliveries(
  reader: Reader,
  { endpointId, status }: DeliveryFilter,
  page: Page,
): Promise<PageRows<DeliveryRow>> {
  const matching = fragment("endpoint_id = ? AND status = coalesce(?, status)", endpointId, status);
  const { sql, args } = pageSql(matching, page);
  const { rows } = await reader.run(
    fragment(`SELECT ${COLUMNS} FROM webhook_deliveries ${sql}`, ...args),
  );
  return pageRows(rows, page, deliveryRow);
}

export interface RedeliveryFilter {
  /** ISO 8601: created from then on. */
  readonly since: string;
  /** Null: of every endpoint. */
  readonly endpointId: string | null;
  readonly status: Exclude<DeliveryStatus, "pending">;
}

/** By id; only those of enabled endpoints that no other delivery repeats. A test send has no event behind it. */
export async function selectRedeliverable(
  reader: Reader,
  { since, endpointId, status }: RedeliveryFilter,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<readonly DeliveryRow[]> {
  const { rows } = await reader.run(fragment(
    `SELECT ${COLUMNS} FROM webhook_deliveries AS source
      WHERE status = ? AND created_at >= ? AND endpoint_id = coalesce(?, endpoint_id) AND id > ?
        AND event_type <> ?
        AND endpoint_id IN (SELECT id FROM webhook_endpoints WHERE enabled = 1)
        AND NOT EXISTS (SELECT 1 FROM webhook_deliveries AS copy WHERE copy.source_id = source.id)
      ORDER BY id LIMIT ?`,
    status,
    since,
    endpointId,
    after ?? "",
    TEST_EVENT,
    limit,
  ));
  return rows.map(deliveryRow);
}

/** Only a pending delivery changes: what was settled once stays so. */
export async function settleDelivery(
  transaction: Transaction,
  id: string,
  outcome: DeliveryOutcome,
): Promise<void> {
  await transaction.run(fragment(
    `UPDATE webhook_deliveries SET status = ?, attempts = ?, response_status = ?,
      response_body = ?, last_attempt_at = ?, next_retry_at = ?
      WHERE id = ? AND status = 'pending'`,
    outcome.status,
    outcome.attempts,
    outcome.responseStatus,
    outcome.responseBody,
    outcome.lastAttemptAt,
    outcome.nextRetryAt,
    id,
  ));
}

function deliveryRow(cells: readonly SqlValue[]): DeliveryRow {
  const [id, endpointId, eventType, payload, status, attempts, ...rest] = cells;
  const [responseStatus, responseBody, lastAttemptAt, nextRetryAt, createdAt] = rest;
  return {
    id: String(id),
    endpointId: String(endpointId),
    eventType: String(eventType),
    payload: String(payload),
    status: DELIVERY_STATUSES.find((known) => known === status) ?? "failed",
    attempts: Number(attempts),
    responseStatus: typeof responseStatus === "number" ? responseStatus : null,
    responseBody: textOrNull(responseBody),
    lastAttemptAt: textOrNull(lastAttemptAt),
    nextRetryAt: textOrNull(nextRetryAt),
    createdAt: String(createdAt),
  };
}

function textOrNull(value: SqlValue | undefined): string | null {
  return typeof value === "string" ? value : null;
}

/** Deliveries as rows: the outbox that emission fills, and the record of what became of each (contract 2.9, 3.4). */
import { DELIVERY_STATUSES, TEST_EVENT } from "../../../contract/mod.ts";
import { outboxOf } from "../../../model/mod.ts";
import type { Reader, SqlValue, Transaction } from "../../ports.ts";
import { insertRows } from "../outbox_rows.ts";
import { type Fragment, fragment } from "../sql.ts";
import type { Page as Records, Place } from "../types.ts";

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

const COLUMNS = `id, endpoint_id, event_type, payload, status, attempts, response_status,
  response_body, last_attempt_at, next_retry_at, created_at`;

/** One row per event and endpoint. */
export const DELIVERIES = outboxOf("webhook_deliveries");

/** Part of the transaction of what caused the event. */
export async function insertDeliveries(
  transaction: Transaction,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  const rows = deliveries.map(({ id, endpointId, eventType, payload, createdAt, sourceId }) => ({
    id,
    endpoint_id: endpointId,
    event_type: eventType,
    payload,
    created_at: createdAt,
    source_id: sourceId ?? null,
  }));
  await insertRows(transaction, DELIVERIES, rows);
}

export async function selectDelivery(reader: Reader, id: string): Promise<DeliveryRow | null> {
  const { rows } = await reader.run(
    fragment(`SELECT ${COLUMNS} FROM webhook_deliveries WHERE id = ?`, id),
  );
  return rows[0] ? deliveryRow(rows[0]) : null;
}

export async function selectDeliveries(
  reader: Reader,
  endpointId: string,
  /** Null: any. */
  status: DeliveryStatus | null,
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

export function textOrNull(value: SqlValue | undefined): string | null {
  return typeof value === "string" ? value : null;
}

export interface Page {
  readonly limit: number;
  readonly offset: number;
  /** Null: by offset. */
  readonly from: { readonly direction: "after" | "before"; readonly values: Place } | null;
}

/** Rows of a page; `hasMore`: more follow in the direction taken. */
export interface PageRows<Row> extends Pick<Records, "hasMore" | "first" | "last"> {
  readonly rows: readonly Row[];
}

/**
 * Pages of webhook rows, the newest first (contract 2.5): after so many rows, or from the place of one. Of columns
 * `created_at` and `id`, one row more than the page has.
 */
export function pageSql(condition: Fragment, { limit, offset, from }: Page): Fragment {
  const isBackward = from?.direction === "before";
  const order = isBackward ? "ASC" : "DESC";
  const range = from === null
    ? fragment("")
    : fragment(` AND (created_at, id) ${isBackward ? ">" : "<"} (?, ?)`, ...from.values);
  return fragment(
    `WHERE ${condition.sql}${range.sql} ORDER BY created_at ${order}, id ${order} LIMIT ? OFFSET ?`,
    ...condition.args,
    ...range.args,
    limit + 1,
    from === null ? offset : 0,
  );
}

/** The page in the rows that the `SELECT` found. */
export function pageRows<Row extends { readonly createdAt: string; readonly id: string }>(
  found: readonly (readonly SqlValue[])[],
  { limit, from }: Page,
  rowOf: (cells: readonly SqlValue[]) => Row,
): PageRows<Row> {
  const shown = found.slice(0, limit).map(rowOf);
  const rows = from?.direction === "before" ? shown.reverse() : shown;
  const placeOf = (row: Row | undefined) => row ? [row.createdAt, row.id] : null;
  return {
    rows,
    hasMore: found.length > limit,
    first: placeOf(rows[0]),
    last: placeOf(rows.at(-1)),
  };
}

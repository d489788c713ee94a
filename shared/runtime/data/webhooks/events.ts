/** Inbound events as rows (contract 2.10, 3.3). */
import { EVENT_STATUSES, PROCESSING_ATTEMPTS } from "../../../contract/mod.ts";
import { WEBHOOK_EVENTS } from "../../../model/mod.ts";
import type { Reader, SqlValue, Transaction } from "../../ports.ts";
import { insertRows, type OutboxStates, type OutboxTable } from "../outbox_rows.ts";
import { fragment } from "../sql.ts";
import { type Page, type PageRows, pageRows, pageSql, textOrNull } from "./deliveries.ts";

type EventStatus = typeof EVENT_STATUSES[number];

export interface EventRow {
  readonly id: string;
  readonly provider: string;
  /** `<provider>:<type>`. */
  readonly eventType: string;
  readonly externalId: string | null;
  /** The payload as it arrived. */
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

const STATES: OutboxStates<EventStatus> = {
  fresh: "received",
  begun: "processing",
  again: "failed",
  done: "processed",
  dead: "failed",
  attempts: PROCESSING_ATTEMPTS,
};

/** One row per event, which is handled by itself. */
export const EVENTS: OutboxTable = {
  name: WEBHOOK_EVENTS.name,
  receiver: "id",
  round: "round",
  unique: ["provider", "external_id"],
  states: STATES,
};

/** False when the provider's id is known already: then nothing is stored. */
export async function insertEvent(
  transaction: Transaction,
  { id, provider, eventType, externalId, payload, createdAt }: NewEvent,
): Promise<boolean> {
  const row = { id, provider, event_type: eventType, external_id: externalId, payload };
  return await insertRows(transaction, EVENTS, [{ ...row, created_at: createdAt, round: 0 }]) > 0;
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

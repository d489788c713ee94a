/** Inbound events as rows (contract 2.10, 3.3). */
import { EVENT_STATUSES } from "../../../contract/mod.ts";
import { EVENT_ORGANIZATIONS, outboxOf } from "../../../model/mod.ts";
import type { Reader, SqlValue, Transaction } from "../../ports.ts";
import { insertRows } from "../outbox_rows.ts";
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

const COLUMNS = `id, provider, event_type, external_id, payload, status, attempts, processed_at,
  error, created_at`;

/** One row per event. */
export const EVENTS = outboxOf("webhook_events");

/** False when the provider's id is known already: then nothing is stored. */
export async function insertEvent(
  transaction: Transaction,
  { id, provider, eventType, externalId, payload, createdAt }: Pick<
    EventRow,
    "id" | "provider" | "eventType" | "externalId" | "payload" | "createdAt"
  >,
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

/** An event in the eyes of one of the organizations that it is attributed to. */
export interface AttributedEvent extends EventRow {
  /** The provider's code named this organization. */
  readonly isNamed: boolean;
  /** It is attributed to no other one. */
  readonly isAlone: boolean;
}

const ATTRIBUTIONS = EVENT_ORGANIZATIONS.name;
const OF_EVENT = `FROM ${ATTRIBUTIONS} WHERE event_id = webhook_events.id`;
const ATTRIBUTED = `${COLUMNS}, (SELECT is_named ${OF_EVENT} AND organization_id = ?),
  (SELECT count(*) ${OF_EVENT})`;
const IS_OF = `id IN (SELECT event_id FROM ${ATTRIBUTIONS} WHERE organization_id = ?)`;

/** Attributes an event to an organization; what the provider's code named stays named. */
export async function attributeEvent(
  transaction: Transaction,
  { eventId, organizationId, isNamed }: {
    readonly eventId: string;
    readonly organizationId: string;
    readonly isNamed: boolean;
  },
): Promise<void> {
  // A handler names organizations that there are; an event may have been forgotten meanwhile.
  const isThere = `EXISTS (SELECT 1 FROM webhook_events WHERE id = ?)
    AND (? = 1 OR EXISTS (SELECT 1 FROM auth_organization WHERE id = ?))`;
  await transaction.run(fragment(
    `INSERT INTO ${ATTRIBUTIONS} (id, event_id, organization_id, is_named)
      SELECT ?, ?, ?, ? WHERE ${isThere} ON CONFLICT (id) DO NOTHING`,
    `${eventId} ${organizationId}`,
    eventId,
    organizationId,
    isNamed ? 1 : 0,
    eventId,
    isNamed ? 1 : 0,
    organizationId,
  ));
}

/** Those of one organization. */
export async function selectEventsOf(
  reader: Reader,
  organizationId: string,
  { status, page }: { readonly status: EventStatus | null; readonly page: Page },
): Promise<PageRows<AttributedEvent>> {
  const matching = fragment(`status = coalesce(?, status) AND ${IS_OF}`, status, organizationId);
  const { sql, args } = pageSql(matching, page);
  const { rows } = await reader.run(
    fragment(`SELECT ${ATTRIBUTED} FROM webhook_events ${sql}`, organizationId, ...args),
  );
  return pageRows(rows, page, attributedRow);
}

/** Null for an event that there is not, and for one of others. */
export async function selectEventOf(
  reader: Reader,
  organizationId: string,
  id: string,
): Promise<AttributedEvent | null> {
  const { rows: [row] } = await reader.run(fragment(
    `SELECT ${ATTRIBUTED} FROM webhook_events WHERE id = ? AND ${IS_OF}`,
    organizationId,
    id,
    organizationId,
  ));
  return row ? attributedRow(row) : null;
}

function attributedRow(cells: readonly SqlValue[]): AttributedEvent {
  const [isNamed, count] = cells.slice(-2);
  return { ...eventRow(cells), isNamed: isNamed === 1, isAlone: count === 1 };
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

/** Writes one row of `audit_events` (definitions 7). */
import { sqlIdentifier } from "../../lib/sql_identifier.ts";
import { AUDIT_EVENTS } from "../../model/service_tables.ts";
import { camelCase } from "../../surface/names.ts";
import type { SqlValue, Transaction } from "../ports.ts";
import type { AuditEvent } from "./types.ts";

/** Part of the transaction of what it reports, so that neither stands without the other. */
export async function insertAudit(transaction: Transaction, event: AuditEvent): Promise<void> {
  const fields: ReadonlyMap<string, SqlValue> = new Map(Object.entries(event));
  const { columns } = AUDIT_EVENTS;
  const names = columns.map((column) => sqlIdentifier(column.name)).join(", ");
  const places = columns.map(() => "?").join(", ");
  await transaction.run({
    sql: `INSERT INTO ${sqlIdentifier(AUDIT_EVENTS.name)} (${names}) VALUES (${places})`,
    args: columns.map((column) => fields.get(camelCase(column.name)) ?? null),
  });
}

/** Firewall, then access, on the record that a write names: the part that update and delete share (contract 1.3). */
import { HEADERS } from "../../contract/mod.ts";
import type { ResourceModel, TableModel } from "../../model/mod.ts";
import { type Soon, soon } from "../../lib/soon.ts";
import { followsRelations, isOtherSpelling, type RowRule } from "../../surface/mod.ts";
import type { Caller } from "../context.ts";
import { isBehindColumns, rowSatisfies } from "../data/conditions.ts";
import type { ColumnValues, Firewall, Insertion, RowKey, StoredRow } from "../data/types.ts";
import type { Admitted } from "../gate.ts";
import { callerIn, firewallFor, namedScope, refuseHidden } from "../layers/3-firewall/firewall.ts";
import { refuseRow, requireRole } from "../layers/4-access/require_role.ts";
import type { Reader, SqlValue } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { matchesRevision } from "../request/read_request.ts";
import { type Call, enter } from "./call.ts";

interface JudgedRecord {
  readonly caller: Caller;
  readonly key: RowKey;
  /** The rule that the row must still meet when it is written. */
  readonly rule: RowRule | null;
}

export async function judgeRecord(call: Call): Promise<JudgedRecord> {
  const { request, plan, id } = call;
  const { app, database, principal } = request;
  enter(call, "firewall");
  const caller = callerIn(plan, principal, namedScope(plan.query, request));
  const key = recordKey(firewallFor(plan.table, caller), id);
  const row = await app.data.selectStored(database, key);
  if (!row) return refuseMiss(request, plan.resource, key);

  enter(call, "access");
  const rule = requireRole(plan.operation, principal);
  if (rule) await requireRow(request, rule, { row, firewall: key.firewall });
  requireRevision(request.headers, plan.table, row);
  return { caller, key, rule };
}

/**
 * Ends a request for a record that the firewall kept back (contract 7.2, definitions 7, "firewall codes"). Refuses a
 * miss. Only a caller's own deleted record differs from a missing one, and only where the firewall is revealed.
 */
export async function refuseMiss(
  { app, database }: Admitted,
  resource: ResourceModel,
  key: RowKey,
): Promise<never> {
  const isDeleted = key.firewall.table.softDelete && resource.firewallErrorMode === "reveal" &&
    await app.data.probeDeleted(database, key);
  return refuseHidden(resource, isDeleted ? "FIREWALL_SOFT_DELETED" : "FIREWALL_NOT_FOUND");
}

/**
 * The revision that a conditional write names and an answer carries (contract 4.1 rule 8). Refuses with
 * `PRECONDITION_FAILED`. Judges `If-Match` by the row that is about to be written; null: there is none. Asked after the
 * firewall and access, so that a foreign row answers as a missing one does, and in the transaction of the write
 * (`answerWrite`).
 */
export function requireRevision(
  headers: Headers,
  { revision: column }: TableModel,
  row: StoredRow | null,
): void {
  const ifMatch = headers.get(HEADERS.ifMatch);
  if (ifMatch === null || column === null) return;
  const revision = row?.get(column);
  if (typeof revision === "number" && matchesRevision(ifMatch, revision)) return;
  refuse("PRECONDITION_FAILED", {
    detail: row
      ? "The record was written since the revision in 'If-Match'"
      : "'If-Match' needs a record, and there is none",
  });
}

/**
 * The access rule on the row that the firewall let through (contract 4.1 rule 6, definitions 4.2). Refuses with
 * `ACCESS_CONDITION_FAILED` or `ACCESS_OWNERSHIP_REQUIRED`.
 */
export function requireRow(
  { app, database }: Pick<Admitted, "app"> & { readonly database: Reader },
  rule: RowRule,
  { row, firewall }: { readonly row: StoredRow; readonly firewall: Firewall },
): Soon<void> {
  return soon(
    app.data.judgeRows(database, { rule, rows: [row], firewall }),
    ([holds]) => holds === true ? undefined : refuseFailed(rule, row, firewall),
  );
}

/** Refuses a row on which the rule does not hold. */
export function refuseFailed(rule: RowRule, row: StoredRow, firewall: Firewall): never {
  return refuseRow(
    rule,
    firewall.table,
    (condition) => rowSatisfies({ kind: "conditions", conditions: [condition] }, row, firewall),
  );
}

/**
 * The same on a row that is about to be made (contract 4.1): the rule binds as it does on every other verb. One that follows
 * relations is judged on the row as it is written (`judge_written.ts`). Refuses with `ACCESS_OWNERSHIP_REQUIRED` also a row
 * that nobody makes where it must name who did.
 */
export function requireNewRow(
  { app }: Admitted,
  rule: RowRule | null,
  insertion: Insertion,
): void {
  const { firewall, values, stamps } = insertion;
  if (stamps.userId === null && lacksMaker(firewall.table, values)) {
    refuse("ACCESS_OWNERSHIP_REQUIRED");
  }
  if (rule === null) return;
  const row = app.data.newRow(insertion);
  // A row that its maker could not see cannot be judged either.
  if (!isBehindColumns(row, firewall)) refuse("ACCESS_CONDITION_FAILED");
  if (followsRelations(rule) || rowSatisfies(rule, row, firewall)) return;
  refuseFailed(rule, row, firewall);
}

/** A column is the caller's id by default and cannot be null. */
function lacksMaker({ columns }: TableModel, values: ColumnValues): boolean {
  return columns.some(({ name, nullable, default: value }) =>
    value?.kind === "made" && value.value.kind === "userId" && !nullable && !values.has(name)
  );
}

/**
 * The row that an id names (definitions 7, "spelling of ids"). Refuses with `ROUTE_NOT_FOUND` another spelling of an id
 * in a path. Before anything is asked of the caller: the path leads nowhere.
 */
export function requireIdSpelling(id: string, { idStrategy }: TableModel): void {
  if (isOtherSpelling(id, idStrategy)) refuse("ROUTE_NOT_FOUND");
}

export function recordKey(firewall: Firewall, id: string): RowKey {
  return { firewall, id: storedId(id, firewall.table) };
}

const INTEGER = /^(?:0|[1-9]\d{0,14})$/;

/** An id that no row of the table can have stays a text, which matches none. */
function storedId(id: string, { idStrategy }: TableModel): SqlValue {
  return idStrategy === "serial" && INTEGER.test(id) ? Number(id) : id;
}

/** The id that a value of a body means; null: no row of the table can have it. */
export function idNamed(value: unknown, table: TableModel): SqlValue {
  if (Number.isSafeInteger(value) && table.idStrategy === "serial") return Number(value);
  return typeof value === "string" && !isOtherSpelling(value, table.idStrategy)
    ? storedId(value, table)
    : null;
}

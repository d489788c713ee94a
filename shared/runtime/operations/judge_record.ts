/** Applies firewall, then access, to the record that a write names: the part that update and delete share (contract 1.3). */
import { HEADERS } from "../../contract/mod.ts";
import type { ResourceModel, TableModel } from "../../model/mod.ts";
import { isOtherSpelling, type RowRule } from "../../surface/mod.ts";
import type { Caller } from "../context.ts";
import type { Firewall, RowKey, StoredRow } from "../data/types.ts";
import type { Admitted } from "../gate.ts";
import { callerIn, firewallFor, namedScope, refuseHidden } from "../layers/3-firewall/firewall.ts";
import { requireRole } from "../layers/4-access/require_role.ts";
import { requireRow } from "../records/judge_row.ts";
import { storedId } from "../records/record_id.ts";
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
 * Ends a request for a record that the firewall hides (contract 7.2, definitions 7, "firewall codes"). Only the caller's own
 * deleted record is answered unlike a missing one, and only where the firewall is revealed.
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
 * Judges `If-Match` by the row that is about to be written and returns its revision; null: the request has no `If-Match`
 * (contract 4.1 rule 8). Refuses with `PRECONDITION_FAILED`. It runs after the firewall and access, so that a foreign row
 * answers as a missing one does, and in the transaction of the write (`answerWrite`).
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
 * Refuses with `ROUTE_NOT_FOUND` an id in a path that is spelled otherwise than the row's own (definitions 7, "spelling of
 * ids"). It runs before the caller is judged, because such a path leads to no route.
 */
export function requireIdSpelling(id: string, { idStrategy }: TableModel): void {
  if (isOtherSpelling(id, idStrategy)) refuse("ROUTE_NOT_FOUND");
}

export function recordKey(firewall: Firewall, id: string): RowKey {
  return { firewall, id: storedId(id, firewall.table) };
}

/**
 * Serves `GET /{resource}/:id/history`: a record's changes, each with its actor and the values before and after (definitions 4,
 * `audit`). The record is judged as its read judges it, deleted ones too; every state is shown as a read would have shown it,
 * under today's masks. A field is answered where the values that its reader sees differ, so that a masked field reveals no more
 * than reads do.
 */
import { allInOrder } from "../../lib/all_in_order.ts";
import { type RowRule, storedColumns } from "../../surface/mod.ts";
import { chainOf } from "../data/changes/auditing.ts";
import { memberText } from "../data/record_plan.ts";
import type { HistoryQuery, KeptChange, RowKey, StoredRow } from "../data/types.ts";
import {
  callerIn,
  firewallWithDeleted,
  refuseHidden,
  requireOrganization,
} from "../layers/3-firewall/firewall.ts";
import { requireRole } from "../layers/4-access/require_role.ts";
import { requireListQuery } from "../layers/6-validation/require_body.ts";
import { collectionText, contentResponse, linkBaseOf, linkedPage } from "../response/record.ts";
import { type Call, enter } from "./call.ts";
import { openCursor, sealedCursors, startOf } from "./cursors.ts";
import { requireRow } from "../records/judge_row.ts";
import { recordKey } from "./judge_record.ts";

export async function readHistory(call: Call): Promise<Response> {
  const { request, plan } = call;
  const { app, database, principal } = request;
  enter(call, "access.role");
  requireOrganization(plan, principal);
  const rule = requireRole(plan.operation, principal);

  enter(call, "validation");
  const { limit, cursor, scope } = requireListQuery(plan.query, request);

  enter(call, "firewall");
  const caller = callerIn(plan, principal, scope);
  const key = recordKey(firewallWithDeleted(plan.table, caller), call.id);
  const { row, asked } = await judged(call, key, caller.organizationId);

  enter(call, "access");
  if (rule) await requireRow(call.request, rule, { row, firewall: key.firewall });

  enter(call, "operation");
  const binding = JSON.stringify(["history 1", asked.chain, plan.resource.name, call.id]);
  const anchor = await openCursor(call, { firewall: key.firewall, sort: [], binding }, cursor);
  const from = anchor &&
    { direction: anchor.from.direction, sequence: Number(anchor.from.values[0]) };
  const { changes, hasMore } = await app.data.selectHistory(database, { ...asked, limit, from });

  enter(call, "masking");
  const viewing = { call, key, rule, row };
  const records = await allInOrder(changes.map((change) => changeText(change, viewing)));
  const place = (change: KeptChange | undefined) => change ? [change.sequence] : null;
  const page = { records, hasMore, first: place(changes[0]), last: place(changes.at(-1)) };
  const answered = { page, anchor, offset: 0 };
  const cursors = await sealedCursors(app.cursors, binding, answered);
  const json = collectionText({ ...page, total: null, aggregates: [], included: [] }, {
    view: null,
    limit,
    start: startOf(answered),
    direction: anchor?.from.direction ?? null,
    cursors,
    hasAggregations: false,
    isIncluding: false,
  });
  return linkedPage(contentResponse(json, request), linkBaseOf(request), {
    next: cursors.next === null ? null : ["starting_after", cursors.next],
    prev: cursors.previous === null ? null : ["ending_before", cursors.previous],
  });
}

interface JudgedHistory {
  /** The record, or the last state of one that was removed for good. */
  readonly row: StoredRow;
  readonly asked: Omit<HistoryQuery, "limit" | "from">;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Judges the record. If neither it nor its last state is within the caller's reach, refuses as a read of the record does. */
async function judged(
  call: Call,
  key: RowKey,
  organizationId: string | null,
): Promise<JudgedHistory> {
  const { request: { app, database, now }, plan: { resource, table } } = call;
  const { firewall } = key;
  const keptMs = (resource.audit?.keepDays ?? 0) * DAY_MS;
  const since = new Date(Date.parse(now) - keptMs).toISOString();
  const row = await app.data.selectStored(database, key);
  const chain = chainOf(table, row, organizationId);
  const asked = { firewall, id: String(key.id), chain, since, now };
  if (row !== null) return { row, asked };
  const { changes: [last] } = await app.data.selectHistory(database, {
    ...asked,
    limit: 1,
    from: null,
  });
  const isGone = last !== undefined && last.after === null;
  if (
    isGone && last.before !== null &&
    await app.data.isVisible(database, last.before, null, firewall)
  ) {
    return { row: last.before, asked };
  }
  return refuseHidden(resource, "FIREWALL_NOT_FOUND");
}

interface Viewing {
  readonly call: Call;
  readonly key: RowKey;
  readonly rule: RowRule | null;
  /** The record as it is judged today. */
  readonly row: StoredRow;
}

async function changeText(change: KeptChange, viewing: Viewing): Promise<string> {
  const before = await shown(change.before, viewing);
  const after = await shown(change.after, viewing);
  const names = storedColumns(viewing.call.plan.table).map(({ name }) => name)
    .filter((name) => before?.get(name) !== after?.get(name));
  const part = (fields: Shown | undefined) => {
    if (!fields) return "null";
    return `{${names.map((name) => `${JSON.stringify(name)}:${fields.get(name)}`).join(",")}}`;
  };
  const { id, kind, at, actorUserId, impersonatorUserId, operation, requestId } = change;
  const told = { id, kind, at, actorUserId, impersonatorUserId, operation, requestId };
  return `${JSON.stringify(told).slice(0, -1)},"before":${part(before)},"after":${part(after)}}`;
}

/** Masked JSON texts by column. */
type Shown = ReadonlyMap<string, string>;

/** Returns a state as its reader sees it; undefined: there was no such state, or none that the caller may see. */
async function shown(
  state: StoredRow | null,
  { call: { request, plan: { resource, table } }, key: { firewall }, rule, row }: Viewing,
): Promise<Shown | undefined> {
  const { app, database } = request;
  if (state === null || !await app.data.isVisible(database, state, rule, firewall)) {
    return undefined;
  }
  // A mask that spares the owner spares only a caller who owns the row now and owned it then.
  const then = state.get(table.ownerColumn) ?? null;
  const owner = then === row.get(table.ownerColumn) ? then : null;
  // The same holds for rows that show a column: they must do so now, and have done so then.
  const now = await app.data.shownColumns(database, row, resource, firewall);
  const past = await app.data.shownColumns(database, state, resource, firewall);
  const masking = { resource, firewall, owner, shown: now.intersection(past) };
  return new Map(table.columns.map(({ name }) => [name, memberText(state, name, masking)]));
}

/** Runs an action of one record through its layers in order (contract 4.4 rules 1 and 2). */
import type { Caller } from "../../context.ts";
import { enter } from "../call.ts";
import type { StoredRow } from "../../data/types.ts";
import { callerIn, firewallFor } from "../../layers/3-firewall/firewall.ts";
import { recordKey, refuseMiss, requireRevision } from "../judge_record.ts";
import type { ActionCall } from "./action_plan.ts";
import { requireActionInput } from "./action_input.ts";
import { namedOrganization, recordsOf, requireMayRun } from "./action_plan.ts";
import { actionAnswer } from "./action_response.ts";
import * as transitions from "./transition.ts";
import type { Performed, ReadyAction } from "./run_handler.ts";
import { checkOutput, inTransaction, requireRefs, runHandler } from "./run_handler.ts";
import { FoundRecord, JudgedRecord } from "./judged_record.ts";

export async function runRecordAction(call: ActionCall): Promise<Response> {
  const { request, plan: { operation: { action: { transition } } } } = call;

  enter(call, "firewall");
  const caller = recordCaller(call);
  const { key, row } = await findRecord(call, caller);

  enter(call, "access");
  const rule = requireMayRun(call);
  await transitions.requireState(request, rule, { row, firewall: key.firewall });
  const known = transition?.target.kind === "to"
    ? transitions.requireMove(transition, transitions.targetOf(transition, null), row, key.firewall)
    : null;
  requireRevision(request.headers, key.firewall.table, row);

  enter(call, "validation");
  const input = await requireActionInput(call);
  // Only the input names the target state.
  const move = known ??
    (transition &&
      transitions.requireMove(
        transition,
        transitions.targetOf(transition, input),
        row,
        key.firewall,
      ));

  return await inTransaction(call, async (transaction, yieldIt) => {
    enter(call, "operation");
    const ready = { call, caller, input, transaction, yieldIt };
    const done = await performOn({ key, row, rule, move }, ready);

    enter(call, "masking");
    return actionAnswer(done, ready);
  });
}

export function recordCaller(call: ActionCall): Caller {
  const organizationId = namedOrganization(call);
  const scope = organizationId === null ? null : { organizationId };
  return callerIn(recordsOf(call.plan), call.request.principal, scope);
}

export async function findRecord(call: ActionCall, caller: Caller): Promise<FoundRecord> {
  const { request, plan, id } = call;
  const { resource, table } = recordsOf(plan);
  const key = recordKey(firewallFor(table, caller), id);
  const row = await request.app.data.selectStored(request.database, key);
  return row === null ? await refuseMiss(request, resource, key) : { key, row };
}

/** Makes the move alone, or runs the author's code and then makes the rest of the move. */
export async function performOn(record: JudgedRecord, ready: ReadyAction): Promise<Performed> {
  const { call, transaction } = ready;
  const { request, plan: { implementation } } = call;
  const { key, move } = record;
  const { table } = key.firewall;
  const moving = {
    call,
    caller: ready.caller,
    transaction,
    stamps: { now: request.now, userId: request.principal.userId },
  };
  const refs = await requireRefs(ready);
  if (implementation.execute === null) {
    const value = await transitions.applyMove(record, moving);
    const given = [{ table, row: record.row }, ...refs.values()];
    return { value, given, origins: null, deadline: null };
  }
  const row = await reread(record, ready);
  const given = [{ table, row }, ...refs.values()];
  if (move && transitions.isThere(move, row)) {
    const value = transitions.moveResult(move, { table, stamped: row });
    return { value, given, origins: null, deadline: null };
  }
  let before = row;
  ready.yieldIt?.(async (transaction) => {
    const anew = { ...ready, transaction };
    await requireRefs(anew);
    before = await reread(record, anew);
    // Another caller has made the move meanwhile: the author's code must not run twice.
    if (move && transitions.isThere(move, before)) transitions.refuseLost();
  });
  const done = await runHandler(ready, { table, row }, refs);
  if (move) await transitions.finishMove({ key, move, before }, moving);
  await checkOutput(call, done.value);
  return { ...done, given };
}

/** Reads the record again in the transaction: it may have changed since it was judged. */
async function reread(
  { key, rule, move }: JudgedRecord,
  { call: { request, plan }, transaction }: ReadyAction,
): Promise<StoredRow> {
  const row = await request.app.data.selectStored(transaction, key);
  if (row === null) return refuseMiss(request, recordsOf(plan).resource, key);
  if (move && !transitions.isThere(move, row)) {
    if (transitions.stateOf(row, move.transition.field) !== move.from) transitions.refuseLost();
    transitions.requireMove(move.transition, move.to, row, key.firewall);
  }
  const within = { app: request.app, database: transaction };
  await transitions.requireState(within, rule, { row, firewall: key.firewall });
  return row;
}

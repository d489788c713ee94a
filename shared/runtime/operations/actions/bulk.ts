/**
 * Serves `POST /{resource}/batch/{action}`: an action on several records (contract 4.4 rule 8). It is one request, costs one
 * token of the rate limit and runs in one transaction. Each record passes or fails by itself; with `failFast` the first failure
 * undoes all.
 */
import { BATCH_SIZE_DEFAULT, RUNTIME_CODES } from "../../../contract/mod.ts";
import type { JsonObject } from "../../../lib/json.ts";
import type { RowRule } from "../../../surface/mod.ts";
import type { Caller } from "../../context.ts";
import { batchEnvelope, refuseStopped } from "../batch/batch.ts";
import { enter } from "../call.ts";
import { databaseWithin, inSavepoint } from "../../data/within.ts";
import type { Transaction } from "../../ports.ts";
import {
  refuseUnknown,
  requireEntries,
  requireFailFast,
  requireIdType,
} from "../../layers/6-validation/require_body.ts";
import { batchError } from "../../response/refused.ts";
import { refusedEnd } from "./action_audit.ts";
import type { ActionCall, ActionPlan } from "./action_plan.ts";
import { bodyOf, requireInput } from "./action_input.ts";
import { requireActionQuery, requireMayRun } from "./action_plan.ts";
import { requireMove, requireState, targetOf } from "./transition.ts";
import { authoredRefusal } from "../../authored/authored_refusal.ts";
import { authoredItem, refusalOf, resultText } from "./action_response.ts";
import { findRecord, performOn, recordCaller } from "./record.ts";
import type { JudgedRecord } from "./judged_record.ts";
import { inTransaction, type ReadyAction } from "./run_handler.ts";

interface BulkRequest {
  readonly ids: readonly (string | number)[];
  readonly input: unknown;
  readonly failFast: boolean;
}

interface BulkRun extends BulkRequest {
  readonly call: ActionCall;
  readonly caller: Caller;
  readonly rule: RowRule | null;
}

/** Result of the action for one record: the JSON text of its result, or its refusal. */
type Outcome =
  | { readonly kind: "done"; readonly text: string }
  | { readonly kind: "failed"; readonly error: JsonObject };

export async function runBulkAction(call: ActionCall): Promise<Response> {
  enter(call, "access.role");
  const caller = recordCaller(call);
  const rule = requireMayRun(call);

  enter(call, "validation");
  requireActionQuery(call);
  const { ids, input, failFast } = requireBulk(await bodyOf(call), call.plan);
  call.audit?.concerns(ids.map(String));
  const valid = await requireInput(call, input, ["input"]);
  const run: BulkRun = { call, caller, rule, ids, input: valid, failFast };
  return await inTransaction(
    call,
    async (transaction) => ({ response: await runAll(run, transaction), begun: null }),
  );
}

async function runAll(run: BulkRun, transaction: Transaction): Promise<Response> {
  const { call, ids, failFast } = run;
  enter(call, "firewall");
  enter(call, "access");
  enter(call, "operation");
  const outcomes: Outcome[] = [];
  for (const [index, id] of ids.entries()) {
    call.audit?.turnsTo(index);
    const outcome = await outcomeOf(run, id, transaction);
    outcomes.push(outcome);
    if (failFast && outcome.kind === "failed") {
      const flags = { failFast: true, transactional: true };
      const meta = { total: ids.length, succeeded: 0, failed: 1, ...flags };
      refuseStopped("ids", index, outcome.error, meta);
    }
  }
  enter(call, "masking");
  const done = outcomes.flatMap((outcome) => outcome.kind === "done" ? [outcome.text] : []);
  const errors = outcomes.flatMap((outcome, index) =>
    outcome.kind === "failed" ? [{ index, id: ids[index], error: outcome.error }] : []
  );
  const flags = { failFast, transactional: failFast };
  const meta = { total: ids.length, succeeded: done.length, failed: errors.length, ...flags };
  return batchEnvelope(done, errors, meta, 200);
}

async function outcomeOf(
  run: BulkRun,
  id: string | number,
  transaction: Transaction,
): Promise<Outcome> {
  try {
    const text = await inSavepoint(transaction, async () => {
      const { record, ready } = await judged(run, id, transaction);
      return resultText(await performOn(record, ready), ready);
    });
    return { kind: "done", text };
  } catch (error) {
    const { audit } = run.call;
    const authored = authoredRefusal(error);
    if (authored) {
      audit?.refused({ result: "error", code: authored.code });
      return { kind: "failed", error: authoredItem(authored, run.call) };
    }
    // An error that says nothing about a record ends the request.
    const refusal = refusalOf(error, run.call);
    if (RUNTIME_CODES[refusal.code].status >= 500) throw refusal;
    audit?.refused(refusedEnd(refusal));
    return { kind: "failed", error: { ...batchError(refusal) } };
  }
}

async function judged(
  { call, caller, rule, input }: BulkRun,
  id: string | number,
  transaction: Transaction,
): Promise<{ readonly record: JudgedRecord; readonly ready: ReadyAction }> {
  const request = call.request.on(databaseWithin(transaction));
  const one = { ...call, id: String(id), request };
  const record = await findRecord(one, caller);
  const { row, key: { firewall } } = record;
  await requireState(request, rule, { row, firewall });
  const { transition } = call.plan.operation.action;
  const move = transition && requireMove(transition, targetOf(transition, input), row, firewall);
  const ready = { call: one, caller, input, transaction, yieldIt: null };
  return { record: { ...record, rule, move }, ready };
}

function requireBulk(body: JsonObject, { table }: ActionPlan): BulkRequest {
  refuseUnknown(body, ["ids", "input", "options"], []);
  const ids = requireEntries(body, { member: "ids", max: BATCH_SIZE_DEFAULT });
  requireIdType(ids, { member: "ids", idStrategy: table?.idStrategy ?? false });
  return {
    ids,
    input: Object.hasOwn(body, "input") ? body["input"] : {},
    failFast: requireFailFast(body, { allowFailFast: true }),
  };
}

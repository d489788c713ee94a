/** Makes the move of an action inside its transaction: alone, or as much of it as a handler has left (contract 3.2). */
import type { RowRule } from "../../../surface/admission.ts";
import type { SqlValue, Transaction } from "../../ports.ts";
import type { Stamps, StoredRow } from "../../data/types.ts";
import type { ActionCall } from "./action_plan.ts";
import { requireState } from "./action_state.ts";
import type { JudgedRecord } from "./record.ts";
import { type Move, moveResult, refuseLost, stateOf } from "./transition.ts";

interface Moving {
  readonly call: ActionCall;
  readonly transaction: Transaction;
  readonly stamps: Stamps;
}

/** One guarded UPDATE: it meets no row when somebody was faster. Returns the answer of the action. */
export async function applyMove(
  { key, row, rule, move }: JudgedRecord,
  { call, transaction, stamps }: Moving,
): Promise<unknown> {
  if (move === null) throw new Error(`Action "${call.plan.operation.id}" does nothing`);
  const { table } = key.firewall;
  if (move.isDone) return moveResult(move, { table, stamped: row });
  const { field, guard } = move.transition;
  const values = written(move, stamps);
  const operand = { kind: "literal", value: move.from } as const;
  const from = { column: field, operator: "equals", operand } as const;
  const moved: RowRule = { kind: "conditions", conditions: [from, ...guard] };
  const isMoved = await call.request.app.data.updateRow(transaction, {
    ...key,
    values,
    stamps,
    rule: rule === null ? moved : { kind: "all", of: [rule, moved] },
  });
  if (isMoved) return moveResult(move, { table, stamped: values });
  const now = await call.request.app.data.selectStored(transaction, key);
  if (now === null || !isThere(move, now)) return refuseLost();
  requireState(rule, { row: now, firewall: key.firewall });
  return moveResult(move, { table, stamped: now });
}

/**
 * A handler may make the move or leave it: of what the move writes, the service writes what the handler has not touched.
 * Nobody else can have written the record since `before` was read in the same transaction.
 */
export async function finishMove(
  { key, move, before }: Pick<JudgedRecord, "key"> & {
    readonly move: Move;
    readonly before: StoredRow;
  },
  { call, transaction, stamps }: Moving,
): Promise<void> {
  const { data } = call.request.app;
  const now = await data.selectHeld(transaction, key);
  requireOnItsWay(move, now);
  const left = [...written(move, stamps)].filter(([column, value]) =>
    now.get(column) === before.get(column) && now.get(column) !== value
  );
  if (left.length > 0) {
    await data.updateHeld(transaction, { ...key, values: new Map(left), stamps });
  }
}

/** The values that a move writes, by column. */
function written(
  { transition: { field, stamp, clears }, to }: Move,
  { now }: Stamps,
): ReadonlyMap<string, SqlValue> {
  return new Map<string, SqlValue>([
    [field, to],
    ...(stamp === null ? [] : [[stamp, now] as const]),
    ...clears.map((column) => [column, null] as const),
  ]);
}

function requireOnItsWay(
  { transition: { field }, from, to }: Move,
  row: StoredRow | null,
): asserts row is StoredRow {
  if (row === null) throw new TransitionBroken(`removed the record whose "${field}" it moves`);
  const state = stateOf(row, field);
  if (state !== from && state !== to) {
    throw new TransitionBroken(`left "${field}" as "${state}", neither "${from}" nor "${to}"`);
  }
}

/** The author's mistake: the action ends as by any other throw, and the log says why. */
class TransitionBroken extends Error {
  constructor(mistake: string) {
    super(`The action's handler ${mistake}`);
  }
}

/** Somebody was faster with the same move, and that is no mistake. */
export function isThere({ transition: { idempotent, field }, to }: Move, row: StoredRow): boolean {
  return idempotent && stateOf(row, field) === to;
}

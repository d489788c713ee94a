/**
 * Judges moves of a state field (contract 3.2, definitions 5 "transition"). Refuses with `ACCESS_ACTION_NOT_ALLOWED_FOR_STATE`,
 * or as `onIllegal` says, and with `ACCESS_TRANSITION_LOST` when another caller moved the record first.
 */
import { columnNamed, type RowRule } from "../../../surface/mod.ts";
import { restored } from "../../../column_types/mod.ts";
import type { Condition, JsonValue, TableModel, TransitionModel } from "../../../model/mod.ts";
import { AuthoredRefusal } from "../../authored/authored_refusal.ts";
import type { Caller } from "../../context.ts";
import { rowSatisfies } from "../../data/conditions.ts";
import type { Firewall, Stamps, StoredRow } from "../../data/types.ts";
import type { Admitted } from "../../gate.ts";
import { type Soon, soon } from "../../../lib/soon.ts";
import type { Reader, SqlValue, Transaction } from "../../ports.ts";
import { Refusal, refuse } from "../../refusal.ts";
import * as records from "../../records/write_record.ts";
import { recordScope } from "../call_scope.ts";
import { type ActionCall, recordsOf } from "./action_plan.ts";
import type { JudgedRecord, Move } from "./judged_record.ts";

/** Returns the target state of the move; null: the input does not name a state. */
export function targetOf({ target }: TransitionModel, input: unknown): string | null {
  if (target.kind === "to") return target.state;
  const named = typeof input === "object" && input !== null && Object.hasOwn(input, target.input)
    ? Object.getOwnPropertyDescriptor(input, target.input)?.value
    : undefined;
  return typeof named === "string" ? named : null;
}

export function requireMove(
  transition: TransitionModel,
  to: string | null,
  row: StoredRow,
  firewall: Firewall,
): Move {
  const from = stateOf(row, transition.field);
  if (to === null) return refuseMove(transition, null);
  if (transition.idempotent && from === to) return { transition, from, to, isDone: true };
  const { fromTo, guard } = transition;
  const isLegal = from !== null && Object.hasOwn(fromTo, from) && fromTo[from]?.includes(to);
  const rule = { kind: "conditions", conditions: guard } as const;
  if (!isLegal || !rowSatisfies(rule, row, firewall)) return refuseMove(transition, to);
  return { transition, from, to, isDone: false };
}

export function stateOf(row: StoredRow, field: string): string | null {
  const state = row.get(field);
  return typeof state === "string" ? state : null;
}

function refuseMove(transition: TransitionModel, to: string | null): never {
  const { field, fromTo, guard, onIllegal } = transition;
  if (onIllegal) throw new AuthoredRefusal(onIllegal.message, onIllegal.code, onIllegal.status);
  const states = Object.keys(fromTo).filter((from) => to === null || fromTo[from]?.includes(to));
  const shown = recordShown([
    { column: field, operator: "in", operand: { kind: "literals", values: states } },
  ]);
  const guards = recordShown(guard);
  return refuseState(guard.length === 0 ? shown : { and: [shown, guards] });
}

export function refuseLost(): never {
  return refuse("ACCESS_TRANSITION_LOST");
}

/** Builds the answer `{ success: true, <field>: <state>, <stamp>: <time> }`. */
export function moveResult(
  { transition: { field, stamp }, to }: Move,
  { table, stamped }: { readonly table: TableModel; readonly stamped: StoredRow },
): JsonValue {
  const time = stamp === null
    ? {}
    : { [stamp]: restored(columnNamed(stamp, table), stamped.get(stamp) ?? null) };
  return { success: true, [field]: to, ...time };
}

interface Moving {
  readonly call: ActionCall;
  readonly caller: Caller;
  readonly transaction: Transaction;
  readonly stamps: Stamps;
}

/**
 * Makes the whole move of an action inside its transaction (contract 3.2) and returns the answer of the action. One guarded
 * UPDATE does it: it meets no row when another caller was faster.
 */
export async function applyMove(
  { key, row, rule, move }: JudgedRecord,
  { call, caller, transaction, stamps }: Moving,
): Promise<unknown> {
  if (move === null) throw new Error(`Action "${call.plan.operation.id}" does nothing`);
  const { table } = key.firewall;
  if (move.isDone) return moveResult(move, { table, stamped: row });
  const { field, guard } = move.transition;
  const values = written(move, stamps);
  const operand = { kind: "literal", value: move.from } as const;
  const from = { column: field, operator: "equals", operand } as const;
  const moved: RowRule = { kind: "conditions", conditions: [from, ...guard] };
  const isMoved = await records.updateRecord(scopeOf({ call, caller, transaction }), {
    ...key,
    values,
    stamps,
    rule: rule === null ? moved : { kind: "all", of: [rule, moved] },
    operation: "transition",
    fixed: [...values.keys()],
    isJudged: true,
    refusalBy: (rule) =>
      new Refusal("ACCESS_ACTION_NOT_ALLOWED_FOR_STATE", {
        details: { conditions: conditionsShown(rule) },
      }),
  });
  if (isMoved) return moveResult(move, { table, stamped: values });
  const now = await call.request.app.data.selectStored(transaction, key);
  if (now === null || !isThere(move, now)) return refuseLost();
  await requireState(
    { app: call.request.app, database: transaction },
    rule,
    { row: now, firewall: key.firewall },
  );
  return moveResult(move, { table, stamped: now });
}

/**
 * Writes what a handler has left of the move: a handler may make the move or leave it, and the service writes the columns that
 * the handler did not change. No other caller can have written the record since `before` was read in the same transaction.
 */
export async function finishMove(
  { key, move, before }: Pick<JudgedRecord, "key"> & {
    readonly move: Move;
    readonly before: StoredRow;
  },
  { call, caller, transaction, stamps }: Moving,
): Promise<void> {
  const { data } = call.request.app;
  const now = await data.selectHeld(transaction, key);
  const { transition: { field }, from, to } = move;
  if (now === null) throw new TransitionBroken(`removed the record whose "${field}" it moves`);
  const state = stateOf(now, field);
  if (state !== from && state !== to) {
    throw new TransitionBroken(`left "${field}" as "${state}", neither "${from}" nor "${to}"`);
  }
  const left = [...written(move, stamps)].filter(([column, value]) =>
    now.get(column) === before.get(column) && now.get(column) !== value
  );
  if (left.length > 0) {
    const fixed = [...written(move, stamps).keys()];
    const change = { ...key, row: now, values: new Map(left), stamps, fixed };
    const scope = scopeOf({ call, caller, transaction });
    await records.updateHeldRecord(scope, { ...change, operation: "transition" });
  }
}

function scopeOf({ call, caller, transaction }: Omit<Moving, "stamps">) {
  return recordScope({ request: call.request, plan: recordsOf(call.plan) }, caller, transaction);
}

/** Returns the values that a move writes, by column. */
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

/** Error for a mistake of the author: the action ends as for any thrown error, and the log contains the reason. */
class TransitionBroken extends Error {
  constructor(mistake: string) {
    super(`The action's handler ${mistake}`);
  }
}

/** True when another caller has already made the same move, and the transition accepts that. */
export function isThere({ transition: { idempotent, field }, to }: Move, row: StoredRow): boolean {
  return idempotent && stateOf(row, field) === to;
}

/**
 * Judges the state of a record for an action (contract 3.2, 4.4 rule 1). Refuses with `ACCESS_ACTION_NOT_ALLOWED_FOR_STATE`;
 * `details.conditions` contains the conditions as their author wrote them.
 */
export function requireState(
  { app, database }: Pick<Admitted, "app"> & { readonly database: Reader },
  rule: RowRule | null,
  { row, firewall }: { readonly row: StoredRow; readonly firewall: Firewall },
): Soon<void> {
  if (rule === null) return;
  return soon(
    app.data.judgeRows(database, { rule, rows: [row], firewall }),
    ([holds]) => holds === true ? undefined : refuseState(conditionsShown(rule)),
  );
}

function refuseState(conditions: JsonValue): never {
  return refuse("ACCESS_ACTION_NOT_ALLOWED_FOR_STATE", { details: { conditions } });
}

function conditionsShown(rule: RowRule): JsonValue {
  switch (rule.kind) {
    case "conditions":
      return recordShown(rule.conditions);
    case "all":
      return { and: rule.of.map(conditionsShown) };
    case "any":
      return { or: rule.of.map(conditionsShown) };
    case "not":
      return { not: conditionsShown(rule.of) };
    case "context":
      return conditionsShown(rule.of);
    case "related": {
      const { relation: { name, direction }, quantifier, of } = rule;
      const shown = conditionsShown(of);
      return { [name]: direction === "parent" ? shown : { [quantifier]: shown } };
    }
    case "holders":
      return { roles: rule.roles };
  }
}

/** Shows conditions as their author wrote them: `{ status: { equals: "draft" } }`. */
function recordShown(conditions: readonly Condition[]): JsonValue {
  const columns = new Map<string, Record<string, JsonValue>>();
  for (const { column, operator, operand } of conditions) {
    columns.set(column, { ...columns.get(column), [operator]: operandShown(operand) });
  }
  return Object.fromEntries(columns);
}

function operandShown(operand: Condition["operand"]): JsonValue {
  switch (operand.kind) {
    case "literal":
      return operand.value;
    case "literals":
      return operand.values;
    case "context":
    case "contextList":
      return `$ctx.${operand.key}`;
  }
}

/**
 * Moves of a state field (contract 3.2, definitions 5 "transition"). Refuses with `ACCESS_ACTION_NOT_ALLOWED_FOR_STATE`, or
 * with what `onIllegal` says, and with `ACCESS_TRANSITION_LOST` when somebody else moved the record first.
 */
import { restored } from "../../../column_types/mod.ts";
import type { TransitionModel } from "../../../model/action.ts";
import type { JsonValue } from "../../../model/column.ts";
import type { TableModel } from "../../../model/table.ts";
import { columnOf } from "../../data/catalog.ts";
import { rowSatisfies } from "../../data/row_satisfies.ts";
import type { Firewall, StoredRow } from "../../data/types.ts";
import { refuse } from "../../refusal.ts";
import { AuthoredRefusal } from "../../authored/authored_refusal.ts";
import { recordShown, refuseState } from "./action_state.ts";

export interface Move {
  readonly transition: TransitionModel;
  readonly from: string | null;
  readonly to: string;
  /** The record is there already, and that is no mistake. */
  readonly isDone: boolean;
}

/** The move that is asked for; null: the input does not name a state. */
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
  { row, firewall }: { readonly row: StoredRow; readonly firewall: Firewall },
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

/** `{ success: true, <field>: <state>, <stamp>: <time> }`. */
export function moveResult(
  { transition: { field, stamp }, to }: Move,
  { table, stamped }: { readonly table: TableModel; readonly stamped: StoredRow },
): JsonValue {
  const time = stamp === null
    ? {}
    : { [stamp]: restored(columnOf(table, stamp), stamped.get(stamp) ?? null) };
  return { success: true, [field]: to, ...time };
}

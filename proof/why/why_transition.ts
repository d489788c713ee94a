/** Judges an action's transition from the row's state, and names its place (contract 3.2, definitions 5). */
import { type ActionModel, sourcePath, type TransitionModel } from "../../shared/model/action.ts";
import type { RuntimeCode } from "../../shared/contract/codes.ts";
import type { Origin } from "../../shared/model/table.ts";
import { compare } from "../../shared/oracle/judge.ts";
import { nearestPlace } from "../../shared/oracle/places.ts";
import type { RuledRoute } from "../../shared/oracle/routes.ts";
import { conditionText } from "../../shared/oracle/explain.ts";
import type { ComparedValue, DefinedProject, WhyQuestion, WhyStep } from "./why.ts";

interface TransitionStep {
  readonly step: WhyStep;
  readonly code: RuntimeCode | null;
}

/** Null: there is no move, or nothing is known of the state that it starts from. */
export function transitionStep(
  { subject }: RuledRoute,
  question: WhyQuestion,
  { places }: DefinedProject,
): TransitionStep | null {
  if (subject.kind !== "action" || !question.row) return null;
  const { action } = subject.operation;
  const { transition } = action;
  if (transition === null || !Object.hasOwn(question.row, transition.field)) return null;
  const path = [...sourcePath(action.source), "transition"];
  const place = nearestPlace(places, action.origin.file, path.join(".")) ?? action.origin;
  return judgeTransition(transition, question, { action, place });
}

interface PlacedAction {
  readonly action: ActionModel;
  readonly place: Origin;
}

function judgeTransition(
  transition: TransitionModel,
  { row, body, caller }: WhyQuestion,
  { place }: PlacedAction,
): TransitionStep {
  const { field, target, guard, idempotent } = transition;
  const state = row?.[field] ?? null;
  const wanted = target.kind === "to" ? target.state : body?.[target.input] ?? null;
  const compared: readonly ComparedValue[] = [
    movedValue(transition, { state, wanted, place }),
    ...guard.map((condition) => {
      const { actual, wanted, holds } = compare(condition, caller, row ?? {});
      return { condition: conditionText(condition), actual, wanted, holds, place };
    }),
  ];
  const isThere = idempotent && state === wanted;
  const passed = isThere || compared.every(({ holds }) => holds);
  return {
    code: passed ? null : "ACCESS_ACTION_NOT_ALLOWED_FOR_STATE",
    step: {
      layer: "access",
      passed,
      rule: isThere
        ? `"${field}" is there already`
        : `"${field}" moves to ${JSON.stringify(wanted)}`,
      place,
      compared,
    },
  };
}

interface Moved {
  readonly state: unknown;
  readonly wanted: unknown;
  readonly place: Origin;
}

function movedValue(
  { fromTo, field }: TransitionModel,
  { state, wanted, place }: Moved,
): ComparedValue {
  const sources = Object.entries(fromTo)
    .filter(([, targets]) => targets.some((one) => one === wanted))
    .map(([source]) => source);
  const holds = sources.some((source) => source === state);
  return { condition: `${field} moves from`, actual: state, wanted: sources, holds, place };
}

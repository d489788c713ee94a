/** Refuses a caller whose row condition failed, with `ACCESS_CONDITION_FAILED` or `ACCESS_OWNERSHIP_REQUIRED`. */
import type { Condition } from "../../../model/predicate.ts";
import type { TableModel } from "../../../model/table.ts";
import type { RowRule } from "../../../surface/admission.ts";
import { refuse } from "../../refusal.ts";

/** Refuses the row; `holds` judges one condition on it. */
export function refuseRow(
  rule: RowRule,
  table: TableModel,
  holds: (condition: Condition) => boolean,
): never {
  const failed = conditionsOf(rule).filter((condition) => !holds(condition));
  const isOwnership = failed.length > 0 && failed.every((one) => asksForOwner(one, table));
  return refuse(isOwnership ? "ACCESS_OWNERSHIP_REQUIRED" : "ACCESS_CONDITION_FAILED");
}

function conditionsOf(rule: RowRule): readonly Condition[] {
  return rule.kind === "conditions" ? rule.conditions : rule.of.flatMap(conditionsOf);
}

function asksForOwner({ column, operator, operand }: Condition, table: TableModel): boolean {
  const isOwner = column === table.scope.owner || column === "createdBy";
  return isOwner && operator === "equals" && operand.kind === "context" && operand.key === "userId";
}

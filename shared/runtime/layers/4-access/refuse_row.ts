/** What a caller is told whose row condition failed. Refuses with `ACCESS_CONDITION_FAILED`, `ACCESS_OWNERSHIP_REQUIRED`. */
import type { Condition } from "../../../model/predicate.ts";
import type { TableModel } from "../../../model/table.ts";
import type { RowRule } from "../../../surface/admission.ts";
import { refuse } from "../../refusal.ts";

/** `holds` tells of one condition whether the row meets it. */
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

/** Admits callers to an operation by role (contract 4.2, 5.4, definitions 4.2). Refuses with `ACCESS_ROLE_REQUIRED`. */
import type { Access, Condition } from "../../../model/access.ts";
import type { Principal } from "../../../model/principal.ts";
import type { TableModel } from "../../../model/table.ts";
import { admissionOf, rolesNamedBy, type RowRule } from "../../../surface/admission.ts";
import { refuse } from "../../refusal.ts";

/** Returns the rule that each row must still meet; null: none. */
export function requireRole(access: Access, principal: Principal): RowRule | null {
  const admission = admissionOf(access, principal);
  switch (admission.kind) {
    case "granted":
      return null;
    case "conditional":
      return admission.rule;
    case "refused":
      return refuse("ACCESS_ROLE_REQUIRED", {
        details: { required: [...rolesNamedBy(access)], current: [...rolesHeldBy(principal)] },
      });
  }
}

/** Project roles and the platform role: all that an access rule could have named. */
export function rolesHeldBy({ roles, userRole }: Principal): readonly string[] {
  return userRole === null ? roles : [...roles, userRole];
}

/**
 * Refuses a caller whose row condition failed, with `ACCESS_CONDITION_FAILED` or `ACCESS_OWNERSHIP_REQUIRED`; `holds` judges
 * one condition on the row.
 */
export function refuseRow(
  rule: RowRule,
  table: TableModel,
  holds: (condition: Condition) => boolean,
): never {
  const failed = conditionsOf(rule).filter((condition) => !holds(condition));
  const isOwnership = failed.length > 0 && failed.every(({ column, operator, operand }) => {
    const isOwner = column === table.scope.owner || column === "createdBy";
    return isOwner && operator === "equals" && operand.kind === "context" &&
      operand.key === "userId";
  });
  return refuse(isOwnership ? "ACCESS_OWNERSHIP_REQUIRED" : "ACCESS_CONDITION_FAILED");
}

function conditionsOf(rule: RowRule): readonly Condition[] {
  return rule.kind === "conditions" ? rule.conditions : rule.of.flatMap(conditionsOf);
}

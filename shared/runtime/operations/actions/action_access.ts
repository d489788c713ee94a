/**
 * Admits callers to an action, and settles its organization (contract 4.4 rules 1 to 3). Refuses with
 * `ACCESS_ROLE_REQUIRED`.
 */
import type { Principal } from "../../../model/principal.ts";
import type { ActionOperation } from "../../../surface/action_operations.ts";
import type { RowRule } from "../../../surface/admission.ts";
import { needsOrganization } from "../../layers/3-firewall/scope.ts";
import { requireRole, rolesHeldBy } from "../../layers/4-access/require_role.ts";
import { refuse } from "../../refusal.ts";
import type { ActionCall, ActionPlan } from "./action_plan.ts";

/** Refuses whom neither the access rule nor `unsafe` admits; what is left is asked of the record. */
export function requireMayRun(
  { request: { principal }, plan: { operation } }: Pick<ActionCall, "request" | "plan">,
): RowRule | null {
  const rule = requireRole(operation.access, principal);
  if (isSysadminOnly(operation) && principal.userRole !== "sysadmin") {
    refuse("ACCESS_ROLE_REQUIRED", {
      details: { required: ["sysadmin"], current: [...rolesHeldBy(principal)] },
    });
  }
  return rule;
}

/** True when `unsafe` keeps the action for one role, whatever its access rule says (contract 4.4 rule 3). */
export function isSysadminOnly({ action: { unsafe } }: ActionOperation): boolean {
  return unsafe !== null && (unsafe.adminOnly || unsafe.crossTenant);
}

/** Across tenants there is no one organization to act in. */
export function actionNeedsOrganization(
  { table, operation: { action: { unsafe, verb } } }: Pick<ActionPlan, "table" | "operation">,
  principal: Principal,
): boolean {
  if (table === null || unsafe?.crossTenant === true) return false;
  return needsOrganization({ table, makesRows: verb === "create" }, principal);
}

/** Admits callers to an operation by role (contract 4.2, 5.4, definitions 4.2). Refuses with `ACCESS_ROLE_REQUIRED`. */
import type { Condition, Principal, TableModel } from "../../../model/mod.ts";
import type { Grant, RoleRule, RowRule, Ruled } from "../../../surface/mod.ts";
import { accessOf, admissionOf, holdsRole, isGranted, rolesNamedBy } from "../../../surface/mod.ts";
import { refuse } from "../../refusal.ts";

/** Returns the rule that each row must still meet; null: none. */
export function requireRole(ruled: Ruled, principal: Principal): RowRule | null {
  const { access, grant } = ruled;
  const admission = admissionOf(ruled, principal);
  switch (admission.kind) {
    case "granted":
      return null;
    case "conditional":
      return admission.rule;
    case "refused":
      return refuse("ACCESS_ROLE_REQUIRED", {
        ...(isGranted(grant, principal.grants) ? {} : narrowness(grant, principal)),
        details: { required: [...rolesNamedBy(access)], current: [...rolesHeldBy(principal)] },
      });
  }
}

/**
 * Admits a caller of one of the service's own routes. Refuses with `AUTH_SESSION_REQUIRED` and `ACCESS_NO_ORG`, too, where the
 * rule requires a session.
 */
export function requireRule(rule: RoleRule, principal: Principal): void {
  if (rule.isOfSession) {
    if (!holdsRole(principal, "SESSION")) refuse("AUTH_SESSION_REQUIRED");
    if (principal.organizationId === null && rule.outside.length === 0) refuse("ACCESS_NO_ORG");
  }
  const { grants: _, ...whole } = principal;
  const judged = rule.takesNarrowed ? whole : principal;
  requireRole({ access: accessOf(rule, principal), grant: null }, judged);
}

/** Describes the right that a narrowed credential lacks, and the way out. */
function narrowness(grant: Grant | null, { credential }: Principal) {
  if (credential === "oauth") {
    const scopes = grant?.verbs.map((verb) => `${grant.resource}:${verb}`) ?? [];
    return {
      detail: grant === null
        ? "Tokens of OAuth clients do not reach this"
        : `The scope of this token does not hold ${scopes.join(" ")}`,
      hint: "Ask the user for it anew, with the scope that is needed",
    };
  }
  return {
    detail: grant === null
      ? "Keys with permissions do not reach this"
      : `The key's permissions do not hold ${grant.verbs.join(", ")} of "${grant.resource}"`,
    hint: "Use a key that has it among its permissions, or one without permissions",
  };
}

/** Returns project roles and the platform role: all roles that an access rule could name. */
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
  const failed = isPlain(rule) ? conditionsOf(rule).filter((one) => !holds(one)) : [];
  const isOwnership = failed.length > 0 && failed.every(({ column, operator, operand }) => {
    const isOwner = column === table.scope.owner || column === "createdBy";
    return isOwner && operator === "equals" && operand.kind === "context" &&
      operand.key === "userId";
  });
  return refuse(isOwnership ? "ACCESS_OWNERSHIP_REQUIRED" : "ACCESS_CONDITION_FAILED");
}

/** True for a rule of columns alone, as authors write it without `or`, `and`, `not` or a relation in a record. */
function isPlain(rule: RowRule): boolean {
  if (rule.kind === "all" || rule.kind === "any") return rule.of.every(isPlain);
  return rule.kind === "conditions";
}

/** Returns the conditions on the row itself, from all branches of the rule. */
function conditionsOf(rule: RowRule): readonly Condition[] {
  switch (rule.kind) {
    case "conditions":
      return rule.conditions;
    case "all":
    case "any":
      return rule.of.flatMap(conditionsOf);
    default:
      return [];
  }
}

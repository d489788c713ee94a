/** Decides who may read a view: callers who may read the resource, and roles that may read only the view (definitions 4.5). */
import { type Access, isDelegatedRole } from "../../../../model/mod.ts";
import { rolesNamedBy } from "../../../../surface/mod.ts";

/** Pseudo-roles that every caller with a project role has. */
const COVER_ALL = ["PUBLIC", "AUTHENTICATED", "SESSION"];

/** True when `allowed` admits every caller with the role. */
export function isCovered(role: string, allowed: readonly string[]): boolean {
  if (allowed.includes(role) || allowed.includes("PUBLIC")) return true;
  return role !== "PUBLIC" && !isDelegatedRole(role) &&
    COVER_ALL.some((pseudo) => allowed.includes(pseudo));
}

/**
 * Returns the roles that a view names and `read.access` does not: they may read only the view. If `read.access` has a condition
 * on the record and names no role, it admits every account on some rows, so the result is empty.
 */
export function rolesAlone(parent: Access, own: Access): readonly string[] {
  const allowed = rolesNamedBy(parent);
  if (allowed.length === 0 && parent.kind !== "nobody") return [];
  return projectRolesIn(own).filter((role) => !isCovered(role, allowed));
}

/** Returns the roles under `roles`, each once. Those under `userRole` only narrow the other conditions. */
function projectRolesIn(access: Access): readonly string[] {
  if (access.kind === "roles") return access.roles;
  return "of" in access ? [...new Set(access.of.flatMap(projectRolesIn))] : [];
}

/**
 * Returns the rule of a view. A caller whom `read.access` admits is bound by both rules and their row conditions. A caller with
 * a role that only the view names is bound by the view's rule.
 */
export function viewAccess(parent: Access, own: Access): Access {
  const alone = rolesAlone(parent, own);
  if (alone.length === 0) return bothBind(parent, own);
  // If neither has a condition on the record, any role of the view's own rule is enough.
  if ((parent.kind === "roles" || parent.kind === "nobody") && own.kind === "roles") return own;
  const stands: Access = { kind: "all", of: [{ kind: "roles", roles: alone }, own] };
  return parent.kind === "nobody" ? stands : { kind: "first", of: [bothBind(parent, own), stands] };
}

/**
 * Combines two rules. If the roles of one are part of its parent's, its own rule is enough, and a refusal then names the right
 * roles.
 */
export function bothBind(parent: Access, own: Access): Access {
  const narrows = parent.kind === "roles" && own.kind === "roles" &&
    own.roles.every((role) => parent.roles.includes(role));
  return narrows ? own : { kind: "all", of: [parent, own] };
}

/** True when every caller whom the rule admits has one of these roles. */
export function admitsOnly(access: Access, roles: readonly string[]): boolean {
  switch (access.kind) {
    case "nobody":
      return true;
    case "roles":
    case "userRole":
      return access.roles.every((role) => isCovered(role, roles));
    case "record":
    case "row":
      return false;
    case "all":
      return access.of.some((part) => admitsOnly(part, roles));
    case "any":
    case "first":
      return access.of.every((part) => admitsOnly(part, roles));
  }
}

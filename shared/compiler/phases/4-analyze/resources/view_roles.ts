/** Who a view is for: those who may read the resource, and roles that have the view alone (definitions 4.5). */
import { type Access, isDelegatedRole } from "../../../../model/mod.ts";
import { rolesNamedBy } from "../../../../surface/mod.ts";

/** Pseudo-roles that every holder of a project role has. */
const COVER_ALL = ["PUBLIC", "AUTHENTICATED", "SESSION"];

/** True when everybody with the role is among those whom `allowed` admits. */
export function isCovered(role: string, allowed: readonly string[]): boolean {
  if (allowed.includes(role) || allowed.includes("PUBLIC")) return true;
  return role !== "PUBLIC" && !isDelegatedRole(role) &&
    COVER_ALL.some((pseudo) => allowed.includes(pseudo));
}

/**
 * Roles that a view names and `read.access` does not: they have the view alone. Where `read.access` asks for the record and
 * names no role, it admits every account on some rows, so that there are none.
 */
export function rolesAlone(parent: Access, own: Access): readonly string[] {
  const allowed = rolesNamedBy(parent);
  if (allowed.length === 0 && parent.kind !== "nobody") return [];
  return projectRolesIn(own).filter((role) => !isCovered(role, allowed));
}

/** Roles under `roles`, each once: those under `userRole` narrow what the others say. */
function projectRolesIn(access: Access): readonly string[] {
  if (access.kind === "roles") return access.roles;
  return "of" in access ? [...new Set(access.of.flatMap(projectRolesIn))] : [];
}

/**
 * The rule of a view: whom `read.access` admits is bound by both rules, row conditions of both; holders of a role that the view
 * alone names are bound by the view's own.
 */
export function viewAccess(parent: Access, own: Access): Access {
  const alone = rolesAlone(parent, own);
  if (alone.length === 0) return bothBind(parent, own);
  // Where neither asks for the record, each role of the view's own is enough.
  if ((parent.kind === "roles" || parent.kind === "nobody") && own.kind === "roles") return own;
  const stands: Access = { kind: "all", of: [{ kind: "roles", roles: alone }, own] };
  return parent.kind === "nobody" ? stands : { kind: "first", of: [bothBind(parent, own), stands] };
}

/** A rule whose roles are some of its parent's needs only its own, so that a refusal names the right ones. */
export function bothBind(parent: Access, own: Access): Access {
  const narrows = parent.kind === "roles" && own.kind === "roles" &&
    own.roles.every((role) => parent.roles.includes(role));
  return narrows ? own : { kind: "all", of: [parent, own] };
}

/** True when whoever the rule admits holds one of these roles. */
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

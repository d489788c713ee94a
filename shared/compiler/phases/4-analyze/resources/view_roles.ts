/** A view narrows its parent: its roles are among the parent's read roles (definitions 4.5). */
import { type Access, isDelegatedRole } from "../../../../model/mod.ts";
import { rolesNamedBy } from "../../../../surface/mod.ts";
import type { Value } from "../../values.ts";
import type { Hierarchy } from "../read/roles.ts";
import type { Fields, Token } from "../read/mod.ts";

/** Pseudo-roles that every holder of a project role has. */
const COVER_ALL = ["PUBLIC", "AUTHENTICATED", "SESSION"];

export function checkViewRoles(
  view: Fields,
  own: Access | undefined,
  parent: Access,
  hierarchy: Hierarchy,
): void {
  const entry = view.entries.get("access");
  const allowed = rolesNamedBy(parent);
  if (!entry || !own || allowed.length === 0) return;
  for (const token of roleTokens(entry.value)) {
    const role = token.text.replace(/\+$/, "");
    const roles = token.text.endsWith("+") && hierarchy
      ? hierarchy.ranked.slice(hierarchy.ranked.indexOf(role))
      : [role];
    const outside = roles.find((name) => !isCovered(name, allowed));
    if (outside === undefined || !rolesNamedBy(own).includes(outside)) continue;
    view.at.report.add("VIEW_ROLE_OUTSIDE", token.place, {
      role: outside,
      allowed: allowed.join(", "),
    });
  }
}

/** True when everybody with the role is among those whom `allowed` admits. */
export function isCovered(role: string, allowed: readonly string[]): boolean {
  if (allowed.includes(role) || allowed.includes("PUBLIC")) return true;
  return role !== "PUBLIC" && !isDelegatedRole(role) &&
    COVER_ALL.some((pseudo) => allowed.includes(pseudo));
}

/** Every word under a `roles` key of the rule. */
function roleTokens(value: Value): readonly Token[] {
  if (value.kind === "array") return value.items.flatMap(roleTokens);
  if (value.kind !== "object") return [];
  return value.entries.flatMap(({ key, value: member }) => {
    if (key === "or" || key === "and") return roleTokens(member);
    if (key !== "roles" || member.kind !== "array") return [];
    return member.items.flatMap((item) =>
      item.kind === "string" ? [{ text: item.value, place: item.place }] : []
    );
  });
}

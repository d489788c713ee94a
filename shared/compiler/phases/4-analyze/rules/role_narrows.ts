/**
 * Warns of a predicate with roles, which restricts every caller who has one of them, whatever other roles they have
 * (docs/decisions/relations.md).
 */
import { PLATFORM_ROLES, PSEUDO_ROLES } from "../../../../contract/mod.ts";
import { rolesNamedBy } from "../../../../surface/mod.ts";
import { rolesAlone } from "../resources/view_roles.ts";
import type { RuleInput } from "./rule.ts";

const OF_EVERYBODY: readonly string[] = [...PSEUDO_ROLES, ...PLATFORM_ROLES];

export function roleNarrows({ analysis, subjects }: RuleInput): void {
  for (const { firewall, resource } of subjects) {
    if (!resource?.read) continue;
    const { access, views } = resource.read;
    const alone = views.flatMap((view) => rolesAlone(access, view.access));
    const readers = [...new Set([...rolesNamedBy(access), ...alone])]
      .filter((role) => !OF_EVERYBODY.includes(role));
    for (const { kind, roles, exceptRoles } of firewall.predicates) {
      if (kind === "notDeleted" || roles.length === 0) continue;
      const others = readers.filter((role) => !roles.includes(role) && !exceptRoles.includes(role));
      if (others.length === 0) continue;
      const { name } = firewall.table;
      analysis.report.add("FIREWALL_ROLE_NARROWS", firewall.place, { table: name, roles, others });
    }
  }
}

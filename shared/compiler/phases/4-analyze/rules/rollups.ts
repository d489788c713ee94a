/**
 * Checks readers of rollups. A total is the same for every caller, so one who sees fewer of the counted rows learns about the
 * others (definitions 3).
 */
import { type Access, hasRole } from "../../../../model/mod.ts";
import { firewallText } from "../../../../surface/mod.ts";
import { isParentReached } from "./cascade_within_firewall.ts";
import { letsThrough } from "./lets_through.ts";
import type { Rule, Subject } from "./rule.ts";

export const rollups: Rule = ({ analysis, subjects }) => {
  for (const parent of subjects) {
    for (const { name, place, rollup } of parent.firewall.table.columns.values()) {
      const child = subjects.find(({ firewall: { table } }) => table.name === rollup?.table);
      if (!rollup || !child) continue;
      const rules = readersOf(parent, name);
      const narrower = child.firewall.predicates.filter((predicate) =>
        predicate.kind !== "notDeleted" && !isParentReached(predicate, rollup.foreignKey) &&
        !(rules !== null && letsThrough(predicate, { rules, subject: child, subjects })) &&
        !parent.firewall.predicates.some((other) =>
          firewallText(predicate) === firewallText(other) ||
          (predicate.kind === other.kind && predicate.kind !== "rule")
        )
      );
      if (narrower.length === 0) continue;
      const only = narrower.map(firewallText).join(" and ");
      analysis.report.add("ROLLUP_WIDER", place, { column: name, children: rollup.table, only });
    }
  }
};

/** Returns the rules that admit readers who see the column plain; null if only handlers read it. */
function readersOf({ resource }: Subject, column: string): readonly Access[] | null {
  if (!resource?.read) return null;
  const mask = resource.masks[column];
  if (mask && !mask.showOwner && mask.showRows === undefined) {
    return [hasRole(...mask.showRoles, ...mask.queryRoles)];
  }
  const views = resource.read.views.filter(({ fields, aggregations }) =>
    fields.includes(column) || aggregations.some((one) => one.column === column)
  );
  return [resource.read.access, ...views.map(({ access }) => access)];
}

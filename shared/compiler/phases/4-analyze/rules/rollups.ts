/** A total is everybody's: whoever sees fewer of the rows that it counts learns of the others by it (definitions 3). */
import type { Rule } from "./rule.ts";
import { firewallText } from "../../../../surface/mod.ts";
import { isParentReached } from "./cascade_within_firewall.ts";

export const rollups: Rule = ({ analysis, subjects }) => {
  for (const parent of subjects) {
    for (const { name, place, rollup } of parent.firewall.table.columns.values()) {
      const child = subjects.find(({ firewall: { table } }) => table.name === rollup?.table);
      if (!rollup || !child) continue;
      const narrower = child.firewall.predicates.filter((predicate) =>
        predicate.kind !== "notDeleted" && !isParentReached(predicate, rollup.foreignKey) &&
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

/**
 * Reports a second scope column of one kind. A row belongs to one organization, one owner, one team, and it has one revision
 * (contract 2.2, definitions 3).
 */
import { scopeOf } from "../../../../column_types/mod.ts";
import type { ColumnDraft } from "../tables/draft.ts";
import type { Rule } from "./rule.ts";

export const oneColumnPerScope: Rule = ({ analysis, subjects }) => {
  for (const { firewall: { table } } of subjects) {
    const seen = new Map<string, string>();
    for (const column of table.columns.values()) {
      const role = serviceRole(column);
      if (role === null) continue;
      const other = seen.get(role);
      if (other === undefined) seen.set(role, column.name);
      else analysis.report.add("SCOPE_TWICE", column.place, { column: column.name, other, role });
    }
  }
};

function serviceRole({ type, manager }: ColumnDraft): string | null {
  const scope = scopeOf(type);
  if (scope !== null) return `${scope} scope`;
  return manager === "revision" ? "revision" : null;
}

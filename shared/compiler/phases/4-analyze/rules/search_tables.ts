/** Reports a table with the name of another table's full-text index, or of a part of it (definitions 4). */
import { takenNames } from "../../../../surface/mod.ts";
import type { RuleInput } from "./rule.ts";

export function searchTables({ analysis, subjects }: RuleInput): void {
  for (const { resource, firewall: { table } } of subjects) {
    if (!resource?.search) continue;
    const taken = takenNames(table.sqlName);
    for (const other of analysis.tables) {
      if (!taken.includes(other.sqlName.toLowerCase())) continue;
      analysis.report.add("SEARCH_TABLE_TAKEN", other.namePlace, {
        table: table.name,
        other: other.name,
      });
    }
  }
}

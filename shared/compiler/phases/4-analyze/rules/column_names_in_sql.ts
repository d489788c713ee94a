/** Reports two columns of a table with one name in SQL, which ignores case (definitions 1). */
import { sqlNameOf } from "../tables/analysis.ts";
import type { Rule } from "./rule.ts";

export const columnNamesInSql: Rule = ({ analysis, subjects }) => {
  for (const { firewall: { table } } of subjects) {
    const names = new Map<string, string>();
    for (const column of table.columns.values()) {
      const sqlName = sqlNameOf(column, analysis);
      const other = names.get(sqlName.toLowerCase());
      if (other !== undefined) {
        const details = { column: column.name, other, sqlName };
        analysis.report.add("COLUMN_TWICE", column.place, details);
      }
      names.set(sqlName.toLowerCase(), other ?? column.name);
    }
  }
};

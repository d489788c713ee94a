/** Reports `onDelete: "set null"` on a column that may not be null (definitions 3). */
import type { Rule } from "./rule.ts";

export const setNullNeedsNullable: Rule = ({ analysis, subjects }) => {
  for (const { firewall: { table } } of subjects) {
    for (const { name, required, references } of table.columns.values()) {
      if (!required || references?.onDelete !== "set null") continue;
      const place = references.onDeletePlace ?? references.place;
      analysis.report.add("SET_NULL_REQUIRED", place, { column: name });
    }
  }
};

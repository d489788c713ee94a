/** A column that shares its name with a query parameter cannot be filtered by it alone (contract 4.3). */
import { RESERVED_PARAMETERS } from "../../../../contract/mod.ts";
import type { Rule } from "./rule.ts";

export const parameterNames: Rule = ({ analysis, subjects }) => {
  for (const { firewall: { table }, resource } of subjects) {
    if (!resource?.read) continue;
    for (const { name, place } of table.columns.values()) {
      if (!RESERVED_PARAMETERS.some((parameter) => parameter === name)) continue;
      analysis.report.add("COLUMN_IS_PARAMETER", place, { column: name });
    }
  }
};

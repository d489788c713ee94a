/** Warns of a column with the name of a query parameter: a plain filter cannot name it (contract 4.3). */
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

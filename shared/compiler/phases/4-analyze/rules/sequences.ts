/**
 * Warns of sequences over a whole table: they reveal to each organization how many rows the others have (definitions 3, made
 * defaults).
 */
import { scopeOf } from "../../../../column_types/mod.ts";
import { isPerOrganization, sequenceOf } from "../../../../model/mod.ts";
import type { Rule } from "./rule.ts";

export const sequences: Rule = ({ analysis, subjects }) => {
  for (const { firewall: { table } } of subjects) {
    const columns = [...table.columns.values()];
    if (!columns.some(({ type }) => scopeOf(type) === "organization")) continue;
    for (const column of columns) {
      if (sequenceOf(column)?.per !== "table") continue;
      const code = isPerOrganization(analysis.config.model) ? "SEQUENCE_APART" : "SEQUENCE_OF_ALL";
      analysis.report.add(code, column.place, { column: column.name });
    }
  }
};

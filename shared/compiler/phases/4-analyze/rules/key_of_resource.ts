/**
 * Checks the key of a resource. Its address contains `id` (contract 2.1), and the project decides how ids are made (definitions
 * 2).
 */
import { primaryKeyOf } from "../tables/draft.ts";
import type { Rule } from "./rule.ts";

export const keyOfResource: Rule = ({ analysis, subjects }) => {
  const { generateId } = analysis.config.model.database;
  for (const { firewall: { table } } of subjects) {
    const key = primaryKeyOf(table);
    if (table.options && key && key.name !== "id") {
      analysis.report.add("PRIMARY_KEY_NAME", key.place, { column: key.name });
    }
    if (key?.keyStorage === "text" && generateId === "serial") {
      analysis.report.add("PRIMARY_KEY_STORAGE", key.place, { column: key.name });
    }
  }
};

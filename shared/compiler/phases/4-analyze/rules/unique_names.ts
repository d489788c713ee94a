/** No two tables with one name in SQL; the same words would also be one URL segment (definitions 1). */
import type { TableDraft } from "../tables/draft.ts";
import type { RuleInput } from "./rule.ts";

export function uniqueNames({ analysis }: RuleInput): void {
  const inFileOrder = [...analysis.tables].sort((a, b) => a.file < b.file ? -1 : 1);
  const tables = new Map<string, TableDraft>();
  for (const table of inFileOrder) {
    const other = tables.get(table.sqlName);
    if (other) {
      const details = { table: table.name, other: other.name, file: other.file };
      analysis.report.add("TABLE_TWICE", table.namePlace, details);
    } else {
      tables.set(table.sqlName, table);
    }
  }
}

/** No two tables with one name, in SQL or in a URL (definitions 1). */
import { kebabCase } from "../../../../surface/names.ts";
import type { TableDraft } from "../tables/draft.ts";
import type { RuleInput } from "./rule.ts";

export function uniqueNames({ analysis }: RuleInput): void {
  const { report } = analysis;
  const inFileOrder = [...analysis.tables].sort((a, b) => a.file < b.file ? -1 : 1);
  const tables = new Map<string, TableDraft>();
  const segments = new Map<string, TableDraft>();
  for (const table of inFileOrder) {
    const other = tables.get(table.sqlName);
    const segment = kebabCase(table.name);
    const neighbour = table.options ? segments.get(segment) : undefined;
    if (other) {
      const details = { table: table.name, other: other.name, file: other.file };
      report.add("TABLE_TWICE", table.namePlace, details);
    } else if (neighbour) {
      const details = { name: table.name, other: neighbour.name, segment };
      report.add("SEGMENT_TAKEN", table.namePlace, details);
    }
    if (!other) tables.set(table.sqlName, table);
    if (table.options && !neighbour) segments.set(segment, table);
  }
}

/** No two tables with one name in SQL; the same words would also be one URL segment (definitions 1). */
import { kebabCase } from "../../../../surface/names.ts";
import type { TableDraft } from "../tables/draft.ts";
import type { RuleInput } from "./rule.ts";

export function uniqueNames({ analysis }: RuleInput): void {
  const inFileOrder = [...analysis.tables].sort((a, b) => a.file < b.file ? -1 : 1);
  const tables = new Map<string, TableDraft>();
  for (const table of inFileOrder) {
    const first = tables.get(table.sqlName);
    if (first === undefined) {
      tables.set(table.sqlName, table);
      continue;
    }
    const [wrong, right] = isNamesake(table) && !isNamesake(first)
      ? [first, table]
      : [table, first];
    const details = { table: wrong.name, other: right.name, file: right.file };
    analysis.report.add("TABLE_TWICE", wrong.namePlace, details);
    tables.set(table.sqlName, right);
  }
}

/** The file bears the table's name, so of two with that name it is the other that took it. */
function isNamesake({ file, name }: TableDraft): boolean {
  const base = file.slice(file.lastIndexOf("/") + 1).replace(/\.[^.]+$/, "");
  return kebabCase(base) === kebabCase(name);
}

/**
 * Reports two tables with one name in SQL, which ignores case. The same words would also be one URL segment (definitions 1).
 */
import { kebabCase } from "../../../../surface/mod.ts";
import type { TableDraft } from "../tables/draft.ts";
import type { Rule } from "./rule.ts";

export const uniqueNames: Rule = ({ analysis }) => {
  const inFileOrder = [...analysis.tables].sort((a, b) => a.file < b.file ? -1 : 1);
  const tables = new Map<string, TableDraft>();
  for (const table of inFileOrder) {
    const sqlName = table.sqlName.toLowerCase();
    const first = tables.get(sqlName);
    if (first === undefined) {
      tables.set(sqlName, table);
      continue;
    }
    const [wrong, right] = isNamesake(table) && !isNamesake(first)
      ? [first, table]
      : [table, first];
    const details = { table: wrong.name, other: right.name, file: right.file };
    analysis.report.add("TABLE_TWICE", wrong.namePlace, details);
    tables.set(sqlName, right);
  }
};

/** True when the file has the table's name. Of two tables with one name, the report goes to the other one. */
function isNamesake({ file, name }: TableDraft): boolean {
  const base = file.slice(file.lastIndexOf("/") + 1).replace(/\.[^.]+$/, "");
  return kebabCase(base) === kebabCase(name);
}

/** Reports names that the service, the database or JavaScript reserves (definitions 1, 3, 4). */
import { reservedSqlNames } from "../../../../model/mod.ts";
import { isReservedSegment, isTruthValue, kebabCase } from "../../../../surface/mod.ts";
import { reasonAgainstTable, searchTablesOf } from "../../../../surface/mod.ts";
import { type Analysis, sqlNameOf } from "../tables/analysis.ts";
import type { RuleInput } from "./rule.ts";

/** Checks tables' names: in SQL, as keys of objects, and beside the resources in URLs (contract 4). */
export function reservedTables({ analysis }: RuleInput): void {
  const taken = reservedSqlNames();
  for (const { name, sqlName, namePlace, options } of analysis.tables) {
    const reason = reasonAgainstTable(name, sqlName.toLowerCase(), taken);
    if (reason !== null) {
      analysis.report.add("TABLE_RESERVED", namePlace, { table: name, reason });
    } else if (options && isReservedSegment(kebabCase(name))) {
      analysis.report.add("SEGMENT_RESERVED", namePlace, { table: name, segment: kebabCase(name) });
    }
  }
}

/**
 * Checks columns' names. SQLite does not allow some of them for a column of a subquery, and a full-text index has columns of
 * its own.
 */
export function reservedColumns({ analysis, subjects }: RuleInput): void {
  for (const { firewall: { table }, resource } of subjects) {
    const indexed = resource?.search?.columns.map(({ column }) => column) ?? [];
    const kept = [...FTS5_COLUMNS, searchTablesOf(table.sqlName).index.toLowerCase()];
    for (const column of table.columns.values()) {
      const sqlName = sqlNameOf(column, analysis);
      const found = isTruthValue(sqlName)
        ? OF_VALUES
        : indexed.includes(column.name) && kept.includes(sqlName.toLowerCase())
        ? OF_SEARCH
        : null;
      if (found === null) continue;
      const details = { column: column.name, sqlName, ...found };
      analysis.report.add("COLUMN_RESERVED", column.place, details);
    }
  }
}

const FTS5_COLUMNS = ["rank", "rowid"];

const OF_VALUES = {
  reason: "SQLite reads that as a truth value",
  hint: 'Choose another name, such as "isTrue"',
};
const OF_SEARCH = {
  reason: "a full-text index has a column of that name already",
  hint: "Leave the column out of search.fields, or choose another name",
};

/** Index with its name. Indexes and tables share one namespace. */
export interface NamedIndex {
  readonly name: string;
  /** The index's table, by its name in the API. */
  readonly table: string;
}

/** Reports a table that has the name of another table's index (definitions 1). */
export function requireApartFromIndexes(
  indexes: readonly NamedIndex[],
  { tables, report }: Pick<Analysis, "tables" | "report">,
): void {
  const owners = new Map(indexes.map(({ name, table }) => [name.toLowerCase(), table]));
  for (const { name, sqlName, namePlace } of tables) {
    const owner = owners.get(sqlName.toLowerCase());
    if (owner === undefined) continue;
    const reason = `an index of table ${JSON.stringify(owner)} has that name`;
    report.add("TABLE_RESERVED", namePlace, { table: name, reason });
  }
}

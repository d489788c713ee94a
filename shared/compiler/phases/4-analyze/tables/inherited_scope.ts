/**
 * Gives an internal table without a scope the organization column of its feature's primary table, and with it stamps and
 * firewall (definitions 1, 4.1).
 */
import { scopeOf } from "../../../../column_types/mod.ts";
import { Report } from "../../../diagnostics/report.ts";
import type { Analysis } from "./analysis.ts";
import { type ColumnDraft, impliedColumn, primaryTableOf, type TableDraft } from "./draft.ts";
import { readFirewall } from "./firewall.ts";

/**
 * Returns the table with the column that it inherits. It is unchanged if it has a scope, needs none, or has none to inherit.
 */
export function withInheritedScope(table: TableDraft, analysis: Analysis): TableDraft {
  const columns = [...table.columns.values()];
  if (table.options || table.exception || !analysis.config.model.multiTenant) return table;
  if (columns.some(({ type }) => scopeOf(type) !== null)) return table;
  const scope = organizationColumn(table, analysis);
  if (!scope || table.columns.has(scope.name)) return table;
  const { name, type, manager, sqlName } = scope;
  const inherited = impliedColumn(name, table.namePlace, { type, manager, sqlName });
  const at = columns.findIndex(({ primaryKey }) => primaryKey) + 1;
  const all = columns.toSpliced(at, 0, inherited);
  return { ...table, columns: new Map(all.map((column) => [column.name, column])) };
}

/**
 * Returns the organization column of the feature's primary table. Mistakes in that table's firewall are reported where it is
 * read.
 */
function organizationColumn(table: TableDraft, analysis: Analysis): ColumnDraft | undefined {
  const primary = primaryTableOf(table.feature, analysis.tables);
  if (primary === null || primary === table) return undefined;
  const { columns } = readFirewall(primary, { ...analysis, report: new Report() }).table;
  return [...columns.values()].find(({ type }) => scopeOf(type) === "organization");
}

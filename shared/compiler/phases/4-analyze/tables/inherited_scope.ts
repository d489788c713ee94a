/**
 * An internal table belongs to whom its feature's primary table belongs to: without a scope of its own it gets that table's
 * organization column, and with it stamps and firewall (definitions 1, 4.1).
 */
import { scopeOf } from "../../../../column_types/mod.ts";
import { Report } from "../../../diagnostics/report.ts";
import type { Analysis } from "./analysis.ts";
import { type ColumnDraft, impliedColumn, primaryTableOf, type TableDraft } from "./draft.ts";
import { readFirewall } from "./firewall.ts";

/** The table with the column that it inherits; as it is where it has a scope, needs none, or there is none to inherit. */
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

/** Of the feature's primary table, whose firewall is reported where that table is read. */
function organizationColumn(table: TableDraft, analysis: Analysis): ColumnDraft | undefined {
  const primary = primaryTableOf(table.feature, analysis.tables);
  if (primary === null || primary === table) return undefined;
  const { columns } = readFirewall(primary, { ...analysis, report: new Report() }).table;
  return [...columns.values()].find(({ type }) => scopeOf(type) === "organization");
}

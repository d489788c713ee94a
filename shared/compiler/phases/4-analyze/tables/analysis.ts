/** Defines the shared state of the phase's later steps: the configuration, all tables, all actions. */
import type { Report } from "../../../diagnostics/report.ts";
import type { Configuration } from "../config/config.ts";
import { nearest } from "../../../../lib/nearest.ts";
import type { RecordHooksModel } from "../../../../model/mod.ts";
import { camelCase, nameMeant, snakeCase } from "../../../../surface/mod.ts";
import type { Token } from "../read/reader.ts";
import type { ColumnDraft, TableDraft } from "./draft.ts";

/** Action as guards and operations refer to it. */
export interface ActionName {
  readonly name: string;
  readonly feature: string;
  /** The action's table; null if it has none. */
  readonly table: string | null;
  /** True when the action has a path of its own, so it binds no record. */
  readonly standalone: boolean;
}

export interface Analysis {
  readonly report: Report;
  readonly config: Configuration;
  /** Tables, sorted by name. */
  readonly tables: readonly TableDraft[];
  /** Table files without a readable table. References to them cause no further reports. */
  readonly brokenFiles: ReadonlySet<string>;
  readonly actions: readonly ActionName[];
  /** False when an action file could not be read, because it may contain the action that seems to be missing. */
  readonly knowsActions: boolean;
  readonly recordHooks: readonly RecordHooksModel[];
  /** False when a file of hooks could not be read. */
  readonly knowsHooks: boolean;
}

/** Returns the column of this name. An unknown one is reported, unless the table is broken. */
export function requireColumn(
  word: Token,
  table: TableDraft,
  report: Report,
  form: string | null = null,
): ColumnDraft | undefined {
  const column = table.columns.get(word.text);
  if (!column && table.isComplete) {
    report.add("COLUMN_UNKNOWN", word.place, {
      column: word.text,
      table: table.name,
      nearest: nearest(word.text, table.columns.keys()),
      form,
    });
  }
  return column;
}

/** Returns the table of this name; an unknown one is reported. */
export function requireTable(word: Token, analysis: Analysis): TableDraft | undefined {
  const table = tableMeant(word, analysis);
  if (!table && analysis.brokenFiles.size === 0) {
    const names = analysis.tables.map((candidate) => candidate.name);
    const meant = nearest(word.text, names);
    analysis.report.add("TABLE_UNKNOWN", word.place, { table: word.text, nearest: meant });
  }
  return table;
}

/** Returns the table of this name. A name in the spelling of URLs is reported with the right one. */
export function tableMeant(
  { text, place }: Token,
  { tables, report }: Pick<Analysis, "tables" | "report">,
): TableDraft | undefined {
  const name = nameMeant(text, tables.map((table) => table.name));
  if (name !== undefined && name !== text) {
    report.add("NAME_OF_URLS", place, { written: text, name });
  }
  return tables.find((table) => table.name === name);
}

/** Returns the name of a column in SQL. */
export function sqlNameOf(column: ColumnDraft, analysis: Analysis): string {
  const { namingConvention } = analysis.config.model.database;
  const usual = namingConvention === "snake_case" ? snakeCase(column.name) : camelCase(column.name);
  return column.sqlName ?? usual;
}

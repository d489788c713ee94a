/** Applies rename hints to the old schema, so that the differ compares like with like. */
import type { SqlIndex, SqlTable } from "../../model/sql_table.ts";
import type { SchemaChange, SchemaHints } from "./schema_change.ts";

export interface RenamedSchema {
  readonly tables: readonly SqlTable[];
  readonly changes: readonly SchemaChange[];
}

/** Only hints whose old name is gone and whose new name has come count: the rest was applied by an earlier compile. */
export function renameSchema(
  before: readonly SqlTable[],
  { after, hints }: { readonly after: readonly SqlTable[]; readonly hints: SchemaHints },
): RenamedSchema {
  const tables = tableRenames(before, { after, hints });
  const renamed = before.map((table) => renameTable(table, tables));
  const columns = new Map(renamed.map((table) => {
    const next = after.find(({ name }) => name === table.name);
    return [table.name, next ? columnRenames(table, { next, hints }) : NONE] as const;
  }));
  return {
    tables: renamed.map((table) => renameColumns(table, columns)),
    changes: [
      ...[...tables].map(([from, to]): SchemaChange => ({ kind: "renameTable", from, to })),
      ...[...columns].flatMap(([table, names]) =>
        [...names].map(([from, to]): SchemaChange => ({ kind: "renameColumn", table, from, to }))
      ),
    ],
  };
}

type Names = ReadonlyMap<string, string>;
const NONE: Names = new Map();

interface Target {
  readonly after: readonly SqlTable[];
  readonly hints: SchemaHints;
}

function tableRenames(before: readonly SqlTable[], { after, hints }: Target): Names {
  const old = new Set(before.map(({ name }) => name));
  const now = new Set(after.map(({ name }) => name));
  return applicable(hints.tables, { old, now });
}

function columnRenames(
  table: SqlTable,
  { next, hints }: { readonly next: SqlTable; readonly hints: SchemaHints },
): Names {
  const old = new Set(table.columns.map(({ name }) => name));
  const now = new Set(next.columns.map(({ name }) => name));
  return applicable(hints.columns.get(table.name) ?? NONE, { old, now });
}

/** Two old names never become one. */
function applicable(
  names: Names,
  { old, now }: { readonly old: ReadonlySet<string>; readonly now: ReadonlySet<string> },
): Names {
  const chosen = new Map<string, string>();
  const taken = new Set<string>();
  for (const [from, to] of names) {
    if (!old.has(from) || now.has(from) || !now.has(to) || old.has(to) || taken.has(to)) continue;
    chosen.set(from, to);
    taken.add(to);
  }
  return chosen;
}

function renameTable(table: SqlTable, names: Names): SqlTable {
  return {
    ...table,
    name: names.get(table.name) ?? table.name,
    columns: table.columns.map((column) => ({
      ...column,
      references: column.references && {
        ...column.references,
        table: names.get(column.references.table) ?? column.references.table,
      },
    })),
  };
}

function renameColumns(table: SqlTable, all: ReadonlyMap<string, Names>): SqlTable {
  const own = all.get(table.name) ?? NONE;
  return {
    ...table,
    columns: table.columns.map((column) => ({
      ...column,
      name: own.get(column.name) ?? column.name,
      references: column.references && {
        ...column.references,
        column: all.get(column.references.table)?.get(column.references.column) ??
          column.references.column,
      },
    })),
    indexes: table.indexes.map((index): SqlIndex => ({
      ...index,
      columns: index.columns.map((name) => own.get(name) ?? name),
    })),
  };
}

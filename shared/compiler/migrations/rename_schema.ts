/** Applies rename hints to the old schema, so that the differ compares like with like. */
import type { SqlIndex, SqlTable } from "../../model/mod.ts";
import type { SchemaChange, SchemaHints, SchemaProblem } from "./schema_change.ts";

interface RenamedSchema {
  readonly tables: readonly SqlTable[];
  readonly changes: readonly SchemaChange[];
}

/** Only hints whose old name is gone and whose new name has come count: the rest was applied by an earlier compile. */
export function renameSchema(
  before: readonly SqlTable[],
  after: readonly SqlTable[],
  hints: SchemaHints,
): RenamedSchema {
  const tables = tableRenames(before, { after, hints });
  const renamed = before.map((table) => renameTable(table, tables));
  const columns = new Map(renamed.map((table) => {
    const next = after.find(({ name }) => name === table.name);
    return [table.name, next ? columnRenames(table, next, hints) : NONE] as const;
  }));
  return {
    tables: renamed.map((table) => {
      const own = columns.get(table.name) ?? NONE;
      return {
        ...table,
        columns: table.columns.map((column) => ({
          ...column,
          name: own.get(column.name) ?? column.name,
          references: column.references && {
            ...column.references,
            column: columns.get(column.references.table)?.get(column.references.column) ??
              column.references.column,
          },
        })),
        indexes: table.indexes.map((index): SqlIndex => ({
          ...index,
          columns: index.columns.map((name) => own.get(name) ?? name),
        })),
      };
    }),
    changes: [
      ...[...tables].map(([from, to]): SchemaChange => ({ kind: "renameTable", from, to })),
      ...[...columns].flatMap(([table, names]) =>
        [...names].map(([from, to]): SchemaChange => ({ kind: "renameColumn", table, from, to }))
      ),
    ],
  };
}

/** Hints whose new name has come while their old one is still defined: nothing says which rows belong to which. */
export function unclearRenames(
  before: readonly SqlTable[],
  { after, hints }: Target,
): readonly SchemaProblem[] {
  const renamed = before.map((table) => renameTable(table, tableRenames(before, { after, hints })));
  return [
    ...unclear(hints.tables, { old: namesOf(before), now: namesOf(after) })
      .map((table): SchemaProblem => ({ kind: "renameUnclear", table, column: null })),
    ...renamed.flatMap(({ name, columns }) => {
      const next = after.find((table) => table.name === name);
      const names = { old: namesOf(columns), now: namesOf(next?.columns ?? []) };
      return unclear(hints.columns.get(name) ?? NONE, names)
        .map((column): SchemaProblem => ({ kind: "renameUnclear", table: name, column }));
    }),
  ];
}

interface NamePair {
  readonly old: ReadonlySet<string>;
  readonly now: ReadonlySet<string>;
}

function unclear(names: Names, { old, now }: NamePair): readonly string[] {
  return [...names].filter(([from, to]) =>
    old.has(from) && now.has(from) && now.has(to) && !old.has(to)
  ).map(([from]) => from);
}

function namesOf(items: readonly { readonly name: string }[]): ReadonlySet<string> {
  return new Set(items.map(({ name }) => name));
}

type Names = ReadonlyMap<string, string>;
const NONE: Names = new Map();

interface Target {
  readonly after: readonly SqlTable[];
  readonly hints: SchemaHints;
}

function tableRenames(before: readonly SqlTable[], { after, hints }: Target): Names {
  return applicable(hints.tables, { old: namesOf(before), now: namesOf(after) });
}

function columnRenames(
  table: SqlTable,
  next: SqlTable,
  hints: SchemaHints,
): Names {
  const names = { old: namesOf(table.columns), now: namesOf(next.columns) };
  return applicable(hints.columns.get(table.name) ?? NONE, names);
}

/** Two old names never become one. */
function applicable(names: Names, { old, now }: NamePair): Names {
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

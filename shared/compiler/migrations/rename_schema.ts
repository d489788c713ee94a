/** Applies rename hints to the old schema, so that the comparison pairs tables and columns with their renamed form. */
import type { SqlIndex, SqlTable } from "../../model/mod.ts";
import type { SchemaChange, SchemaHints, SchemaProblem } from "./schema_change.ts";

interface RenamedSchema {
  readonly tables: readonly SqlTable[];
  readonly changes: readonly SchemaChange[];
  /** Returns all rings of the hints for the next compile, because no schema shows that names were exchanged. */
  readonly rings: readonly string[];
}

/**
 * Returns the hints that apply: the old name is gone or belongs to another table or column now, and the new name exists or
 * became free. All others were applied by an earlier compile.
 */
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
      ...inRenamingOrder(tables)
        .map(([from, to]): SchemaChange => ({ kind: "renameTable", from, to })),
      ...[...columns].flatMap(([table, names]) =>
        inRenamingOrder(names)
          .map(([from, to]): SchemaChange => ({ kind: "renameColumn", table, from, to }))
      ),
    ],
    rings: [
      ...ringsOf(hints.tables, "").keys(),
      ...[...hints.columns].flatMap(([table, names]) => [...ringsOf(names, table).keys()]),
    ].sort(),
  };
}

/** Returns the renames in their order, each to a free name. In a ring one name is renamed to a temporary name first. */
function inRenamingOrder(names: Names): readonly (readonly [from: string, to: string])[] {
  const waiting = new Map(names);
  const steps: [string, string][] = [];
  while (waiting.size > 0) {
    const free = [...waiting].find(([, to]) => !waiting.has(to));
    const [from, to] = free ?? [...waiting][0] ?? ["", ""];
    waiting.delete(from);
    if (free) {
      steps.push([from, to]);
      continue;
    }
    const aside = `__renamed_${from}`;
    steps.push([from, aside]);
    waiting.set(aside, to);
  }
  return steps;
}

/** Returns the hints of each ring of exchanged names; `within` is the table of columns. */
function ringsOf(names: Names, within: string): ReadonlyMap<string, Names> {
  const rings = new Map<string, Names>();
  for (const first of names.keys()) {
    const ring = new Map<string, string>();
    let from = first;
    for (let to = names.get(from); to !== undefined && !ring.has(from); to = names.get(from)) {
      ring.set(from, to);
      from = to;
    }
    const least = [...ring.keys()].sort()[0];
    if (from === first && ring.size > 0 && first === least) {
      rings.set(JSON.stringify([within, ...ring.keys()]), ring);
    }
  }
  return rings;
}

/**
 * Returns hints whose new name exists while the old one is still defined, so that it is unclear which rows belong to which
 * name.
 */
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
  const applied = applicable(names, { old, now }, { within: "", applied: [] });
  return [...names].filter(([from, to]) =>
    old.has(from) && now.has(from) && now.has(to) && !old.has(to) && !applied.has(from)
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
  const names = { old: namesOf(before), now: namesOf(after) };
  return applicable(hints.tables, names, { within: "", applied: hints.appliedRings ?? [] });
}

function columnRenames(
  table: SqlTable,
  next: SqlTable,
  hints: SchemaHints,
): Names {
  const names = { old: namesOf(table.columns), now: namesOf(next.columns) };
  return applicable(hints.columns.get(table.name) ?? NONE, names, {
    within: table.name,
    applied: hints.appliedRings ?? [],
  });
}

/** Returns the hints that apply. Two old names never become one, and no name is used twice. */
function applicable(
  names: Names,
  { old, now }: NamePair,
  { within, applied }: { readonly within: string; readonly applied: readonly string[] },
): Names {
  const done = new Set(
    [...ringsOf(names, within)].flatMap(([ring, own]) =>
      applied.includes(ring) ? [...own.keys()] : []
    ),
  );
  const chosen = new Map<string, string>();
  const taken = new Set<string>();
  for (const [from, to] of names) {
    if (done.has(from) || !old.has(from) || !now.has(to) || taken.has(to)) continue;
    chosen.set(from, to);
    taken.add(to);
  }
  // A hint is also dropped if it depends on one that does not apply.
  for (let size = -1; size !== chosen.size;) {
    size = chosen.size;
    const targets = new Set(chosen.values());
    for (const [from, to] of chosen) {
      const isFree = !old.has(to) || chosen.has(to);
      const isLeft = !now.has(from) || targets.has(from);
      if (!isFree || !isLeft) chosen.delete(from);
    }
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

/** Finds what turns one schema into the next, and what of it needs the author's word (definitions 2, `compiler.migrations`). */
import type { RowCheck, SqlColumn, SqlIndex, SqlTable } from "../../model/mod.ts";
import * as fills from "./fill_columns.ts";
import { type ColumnPair, keptColumn } from "./kept_column.ts";
import { madeSql, sequenceOf } from "./made_sql.ts";
import { renameSchema, unclearRenames } from "./rename_schema.ts";
import type * as schema from "./schema_change.ts";

/** A pure function of its input: equal schemas give no change, and the order of tables in `after` is kept. */
export function diffSchema(
  before: readonly SqlTable[],
  after: readonly SqlTable[],
  hints: schema.SchemaHints,
): schema.SchemaDiff {
  const renamed = renameSchema(before, after, hints);
  const old = byName(renamed.tables);
  const now = byName(after);
  const dropped = renamed.tables.filter((table) => !now.has(table.name));
  const fillOf = fills.fillFinder(old, hints);
  const pairs = fills.inFillingOrder(after.flatMap((table) => {
    const previous = old.get(table.name);
    return previous ? [tableDiff({ before: previous, after: table }, fillOf, hints)] : [];
  }));
  const nameBefore = formerNames(before, renamed.tables);
  const problems = [
    ...unclearRenames(before, { after, hints }),
    ...dropped.map(({ name }): schema.SchemaProblem => ({ kind: "tableDropped", table: name })),
    ...pairs.flatMap((pair) => pair.problems),
  ].map((problem) => unlessHinted(problem, hints));
  const isAllowed = (problem: schema.SchemaProblem) => hints.allowDestructive && isLoss(problem);
  const changes: readonly schema.SchemaChange[] = [
    ...renamed.changes,
    ...pairs.flatMap((pair) => pair.droppedIndexes),
    ...after.filter((table) => !old.has(table.name))
      .map((table): schema.SchemaChange => ({ kind: "createTable", table })),
    ...fills.purgeDeleted(renamed.tables, now),
    ...pairs.flatMap((pair) => pair.changes),
    ...dropped.map(({ name }): schema.SchemaChange => ({ kind: "dropTable", table: name })),
    ...renamedSequences(before, renamed.tables, after),
    ...pairs.flatMap((pair) => pair.made),
    ...after.flatMap((table) =>
      old.has(table.name) ? [] : table.indexes.map((index) => createIndex(table, index))
    ),
    ...pairs.flatMap((pair) => pair.createdIndexes),
  ];
  return {
    changes: withRollups(
      withSearches(changes, { before, renamed: renamed.tables, after }),
      { before, renamed: renamed.tables, after },
    ),
    problems: withoutConsequences(problems.filter((problem) => !isAllowed(problem))),
    losses: [
      ...(hints.allowDestructive ? problems.filter(isLoss) : []),
      ...pairs.flatMap(fills.deletedByFill),
      ...pairs.flatMap((pair) => pair.losses),
    ],
    checks: pairs.flatMap((pair) => pair.checks).map(nameBefore),
    notices: pairs.flatMap((pair) => pair.notices),
    rings: renamed.rings,
  };
}

/** A check under the names that its table and columns have before the migration. */
function formerNames(before: readonly SqlTable[], renamed: readonly SqlTable[]) {
  return (check: RowCheck): RowCheck => {
    const at = renamed.findIndex(({ name }) => name === check.table);
    const [old, now] = [before[at], renamed[at]];
    const former = (name: string) =>
      old?.columns[now?.columns.findIndex((column) => column.name === name) ?? -1]?.name ?? name;
    return {
      ...check,
      table: old?.name ?? check.table,
      key: former(check.key),
      column: former(check.column),
    };
  };
}

/**
 * An index that changes, and one whose table does more than grow, is dropped before all else and made anew after it: the triggers
 * would break what SQLite does to a table, and stand in the way of rows that leave for good.
 */
function withSearches(
  changes: readonly schema.SchemaChange[],
  { before, renamed, after }: {
    readonly before: readonly SqlTable[];
    readonly after: readonly SqlTable[];
    readonly renamed: readonly SqlTable[];
  },
): readonly schema.SchemaChange[] {
  const touched = touchedTables(
    changes.filter(({ kind }) => kind !== "fillColumn" && kind !== "startSequence"),
  );
  // As many tables as before, in their order, under their present names.
  const old = before.map((table, at) => ({ table, now: renamed[at]?.name ?? table.name }));
  const stays = ({ table, now }: (typeof old)[number]) => {
    const next = after.find(({ name }) => name === now);
    return next?.search !== undefined && table.name === now && !touched.has(now) &&
      same({ ...table.search }, { ...next.search });
  };
  const known = old.filter(({ table }) => table.search);
  const kept = known.filter(stays).map(({ now }) => now);
  return [
    ...known.filter((one) => !stays(one)).flatMap(({ table: { name, search } }) =>
      search ? [{ kind: "dropSearch", table: name, search } as const] : []
    ),
    ...changes,
    ...after.flatMap(({ name, search }): schema.SchemaChange[] =>
      search && !kept.includes(name) ? [{ kind: "createSearch", table: name, search }] : []
    ),
  ];
}

/** Tables that do more than grow: what triggers have to do with them is made anew. */
function touchedTables(changes: readonly schema.SchemaChange[]): ReadonlySet<string> {
  return new Set(changes.flatMap((change) => {
    switch (change.kind) {
      case "renameTable":
        return [change.to];
      case "renameColumn":
      case "dropColumn":
      case "fillColumn":
        return [change.table];
      case "startSequence":
        return [change.sequence.table];
      case "rebuildTable":
        return [change.table.name];
      case "purgeDeleted":
        return [change.rows.table];
      default:
        return [];
    }
  }));
}

/** Totals are counted anew where their own table, or that of their rows, is more than grown. */
function withRollups(
  changes: readonly schema.SchemaChange[],
  { before, renamed, after }: {
    readonly before: readonly SqlTable[];
    readonly after: readonly SqlTable[];
    readonly renamed: readonly SqlTable[];
  },
): readonly schema.SchemaChange[] {
  const touched = touchedTables(changes);
  const now = byName(after);
  const known = before.flatMap((table, at) =>
    (table.rollups ?? []).map((rollup) => ({
      table: table.name,
      now: renamed[at]?.name ?? table.name,
      rollup,
    }))
  );
  const stays = ({ table, now: name, rollup }: (typeof known)[number]) =>
    table === name && !touched.has(name) && !touched.has(rollup.table) &&
    (now.get(name)?.rollups ?? []).some((next) => same(next, rollup));
  const kept = known.filter(stays);
  return [
    ...known.filter((one) => !stays(one)).map(({ table, rollup }): schema.SchemaChange => ({
      kind: "dropRollup",
      table,
      rollup,
    })),
    ...changes,
    ...after.flatMap(({ name, rollups = [] }) =>
      rollups.filter((rollup) =>
        !kept.some((one) => one.now === name && one.rollup.column === rollup.column)
      ).map((rollup): schema.SchemaChange => ({ kind: "createRollup", table: name, rollup }))
    ),
  ];
}

const NO_LOSS: readonly schema.SchemaProblem["kind"][] = [
  "needsDefault",
  "needsBackfill",
  "hintUnused",
  "renameUnclear",
  "typeChanged",
];

function isLoss(
  problem: schema.SchemaProblem,
): problem is Extract<schema.SchemaProblem, schema.SchemaLoss> {
  return !NO_LOSS.includes(problem.kind);
}

/** With a typing error in the hint, permission to drop would drop what was to be renamed. */
function unlessHinted(
  problem: schema.SchemaProblem,
  hints: schema.SchemaHints,
): schema.SchemaProblem {
  const names = hints.columns.get(problem.table) ?? new Map<string, string>();
  const { table } = problem;
  switch (problem.kind) {
    case "tableDropped":
      return hints.tables.has(table) ? { kind: "hintUnused", table, column: null } : problem;
    case "columnDropped":
      return names.has(problem.column)
        ? { kind: "hintUnused", table, column: problem.column }
        : problem;
    case "renameOrDrop":
      return names.has(problem.gone) || [...names.values()].some((to) => problem.added.includes(to))
        ? { kind: "hintUnused", table, column: problem.gone }
        : problem;
    default:
      return problem;
  }
}

/** A column that may be another one renamed needs no default yet: the author says first which it is. */
function withoutConsequences(
  problems: readonly schema.SchemaProblem[],
): readonly schema.SchemaProblem[] {
  const asked = problems.filter(({ kind }) => kind === "renameOrDrop" || kind === "hintUnused");
  return problems.filter((problem) =>
    (problem.kind !== "needsDefault" && problem.kind !== "needsBackfill") ||
    !asked.some((other) =>
      other.table === problem.table &&
      (other.kind !== "renameOrDrop" || other.added.includes(problem.column))
    )
  );
}

interface TablePair {
  readonly before: SqlTable;
  readonly after: SqlTable;
}

interface TableDiff {
  readonly table: string;
  readonly filled: readonly schema.Fill[];
  readonly droppedIndexes: readonly schema.SchemaChange[];
  readonly changes: readonly schema.SchemaChange[];
  /** Values of made defaults for rows that exist. */
  readonly made: readonly schema.SchemaChange[];
  readonly createdIndexes: readonly schema.SchemaChange[];
  readonly problems: readonly schema.SchemaProblem[];
  readonly losses: readonly schema.SchemaLoss[];
  readonly checks: readonly RowCheck[];
  readonly notices: readonly schema.SchemaNotice[];
}

/** Texts at random, of which each row gets its own. */
function filledColumns(
  table: SqlTable,
  added: readonly SqlColumn[],
): readonly schema.SchemaChange[] {
  return added.flatMap((column): schema.SchemaChange[] => {
    if (needsValue(column) || column.made?.kind !== "random") return [];
    const value = madeSql(table, column);
    const named = { table: table.name, column: column.name };
    return value === null ? [] : [{ kind: "fillColumn", ...named, value }];
  });
}

/** Those that rows which exist are not counted by yet. */
function startedSequences({ before, after }: TablePair): readonly schema.SchemaChange[] {
  const old = byName(before.columns);
  return after.columns.flatMap((column): schema.SchemaChange[] => {
    const sequence = sequenceOf(after, column);
    const previous = old.get(column.name);
    const former = previous ? sequenceOf(before, previous) : null;
    const isByOrganization = (one: typeof former) => one?.form.organization !== null;
    const goesOn = former !== null && isByOrganization(former) === isByOrganization(sequence);
    return sequence === null || goesOn ? [] : [{ kind: "startSequence", sequence }];
  });
}

/** Counters go by the names of table and column. */
function renamedSequences(
  before: readonly SqlTable[],
  renamed: readonly SqlTable[],
  after: readonly SqlTable[],
): readonly schema.SchemaChange[] {
  const now = byName(after);
  return before.flatMap((table, at) =>
    table.columns.flatMap((column, place): schema.SchemaChange[] => {
      const next = renamed[at];
      const to = next?.columns[place]?.name;
      const isKept = now.get(next?.name ?? "")?.columns.some(({ name, made }) =>
        name === to && made?.kind === "sequence"
      );
      if (column.made?.kind !== "sequence" || !isKept) return [];
      const [old, present] = [`${table.name}.${column.name}`, `${next?.name}.${to}`];
      return old === present ? [] : [{ kind: "renameSequence", from: old, to: present }];
    })
  );
}

/** One that is computed from others comes after them: SQLite knows no column that is not there yet. */
function inTableOrder({ columns }: SqlTable, some: readonly SqlColumn[]): readonly SqlColumn[] {
  const order = (column: SqlColumn) =>
    columns.indexOf(column) + (column.generated === undefined ? 0 : columns.length);
  return some.toSorted((a, b) => order(a) - order(b));
}

interface ColumnChanges {
  readonly added: readonly SqlColumn[];
  readonly dropped: readonly SqlColumn[];
  readonly kept: readonly ColumnPair[];
  /** Computed otherwise than before. */
  readonly regenerated: readonly SqlColumn[];
}

function tableDiff(
  pair: TablePair,
  fillOf: fills.FillFinder,
  hints: schema.SchemaHints,
): TableDiff {
  const columns = columnChanges(pair);
  const kept = columns.kept.filter(({ after }) => after.generated === undefined)
    .map((column) => keptColumn(column, pair.after, hints));
  const gone = [...columns.dropped, ...columns.regenerated];
  const filled = columns.added.flatMap((column): schema.Fill[] => {
    if (!needsValue(column)) return [];
    const sql = madeSql(pair.after, column);
    const from = sql === null
      ? fillOf(pair.after.name, column.name)
      : { kind: "expression", sql } as const;
    return from ? [{ column, from }] : [];
  });
  const rebuilt = filled.length > 0 || columns.added.some((column) => !canBeAdded(column)) ||
    columns.dropped.some((column) => column.primaryKey || column.references !== null) ||
    kept.some(({ isRebuilt }) => isRebuilt);
  const old = byName(pair.before.indexes);
  const now = byName(pair.after.indexes);
  const lost = new Set(gone.map(({ name }) => name));
  const differs = (index: SqlIndex, other: SqlIndex | undefined) =>
    !other || !same(index, other) || index.columns.some((name) => lost.has(name));
  const dropped = pair.before.indexes.filter((index) => differs(index, now.get(index.name)));
  const created = pair.after.indexes.filter((index) => differs(index, old.get(index.name)));
  return {
    table: pair.after.name,
    filled,
    // A rebuilt table loses its indexes with its old self.
    droppedIndexes: dropped.map((index): schema.SchemaChange => ({ kind: "dropIndex", index })),
    changes: rebuilt
      ? [{
        kind: "rebuildTable",
        table: pair.after,
        filled,
        copied: kept.map(({ copy }) => copy),
      }]
      : [
        // A column that others are computed from goes after them.
        ...gone.toSorted((a, b) =>
          Number(b.generated !== undefined) - Number(a.generated !== undefined)
        )
          .map((column): schema.SchemaChange => ({
            kind: "dropColumn",
            table: pair.after.name,
            column: column.name,
          })),
        ...inTableOrder(pair.after, [...columns.added, ...columns.regenerated]).map((
          column,
        ): schema.SchemaChange => ({
          kind: "addColumn",
          table: pair.after.name,
          column,
        })),
      ],
    made: [...filledColumns(pair.after, columns.added), ...startedSequences(pair)],
    createdIndexes: (rebuilt ? pair.after.indexes : created)
      .map((index) => createIndex(pair.after, index)),
    problems: [
      ...problemsOf(pair.after.name, columns, pair),
      ...kept.flatMap(({ problems = [] }) => problems),
      ...columns.added.filter((column) =>
        needsValue(column) && !filled.some((fill) => fill.column === column)
      ).map(({ name }): schema.SchemaProblem => ({
        kind: fillOf(pair.after.name, name) === null ? "needsBackfill" : "needsDefault",
        table: pair.after.name,
        column: name,
      })),
    ],
    losses: kept.flatMap(({ losses = [] }) => losses),
    checks: kept.flatMap(({ check }) => check ?? []),
    notices: kept.flatMap(({ notices = [] }) => notices),
  };
}

function columnChanges({ before, after }: TablePair): ColumnChanges {
  const old = byName(before.columns);
  const now = byName(after.columns);
  return {
    added: after.columns.filter((column) => {
      const previous = old.get(column.name);
      return !previous || isOther(previous, column);
    }),
    dropped: before.columns.filter((column) => {
      const next = now.get(column.name);
      return !next || isOther(column, next);
    }),
    kept: after.columns.flatMap((column) => {
      const previous = old.get(column.name);
      return previous && !isRegenerated(previous, column) && !isOther(previous, column)
        ? [{ before: previous, after: column }]
        : [];
    }),
    regenerated: after.columns.filter((column) => {
      const previous = old.get(column.name);
      return previous !== undefined && isRegenerated(previous, column);
    }),
  };
}

/** Nothing of it is stored: it goes, and comes anew. */
function isRegenerated(before: SqlColumn, after: SqlColumn): boolean {
  return before.generated !== undefined && after.generated !== undefined &&
    (before.generated !== after.generated || before.type !== after.type);
}

/** A column of either kind that is of the other afterwards is another column. */
function isOther(before: SqlColumn | undefined, after: SqlColumn | undefined): boolean {
  return (before?.generated === undefined) !== (after?.generated === undefined);
}

/** True when `ALTER TABLE … ADD COLUMN` takes the column: no key, a constant default, and no default beside a reference. */
function canBeAdded(column: SqlColumn): boolean {
  return !column.primaryKey &&
    !(column.references !== null && column.default !== null) &&
    !column.default?.startsWith("(") &&
    // SQLite reads a fraction from the table's definition, and its `integrity_check` takes it for a NULL there.
    !(column.notNull && (column.default !== null && /^-?\d/.test(column.default) &&
      !Number.isSafeInteger(Number(column.default))));
}

/** Rows that exist would have none. */
function needsValue({ notNull, default: value }: SqlColumn): boolean {
  return notNull && value === null;
}

/** Of a column that is computed nothing is lost, and no other one becomes it. */
function problemsOf(
  table: string,
  columns: ColumnChanges,
  { before, after }: TablePair,
): readonly schema.SchemaProblem[] {
  const isStored = ({ rollups = [] }: SqlTable) => ({ name, generated }: SqlColumn) =>
    generated === undefined && !rollups.some(({ column }) => column === name);
  const added = columns.added.filter(isStored(after)).map(({ name }) => name);
  const marker = added.some(fills.isDeletedMarker)
    ? undefined
    : columns.dropped.find(({ name }) => fills.isDeletedMarker(name));
  const dropped = columns.dropped.filter(isStored(before))
    .filter(({ name }) => !marker || !fills.isDeletedField(name));
  return [
    ...(marker ? [{ kind: "deletedRowsDropped", table, column: marker.name } as const] : []),
    ...dropped.map(({ name }): schema.SchemaProblem =>
      added.length > 0
        ? { kind: "renameOrDrop", table, gone: name, added }
        : { kind: "columnDropped", table, column: name }
    ),
  ];
}

function createIndex(table: SqlTable, index: SqlIndex): schema.SchemaChange {
  return { kind: "createIndex", table: table.name, index };
}

function byName<T extends { readonly name: string }>(items: readonly T[]): ReadonlyMap<string, T> {
  return new Map(items.map((item) => [item.name, item]));
}

/** Values of one type are built with their keys in one order. */
function same<T>(a: T, b: T): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

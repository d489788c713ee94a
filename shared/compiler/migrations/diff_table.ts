/** Finds the changes that turn one table into the next. */
import type { RowCheck, SqlColumn, SqlIndex, SqlTable } from "../../model/mod.ts";
import type * as schema from "./schema_change.ts";
import { madeSql, sequenceOf } from "./made_sql.ts";
import { type ColumnPair, keptColumn } from "./kept_column.ts";
import * as fills from "./fill_columns.ts";

export function byName<T extends { readonly name: string }>(
  items: readonly T[],
): ReadonlyMap<string, T> {
  return new Map(items.map((item) => [item.name, item]));
}

/** True for equal values. Values of one type are built with their keys in one order. */
export function same<T>(a: T, b: T): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

export function createIndex(table: SqlTable, index: SqlIndex): schema.SchemaChange {
  return { kind: "createIndex", table: table.name, index };
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
  /** Values of generated defaults for existing rows. */
  readonly made: readonly schema.SchemaChange[];
  readonly createdIndexes: readonly schema.SchemaChange[];
  readonly problems: readonly schema.SchemaProblem[];
  readonly losses: readonly schema.SchemaLoss[];
  readonly checks: readonly RowCheck[];
  readonly notices: readonly schema.SchemaNotice[];
}

/** True when existing rows would have no value. */
function needsValue({ notNull, default: value }: SqlColumn): boolean {
  return notNull && value === null;
}

/** Returns columns of random texts, of which each row gets its own. */
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

/** Returns sequences that do not yet count existing rows. */
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

/**
 * Returns columns in the table's order. A column that is computed from others comes after them, because SQLite refers only to
 * columns that exist.
 */
function inTableOrder(
  { columns }: SqlTable,
  some: readonly SqlColumn[],
): readonly SqlColumn[] {
  const order = (column: SqlColumn) =>
    columns.indexOf(column) + (column.generated === undefined ? 0 : columns.length);
  return some.toSorted((a, b) => order(a) - order(b));
}

interface ColumnChanges {
  readonly added: readonly SqlColumn[];
  readonly dropped: readonly SqlColumn[];
  readonly kept: readonly ColumnPair[];
  /** Columns whose computation changed. */
  readonly regenerated: readonly SqlColumn[];
}

/** True when a column becomes computed or stored, which makes it a different column. */
function isOther(before: SqlColumn | undefined, after: SqlColumn | undefined): boolean {
  return (before?.generated === undefined) !== (after?.generated === undefined);
}

/** True for a computed column that is replaced: it is dropped and added, because it stores nothing. */
function isRegenerated(before: SqlColumn, after: SqlColumn): boolean {
  return before.generated !== undefined && after.generated !== undefined &&
    (before.generated !== after.generated || before.type !== after.type);
}

/** True when `ALTER TABLE … ADD COLUMN` accepts the column: no key, a constant default, and no default beside a reference. */
function canBeAdded(column: SqlColumn): boolean {
  return !column.primaryKey &&
    !(column.references !== null && column.default !== null) &&
    !column.default?.startsWith("(") &&
    // SQLite reads a fraction from the table's definition, and its `integrity_check` reports it as a NULL there.
    !(column.notNull && (column.default !== null && /^-?\d/.test(column.default) &&
      !Number.isSafeInteger(Number(column.default))));
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

/**
 * Returns the problems of a table's changes. A computed column loses nothing when it is dropped, and is no candidate for a
 * rename.
 */
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

/** Returns the changes of a table that is not rebuilt. */
function columnChangesOf(
  table: SqlTable,
  { added, regenerated }: ColumnChanges,
  gone: readonly SqlColumn[],
): readonly schema.SchemaChange[] {
  return [
    // A column is dropped after those that are computed from it.
    ...gone.toSorted((a, b) =>
      Number(b.generated !== undefined) - Number(a.generated !== undefined)
    )
      .map((column): schema.SchemaChange => ({
        kind: "dropColumn",
        table: table.name,
        column: column.name,
      })),
    ...inTableOrder(table, [...added, ...regenerated]).map((
      column,
    ): schema.SchemaChange => ({
      kind: "addColumn",
      table: table.name,
      column,
    })),
  ];
}

export function tableDiff(
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
    // Rebuilding a table drops its indexes.
    droppedIndexes: dropped.map((index): schema.SchemaChange => ({ kind: "dropIndex", index })),
    changes: rebuilt
      ? [{
        kind: "rebuildTable",
        table: pair.after,
        filled,
        copied: kept.map(({ copy }) => copy),
      }]
      : columnChangesOf(pair.after, columns, gone),
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

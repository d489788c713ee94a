/** Finds what turns one schema into the next, and what of it needs the author's word (definitions 2, `compiler.migrations`). */
import type { SqlColumn, SqlIndex, SqlTable } from "../../model/sql_table.ts";
import {
  deletedByFill,
  type FillFinder,
  fillFinder,
  inFillingOrder,
  isDeletedField,
  isDeletedMarker,
  purgeDeleted,
} from "./fill_columns.ts";
import { renameSchema, unclearRenames } from "./rename_schema.ts";
import type {
  Copy,
  Fill,
  SchemaChange,
  SchemaDiff,
  SchemaHints,
  SchemaLoss,
  SchemaProblem,
} from "./schema_change.ts";

interface SchemaPair {
  readonly before: readonly SqlTable[];
  readonly after: readonly SqlTable[];
  readonly hints: SchemaHints;
}

/** A pure function of its input: equal schemas give no change, and the order of tables in `after` is kept. */
export function diffSchema({ before, after, hints }: SchemaPair): SchemaDiff {
  const renamed = renameSchema(before, { after, hints });
  const old = byName(renamed.tables);
  const now = byName(after);
  const dropped = renamed.tables.filter((table) => !now.has(table.name));
  const fillOf = fillFinder(old, hints);
  const pairs = inFillingOrder(after.flatMap((table) => {
    const previous = old.get(table.name);
    return previous ? [tableDiff({ before: previous, after: table }, fillOf)] : [];
  }));
  const problems = [
    ...unclearRenames(before, { after, hints }),
    ...dropped.map(({ name }): SchemaProblem => ({ kind: "tableDropped", table: name })),
    ...pairs.flatMap((pair) => pair.problems),
  ].map((problem) => unlessHinted(problem, hints));
  const isAllowed = (problem: SchemaProblem) => hints.allowDestructive && isLoss(problem);
  return {
    changes: [
      ...renamed.changes,
      ...pairs.flatMap((pair) => pair.droppedIndexes),
      ...after.filter((table) => !old.has(table.name)).map(createTable),
      ...purgeDeleted(renamed.tables, now),
      ...pairs.flatMap((pair) => pair.changes),
      ...dropped.map(({ name }): SchemaChange => ({ kind: "dropTable", table: name })),
      ...after.flatMap((table) =>
        old.has(table.name) ? [] : table.indexes.map((index) => createIndex(table, index))
      ),
      ...pairs.flatMap((pair) => pair.createdIndexes),
    ],
    problems: withoutConsequences(problems.filter((problem) => !isAllowed(problem))),
    losses: [
      ...(hints.allowDestructive ? problems.filter(isLoss) : []),
      ...pairs.flatMap(deletedByFill),
    ],
  };
}

const NO_LOSS: readonly SchemaProblem["kind"][] = [
  "needsDefault",
  "needsBackfill",
  "hintUnused",
  "renameUnclear",
];

function isLoss(problem: SchemaProblem): problem is Extract<SchemaProblem, SchemaLoss> {
  return !NO_LOSS.includes(problem.kind);
}

/** With a typing error in the hint, permission to drop would drop what was to be renamed. */
function unlessHinted(problem: SchemaProblem, hints: SchemaHints): SchemaProblem {
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
function withoutConsequences(problems: readonly SchemaProblem[]): readonly SchemaProblem[] {
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
  readonly filled: readonly Fill[];
  readonly droppedIndexes: readonly SchemaChange[];
  readonly changes: readonly SchemaChange[];
  readonly createdIndexes: readonly SchemaChange[];
  readonly problems: readonly SchemaProblem[];
}

interface ColumnChanges {
  readonly added: readonly SqlColumn[];
  readonly dropped: readonly SqlColumn[];
  readonly kept: readonly ColumnPair[];
}

function tableDiff(pair: TablePair, fillOf: FillFinder): TableDiff {
  const columns = columnChanges(pair);
  const filled = columns.added.flatMap((column): Fill[] => {
    const from = needsValue(column) ? fillOf(pair.after.name, column.name) : null;
    return from ? [{ column, from }] : [];
  });
  const rebuilt = filled.length > 0 || columns.added.some((column) => !canBeAdded(column)) ||
    columns.dropped.some((column) => column.primaryKey || column.references !== null) ||
    columns.kept.some(({ before, after }) => !same({ ...before, json: after.json }, after)) ||
    columns.kept.some((pair) => jsonChange(pair) !== null);
  const { dropped, created } = indexChanges(pair);
  return {
    table: pair.after.name,
    filled,
    // A rebuilt table loses its indexes with its old self.
    droppedIndexes: dropped.map((index): SchemaChange => ({ kind: "dropIndex", index })),
    changes: rebuilt
      ? [{
        kind: "rebuildTable",
        table: pair.after,
        filled,
        copied: columns.kept.map(({ before, after }): Copy => ({
          column: after,
          json: jsonChange({ before, after }),
          cast: before.type !== after.type,
          fillNulls: after.notNull && !before.notNull && after.default !== null,
        })),
      }]
      : [
        ...columns.dropped.map((column): SchemaChange => ({
          kind: "dropColumn",
          table: pair.after.name,
          column: column.name,
        })),
        ...columns.added.map((column): SchemaChange => ({
          kind: "addColumn",
          table: pair.after.name,
          column,
        })),
      ],
    createdIndexes: (rebuilt ? pair.after.indexes : created)
      .map((index) => createIndex(pair.after, index)),
    problems: [
      ...problemsOf(pair.after.name, columns),
      ...columns.added.filter((column) =>
        needsValue(column) && !filled.some((fill) => fill.column === column)
      ).map(({ name }): SchemaProblem => ({
        kind: fillOf(pair.after.name, name) === null ? "needsBackfill" : "needsDefault",
        table: pair.after.name,
        column: name,
      })),
    ],
  };
}

function columnChanges({ before, after }: TablePair): ColumnChanges {
  const old = byName(before.columns);
  const now = byName(after.columns);
  return {
    added: after.columns.filter(({ name }) => !old.has(name)),
    dropped: before.columns.filter(({ name }) => !now.has(name)),
    kept: after.columns.flatMap((column) => {
      const previous = old.get(column.name);
      return previous ? [{ before: previous, after: column }] : [];
    }),
  };
}

function indexChanges({ before, after }: TablePair) {
  const old = byName(before.indexes);
  const now = byName(after.indexes);
  const differs = (index: SqlIndex, other: SqlIndex | undefined) => !other || !same(index, other);
  return {
    dropped: before.indexes.filter((index) => differs(index, now.get(index.name))),
    created: after.indexes.filter((index) => differs(index, old.get(index.name))),
  };
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

interface ColumnPair {
  readonly before: SqlColumn;
  readonly after: SqlColumn;
}

function jsonChange({ before, after }: ColumnPair): Copy["json"] {
  if (before.json === false && after.json === true) return "encode";
  return before.json === true && after.json === false ? "decode" : null;
}

function problemsOf(table: string, columns: ColumnChanges): readonly SchemaProblem[] {
  const added = columns.added.map(({ name }) => name);
  const marker = added.some(isDeletedMarker)
    ? undefined
    : columns.dropped.find(({ name }) => isDeletedMarker(name));
  const dropped = columns.dropped.filter(({ name }) => !marker || !isDeletedField(name));
  return [
    ...(marker ? [{ kind: "deletedRowsDropped", table, column: marker.name } as const] : []),
    ...dropped.map(({ name }): SchemaProblem =>
      added.length > 0
        ? { kind: "renameOrDrop", table, gone: name, added }
        : { kind: "columnDropped", table, column: name }
    ),
    ...columns.kept.filter(({ before, after }) => isLossy(before.type, after.type))
      .map(({ before, after }): SchemaProblem => ({
        kind: "typeChanged",
        table,
        column: after.name,
        from: before.type,
        to: after.type,
      })),
  ];
}

/** True when the cast can damage a value: `'abc'` becomes 0. */
function isLossy(from: SqlColumn["type"], to: SqlColumn["type"]): boolean {
  return from !== to && to !== "text" && !(from === "integer" && to === "real");
}

function createTable(table: SqlTable): SchemaChange {
  return { kind: "createTable", table };
}

function createIndex(table: SqlTable, index: SqlIndex): SchemaChange {
  return { kind: "createIndex", table: table.name, index };
}

function byName<T extends { readonly name: string }>(items: readonly T[]): ReadonlyMap<string, T> {
  return new Map(items.map((item) => [item.name, item]));
}

/** Values of one type are built with their keys in one order. */
function same<T>(a: T, b: T): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

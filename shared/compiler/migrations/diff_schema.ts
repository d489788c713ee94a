/**
 * Compares two schemas and finds the changes, and those that need the author's consent (definitions 2, `compiler.migrations`).
 */
import type { RowCheck, SqlTable } from "../../model/mod.ts";
import { byName, createIndex, same, tableDiff } from "./diff_table.ts";
import * as fills from "./fill_columns.ts";
import { renameSchema, unclearRenames } from "./rename_schema.ts";
import type * as schema from "./schema_change.ts";

/** Compares schemas. It is a pure function: equal schemas give no change, and the order of tables in `after` is kept. */
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

/** Returns a function that renames a check's table and columns to their names before the migration. */
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
 * Drops a changed index, and every index of a table whose rows or names change, before all other changes, and creates it again
 * afterwards. Its triggers would interfere with the changes.
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
  // Lists the old tables in their order, with their current names.
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

/** Returns tables whose rows or names change, so that their triggers are created again. Added columns do not count. */
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

/** Recounts totals if rows or names change in their own table, or in that of the counted rows. */
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

/**
 * Returns a problem, or for a column or table that a rename hint names, the report of the unused hint. If the hint has a typo,
 * a permission to drop would delete what was to be renamed.
 */
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

/**
 * Leaves out problems that depend on another one. A column that may be a renamed one needs no default yet, because the author
 * must answer that first.
 */
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

/** Returns renames of counters, whose names consist of table and column. */
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

/**
 * Finds the columns that each column of a raw statement's result depends on (contract 4.4 rule 1, docs/decisions/scoped_db.md).
 * A name that cannot be assigned counts for every result column.
 */
import type { TableModel } from "../../../model/mod.ts";
import type { Run, StatementClauses } from "./clauses.ts";
import { sourcesIn } from "../../../lib/sql_sources.ts";
import { isKeyword, isName, type Token } from "../../../lib/sql_tokens.ts";

export interface ColumnOrigin {
  readonly table: TableModel;
  /** API name. */
  readonly column: string;
}

export interface ResultColumn {
  /** Columns in its own expression. */
  readonly origins: readonly ColumnOrigin[];
  /** A column under its own name, by which it is masked. */
  readonly isPlain: boolean;
}

export interface ResultColumns {
  /** Result columns by position; null for `*`. Null as a whole: they cannot be separated. */
  readonly items: readonly (ResultColumn | null)[];
  /** Sources that count for every column: common table expressions and derived tables. */
  readonly sources: readonly ColumnOrigin[];
  /** The same, with conditions, groups and orders. */
  readonly all: readonly ColumnOrigin[];
  /** Tables that the statement names. */
  readonly tables: readonly TableModel[];
}

export function resultColumnsOf(
  { tokens, clauses }: {
    readonly tokens: readonly Token[];
    readonly clauses: StatementClauses;
  },
  tables: ReadonlyMap<string, TableModel>,
): ResultColumns {
  const naming = namingOf(tokens, tables);
  const namedIn = (runs: readonly Run[]) => runs.flatMap((run) => originsIn(naming, run));
  const { items, sources, conditions } = clauses.kind === "select"
    ? partsOfSelect(tokens, clauses)
    : partsOfWrite(tokens, clauses);
  const made = namedIn(sources);
  return {
    items: items.map((run) => isStar(tokens, run) ? null : columnOf(naming, run)),
    sources: made,
    all: [...made, ...namedIn(conditions), ...namedIn(chosenBy(tokens, items, conditions))],
    tables: naming.tables,
  };
}

/** Returns the sources of each cell, unless its name already tells. `names` are those of the cells. */
export function originsOfCells(
  { items, sources, all, tables }: ResultColumns,
  { names, hasNames, conditions }: {
    readonly names: readonly string[];
    /** True when rows are objects, whose members are masked by their names. */
    readonly hasNames: boolean;
    /** True when conditions count as sources. */
    readonly conditions: boolean;
  },
): readonly (readonly ColumnOrigin[])[] {
  const common = conditions ? all : sources;
  const star = items.indexOf(null);
  const hidden = names.length - items.length;
  const isAligned = star < 0 ? hidden === 0 : items.indexOf(null, star + 1) < 0 && hidden >= -1;
  if (items.length === 0 || !isAligned) {
    const own = items.flatMap((item) => item?.origins ?? []);
    return names.map((
      name,
    ) => [...common, ...own, ...(hasNames ? [] : namedColumns(tables, name))]);
  }
  return names.map((name, at) => {
    const isStar = star >= 0 && at >= star && at <= star + hidden;
    const item = isStar ? null : items[star >= 0 && at > star ? at - hidden : at];
    if (!item) return [...common, ...(hasNames ? [] : namedColumns(tables, name))];
    // The mask is found by this exact spelling.
    return hasNames && item.isPlain && item.origins.some(({ table, column }) =>
        column === name ||
        table.columns.some((one) => one.name === column && one.sqlName === name)
      )
      ? common
      : [...common, ...item.origins];
  });
}

function namedColumns(tables: readonly TableModel[], name: string): readonly ColumnOrigin[] {
  return tables.flatMap((table) =>
    table.columns.filter(({ sqlName }) => sqlName.toLowerCase() === name.toLowerCase())
      .map((column) => ({ table, column: column.name }))
  );
}

interface Parts {
  readonly items: readonly Run[];
  readonly sources: readonly Run[];
  readonly conditions: readonly Run[];
}

const COMPOUNDS = ["union", "intersect", "except"];
const AFTER_FROM = ["where", "group", "having", "window", "order", "limit"];

function partsOfSelect(
  tokens: readonly Token[],
  { ctes, body }: Extract<StatementClauses, { kind: "select" }>,
): Parts {
  const before = ctes === null ? [] : [ctes];
  const isCompound = findAny(tokens, body, COMPOUNDS) < body.to;
  if (isCompound || !isKeyword(tokens, body.from, "select")) {
    return { items: [], sources: [...before, body], conditions: [] };
  }
  const isMarked = ["distinct", "all"].some((word) => isKeyword(tokens, body.from + 1, word));
  const first = body.from + (isMarked ? 2 : 1);
  const from = findFrom(tokens, { from: first, to: body.to });
  const rest = findAny(tokens, { from, to: body.to }, AFTER_FROM);
  const items = splitAt(tokens, { from: first, to: Math.min(from, rest) });
  // Only a SELECT renames columns. The other tokens join tables, which is a condition.
  const tables = { from, to: rest };
  const isDerived = tokens.slice(from, rest).some((_, at) =>
    isKeyword(tokens, from + at, "select")
  );
  return {
    items,
    sources: isDerived ? [...before, tables] : before,
    conditions: [tables, { from: rest, to: body.to }],
  };
}

function partsOfWrite(
  tokens: readonly Token[],
  clauses: Exclude<StatementClauses, { kind: "select" }>,
): Parts {
  const given = (...runs: readonly (Run | null)[]) => runs.filter((run) => run !== null);
  const items = clauses.returning === null ? [] : splitAt(tokens, clauses.returning);
  const sources = given(clauses.ctes);
  switch (clauses.kind) {
    case "delete":
      return { items, sources, conditions: given(clauses.where) };
    case "update": {
      const values = clauses.set.map(({ value }) => value);
      return {
        items,
        sources: [...sources, ...given(clauses.from), ...values],
        conditions: given(clauses.where),
      };
    }
    case "insert": {
      const rows = clauses.source.kind === "rows"
        ? clauses.source.rows.flat()
        : [clauses.source.select];
      const updates = clauses.conflicts.flatMap(({ update }) => update ?? []);
      const values = updates.flatMap(({ set }) => set.map(({ value }) => value));
      return {
        items,
        sources: [...sources, ...rows, ...values],
        conditions: updates.flatMap(({ where }) => given(where)),
      };
    }
  }
}

interface Naming {
  readonly tokens: readonly Token[];
  /** Tables that the statement reads or writes. */
  readonly tables: readonly TableModel[];
  /** Returns the table before a dot; any other name may stand for anything. */
  readonly qualifiers: ReadonlyMap<string, readonly TableModel[]>;
}

function namingOf(tokens: readonly Token[], tables: ReadonlyMap<string, TableModel>): Naming {
  const mentioned = new Set(tokens.flatMap((token) => {
    const table = isName(token) ? tables.get(token.value) : undefined;
    return table ? [table] : [];
  }));
  const qualifiers = new Map<string, readonly TableModel[]>();
  const qualify = (name: string, own: readonly TableModel[]) =>
    void qualifiers.set(name, [...qualifiers.get(name) ?? [], ...own]);
  for (const table of mentioned) qualify(table.sqlName.toLowerCase(), [table]);
  for (const at of sourcesIn(tokens)) {
    const table = tables.get(tokens[at]?.value ?? "");
    const alias = tokens[isKeyword(tokens, at + 1, "as") ? at + 2 : at + 1];
    // This source is derived from some of the project's tables.
    if (isName(alias)) qualify(alias.value, table ? [table] : [...mentioned]);
  }
  return { tokens, tables: [...mentioned], qualifiers };
}

/** Strings are included, because SQLite accepts them as names. */
function originsIn(
  { tokens, tables, qualifiers }: Naming,
  { from, to }: Run,
): readonly ColumnOrigin[] {
  const origins: ColumnOrigin[] = [];
  for (let at = from; at < to; at += 1) {
    const token = tokens[at];
    if (isKeyword(tokens, at, "natural") || isNestedStar(tokens, at)) {
      origins.push(
        ...tables.flatMap((table) => table.columns.map(({ name }) => ({ table, column: name }))),
      );
    }
    if (!isName(token)) continue;
    const qualifier = tokens[at - 1]?.text === "." ? tokens[at - 2]?.value : undefined;
    const owners = (qualifier === undefined ? undefined : qualifiers.get(qualifier)) ?? tables;
    for (const table of owners) {
      const column = table.columns.find(({ sqlName }) => sqlName.toLowerCase() === token.value);
      if (column) origins.push({ table, column: column.name });
    }
  }
  return origins;
}

/** True for `*` of an inner SELECT, which passes on columns without naming them. EXISTS passes on none. */
function isNestedStar(tokens: readonly Token[], at: number): boolean {
  if (tokens[at]?.text !== "*") return false;
  const before = tokens[at - 1];
  if (before?.text === ".") return true;
  const isList = before?.text === "," ||
    ["select", "distinct", "all"].some((word) => isKeyword(tokens, at - 1, word));
  return isList && !isKeyword(tokens, at - 3, "exists");
}

function isStar(tokens: readonly Token[], { to }: Run): boolean {
  return tokens[to - 1]?.text === "*";
}

function columnOf(naming: Naming, run: Run): ResultColumn {
  const { tokens } = naming;
  const isQualified = tokens[run.from + 1]?.text === ".";
  const name = tokens[isQualified ? run.from + 2 : run.from];
  const end = run.from + (isQualified ? 3 : 1);
  const alias = isKeyword(tokens, end, "as") ? tokens[end + 1] : tokens[end];
  const hasAlias = end < run.to;
  const isPlain = name !== undefined && name.kind !== "string" && isName(name) &&
    (!hasAlias || (isName(alias) && alias.value === name.value &&
      run.to === end + (isKeyword(tokens, end, "as") ? 2 : 1)));
  return { origins: originsIn(naming, run), isPlain };
}

/** Returns the result columns in ORDER BY and GROUP BY, by alias or position. */
function chosenBy(
  tokens: readonly Token[],
  items: readonly Run[],
  conditions: readonly Run[],
): readonly Run[] {
  const places = conditions.flatMap(({ from, to }) =>
    Array.from({ length: to - from }, (_, at) => from + at)
  );
  const names = new Set(places.flatMap((at) => isName(tokens[at]) ? tokens[at]?.value ?? "" : []));
  const numbers = new Set(
    // The numbers of `ORDER BY 2, 3` are positions. A number of LIMIT names no column or one too many, which is harmless.
    places.flatMap((at) =>
      tokens[at]?.kind === "number" &&
        (isKeyword(tokens, at - 1, "by") || tokens[at - 1]?.text === ",")
        ? Number(tokens[at]?.text)
        : []
    ),
  );
  // Behind a `*` positions are unknown.
  const isCounted = !items.some((run) => isStar(tokens, run));
  return items.filter((run, at) => {
    const last = tokens[run.to - 1];
    const isAlias = run.to - run.from > 1 && tokens[run.to - 2]?.text !== "." && isName(last) &&
      names.has(last.value);
    return isAlias || (isCounted ? numbers.has(at + 1) : numbers.size > 0);
  });
}

function splitAt(tokens: readonly Token[], { from, to }: Run): readonly Run[] {
  const runs: Run[] = [];
  let start = from;
  for (let at = from; at <= to; at += 1) {
    if (at < to && !(tokens[at]?.text === "," && tokens[at]?.depth === 0)) continue;
    if (at > start) runs.push({ from: start, to: at });
    start = at + 1;
  }
  return runs;
}

function findFrom(tokens: readonly Token[], run: Run): number {
  for (let at = run.from; at < run.to; at += 1) {
    const isFrom = tokens[at]?.depth === 0 && isKeyword(tokens, at, "from") &&
      !isKeyword(tokens, at - 1, "distinct");
    if (isFrom) return at;
  }
  return run.to;
}

function findAny(tokens: readonly Token[], run: Run, words: readonly string[]): number {
  for (let at = run.from; at < run.to; at += 1) {
    if (tokens[at]?.depth === 0 && words.some((word) => isKeyword(tokens, at, word))) return at;
  }
  return run.to;
}

/**
 * The clauses of an INSERT, UPDATE or DELETE, as runs of tokens outside of parentheses (SQLite's grammar, "lang_insert",
 * "lang_update", "lang_delete"). If SQLite split a run elsewhere, the parentheses added later would make it invalid.
 */
import { closingOf } from "../../../lib/sql_sources.ts";
import { requireStatement } from "./allowed_sql.ts";
import { isKeyword, isName, refuseConstruct, type Token } from "../../../lib/sql_tokens.ts";

/** Tokens from `from` up to and excluding `to`. */
export interface Run {
  readonly from: number;
  readonly to: number;
}

export interface Assigned {
  /** Lower case. */
  readonly column: string;
  readonly value: Run;
}

export interface Conflict {
  /** The content of its parentheses; null: it applies to any conflict. */
  readonly target: Run | null;
  readonly targetWhere: Run | null;
  /** Null: DO NOTHING. */
  readonly update: { readonly set: readonly Assigned[]; readonly where: Run | null } | null;
}

interface Clauses {
  /** The list of common table expressions; null: there is none. */
  readonly ctes: Run | null;
  readonly table: Token;
  readonly returning: Run | null;
}

export interface InsertClauses extends Clauses {
  readonly kind: "insert";
  /** Lower case. */
  readonly columns: readonly string[];
  readonly source:
    | { readonly kind: "rows"; readonly rows: readonly (readonly Run[])[] }
    | { readonly kind: "select"; readonly select: Run };
  readonly conflicts: readonly Conflict[];
}

export interface UpdateClauses extends Clauses {
  readonly kind: "update";
  readonly set: readonly Assigned[];
  readonly from: Run | null;
  readonly where: Run | null;
}

export interface DeleteClauses extends Clauses {
  readonly kind: "delete";
  readonly where: Run | null;
}

interface SelectClauses {
  readonly kind: "select";
  readonly ctes: Run | null;
  readonly body: Run;
}

export type StatementClauses = SelectClauses | InsertClauses | UpdateClauses | DeleteClauses;

export function clausesOf(tokens: readonly Token[]): StatementClauses {
  const { ctes, verb } = headOf(tokens);
  switch (requireStatement(tokens[verb])) {
    case "insert":
      return insertClauses(tokens, { ctes, verb });
    case "update":
      return updateClauses(tokens, { ctes, verb });
    case "delete":
      return deleteClauses(tokens, { ctes, verb });
    default:
      return { kind: "select", ctes, body: { from: verb, to: tokens.length } };
  }
}

interface Head {
  readonly ctes: Run | null;
  /** Index of the token that names the statement's act. */
  readonly verb: number;
}

function headOf(tokens: readonly Token[]): Head {
  if (!isKeyword(tokens, 0, "with")) return { ctes: null, verb: 0 };
  const from = isKeyword(tokens, 1, "recursive") ? 2 : 1;
  const verb = tokens.findIndex((token, at) =>
    at > from && token.depth === 0 && token.kind === "word" && tokens[at - 1]?.text === ")" &&
    token.value !== "as"
  );
  if (verb < 0) refuseConstruct("WITH", "leads to no statement");
  return { ctes: { from, to: verb }, verb };
}

function insertClauses(tokens: readonly Token[], { ctes, verb }: Head): InsertClauses {
  requireKeyword(tokens, verb + 1, "into");
  const table = requireTable(tokens, verb + 2);
  const open = verb + 3;
  if (tokens[open]?.text !== "(") {
    refuseConstruct("INSERT", "must list its columns, and its table takes no alias");
  }
  const close = closingOf(tokens, open);
  const columns = splitAt(tokens, { from: open + 1, to: close }).map((run) => nameOf(tokens, run));
  const returning = returningOf(tokens, verb);
  const end = returning === null ? tokens.length : returning.from - 1;
  const sourceEnd = findConflict(tokens, { from: close + 1, to: end });
  const source = sourceOf(tokens, { from: close + 1, to: sourceEnd });
  const conflicts: Conflict[] = [];
  for (let at = sourceEnd; at < end;) {
    const to = findConflict(tokens, { from: at + 2, to: end });
    conflicts.push(conflictOf(tokens, { from: at + 2, to }));
    at = to;
  }
  return { kind: "insert", ctes, table, columns, source, conflicts, returning };
}

function sourceOf(tokens: readonly Token[], run: Run): InsertClauses["source"] {
  if (!isKeyword(tokens, run.from, "values")) return { kind: "select", select: run };
  const rows = splitAt(tokens, { from: run.from + 1, to: run.to }).map((row) => {
    const isRow = tokens[row.from]?.text === "(" && closingOf(tokens, row.from) === row.to - 1;
    if (!isRow) refuseConstruct("VALUES", "must be a list of rows in parentheses");
    return splitAt(tokens, { from: row.from + 1, to: row.to - 1 });
  });
  return { kind: "rows", rows };
}

function findConflict(tokens: readonly Token[], run: Run): number {
  return findPlace(
    tokens,
    run,
    (at) => isKeyword(tokens, at, "on") && isKeyword(tokens, at + 1, "conflict"),
  );
}

function conflictOf(tokens: readonly Token[], run: Run): Conflict {
  const hasTarget = tokens[run.from]?.text === "(";
  const close = hasTarget ? closingOf(tokens, run.from) : run.from - 1;
  const target = hasTarget ? { from: run.from + 1, to: close } : null;
  const act = findKeyword(tokens, { from: close + 1, to: run.to }, "do");
  const targetWhere = isKeyword(tokens, close + 1, "where") ? { from: close + 2, to: act } : null;
  if (targetWhere === null && act !== close + 1) refuseConstruct("ON CONFLICT", "lacks its DO");
  if (isKeyword(tokens, act + 1, "nothing")) {
    if (act + 2 !== run.to) refuseConstruct("DO NOTHING", "takes no condition of its own");
    return { target, targetWhere, update: null };
  }
  requireKeyword(tokens, act + 1, "update");
  requireKeyword(tokens, act + 2, "set");
  const where = findKeyword(tokens, { from: act + 3, to: run.to }, "where");
  const set = assignmentsOf(tokens, { from: act + 3, to: where });
  return { target, targetWhere, update: { set, where: restOf(where, run.to) } };
}

function updateClauses(tokens: readonly Token[], { ctes, verb }: Head): UpdateClauses {
  const table = requireTable(tokens, verb + 1);
  requireKeyword(tokens, verb + 2, "set");
  const returning = returningOf(tokens, verb);
  const end = endOf(tokens, returning);
  const where = findKeyword(tokens, { from: verb, to: end }, "where");
  // This is the FROM of an update. The one in `IS DISTINCT FROM` is an operator.
  const from = findPlace(
    tokens,
    { from: verb, to: where },
    (at) => isKeyword(tokens, at, "from") && !isKeyword(tokens, at - 1, "distinct"),
  );
  const set = assignmentsOf(tokens, { from: verb + 3, to: from });
  return {
    kind: "update",
    ctes,
    table,
    set,
    from: restOf(from, where),
    where: restOf(where, end),
    returning,
  };
}

function deleteClauses(tokens: readonly Token[], { ctes, verb }: Head): DeleteClauses {
  requireKeyword(tokens, verb + 1, "from");
  const table = requireTable(tokens, verb + 2);
  const returning = returningOf(tokens, verb);
  const end = endOf(tokens, returning);
  const where = findKeyword(tokens, { from: verb, to: end }, "where");
  if (where !== verb + 3) refuseConstruct("DELETE", "takes a table without an alias and a WHERE");
  return { kind: "delete", ctes, table, where: restOf(where, end), returning };
}

/** This SQLite has no `ORDER BY` and `LIMIT` in writes. */
function endOf(tokens: readonly Token[], returning: Run | null): number {
  const end = returning === null ? tokens.length : returning.from - 1;
  for (const word of ["order", "limit"]) {
    if (findKeyword(tokens, { from: 0, to: tokens.length }, word) < tokens.length) {
      refuseConstruct(`${word.toUpperCase()} on a write`, "is not offered: choose rows in WHERE");
    }
  }
  return end;
}

function returningOf(tokens: readonly Token[], from: number): Run | null {
  const at = findKeyword(tokens, { from, to: tokens.length }, "returning");
  return at === tokens.length ? null : { from: at + 1, to: tokens.length };
}

/** Returns the tokens after a keyword; null: the keyword is missing. */
function restOf(keyword: number, to: number): Run | null {
  return keyword >= to ? null : { from: keyword + 1, to };
}

function assignmentsOf(tokens: readonly Token[], run: Run): readonly Assigned[] {
  return splitAt(tokens, run).map(({ from, to }) => {
    if (tokens[from + 1]?.text !== "=") {
      refuseConstruct("SET", "must assign one column at a time");
    }
    return { column: nameOf(tokens, { from, to: from + 1 }), value: { from: from + 2, to } };
  });
}

function nameOf(tokens: readonly Token[], { from, to }: Run): string {
  const token = tokens[from];
  if (!isName(token) || to !== from + 1) refuseConstruct("A column list", "must hold plain names");
  return token.value;
}

function requireTable(tokens: readonly Token[], at: number): Token {
  const token = tokens[at];
  if (isName(token)) return token;
  return refuseConstruct(`"${tokens[at]?.text ?? ""}"`, "stands where a table is written");
}

function requireKeyword(tokens: readonly Token[], at: number, word: string): void {
  if (isKeyword(tokens, at, word)) return;
  refuseConstruct(
    `"${tokens[at]?.text ?? ""}"`,
    `stands where a write has ${word.toUpperCase()}: conflict clauses, aliases and hints of the written table are not offered`,
  );
}

/** Splits at the commas of this level. */
function splitAt(tokens: readonly Token[], { from, to }: Run): readonly Run[] {
  const depth = tokens[from]?.depth ?? 0;
  const runs: Run[] = [];
  let start = from;
  for (let at = from; at <= to; at += 1) {
    const isComma = tokens[at]?.text === "," && tokens[at]?.depth === depth;
    if (at < to && !isComma) continue;
    if (at === start) refuseConstruct("A list", "in a write has an empty place");
    runs.push({ from: start, to: at });
    start = at + 1;
  }
  return runs;
}

function findKeyword(tokens: readonly Token[], run: Run, word: string): number {
  return findPlace(tokens, run, (at) => isKeyword(tokens, at, word));
}

/** Returns the first index outside of parentheses for which the test is true, else the end of the run. */
function findPlace(
  tokens: readonly Token[],
  { from, to }: Run,
  test: (at: number) => boolean,
): number {
  for (let at = from; at < to; at += 1) {
    if (tokens[at]?.depth === 0 && test(at)) return at;
  }
  return to;
}

/** One statement text, cut into clauses and allowed; kept by its text, since handlers repeat themselves. */
import type { Fragment } from "../sql.ts";
import type { SqlValue } from "../../ports.ts";
import { type AllowedSql, requireAllowed } from "./allowed_sql.ts";
import { boundedValue, makesText } from "./bounded_text.ts";
import { type Assigned, clausesOf, type Run, type StatementClauses } from "./clauses.ts";
import { type ResultColumns, resultColumnsOf } from "./result_columns.ts";
import { requireFunctions } from "./sql_functions.ts";
import { requireSources } from "./sql_sources.ts";
import { isName, type Token, tokensOf } from "./sql_tokens.ts";

export interface ParsedStatement {
  readonly sql: string;
  readonly tokens: readonly Token[];
  readonly clauses: StatementClauses;
  /** Names that may be those of tables, lower case. */
  readonly mentioned: ReadonlySet<string>;
  /** Count of the parameters before each token, and before the end. */
  readonly parametersBefore: readonly number[];
  /** Made on first use. */
  resultColumns(): ResultColumns;
}

export function parseStatement(sql: string, allowed: AllowedSql): ParsedStatement {
  const tokens = tokensOf(sql);
  requireAllowed(tokens, allowed);
  const clauses = clausesOf(tokens);
  requireFunctions(tokens, requireSources(tokens, allowed.tables));
  let columns: ResultColumns | null = null;
  return {
    sql,
    tokens,
    clauses,
    mentioned: mentionedIn(tokens, clauses),
    parametersBefore: countParameters(tokens),
    resultColumns: () => columns ??= resultColumnsOf({ tokens, clauses }, allowed.tables),
  };
}

/** The written table is no mention: it is never read through its scoped form. */
function mentionedIn(
  tokens: readonly Token[],
  clauses: StatementClauses,
): ReadonlySet<string> {
  const written = clauses.kind === "select" ? null : clauses.table;
  const names = tokens.filter((token, at) =>
    isName(token) && token !== written && tokens[at + 1]?.text !== "."
  );
  return new Set(names.map((token) => token.value));
}

function countParameters(tokens: readonly Token[]): readonly number[] {
  const before = [0];
  for (const token of tokens) {
    before.push((before.at(-1) ?? 0) + (token.kind === "parameter" ? 1 : 0));
  }
  return before;
}

/** A parsed statement with the values that it binds this time. */
export interface BoundStatement extends ParsedStatement {
  readonly args: readonly SqlValue[];
}

/** A run of tokens as SQL with what it binds. */
export function fragmentOf(bound: BoundStatement, { from, to }: Run): Fragment {
  const first = bound.tokens[from];
  const last = bound.tokens[to - 1];
  if (!first || !last || to <= from) return { sql: "", args: [] };
  const { parametersBefore: before } = bound;
  return {
    sql: bound.sql.slice(first.start, last.end),
    args: bound.args.slice(before[from], before[to]),
  };
}

/** A value's own parentheses keep whatever it says inside. */
export function valueOf(bound: BoundStatement, { value }: Pick<Assigned, "value">): Fragment {
  const { sql, args } = fragmentOf(bound, value);
  if (makesText(bound.tokens, value)) return boundedValue({ sql, args });
  return value.to - value.from === 1 ? { sql, args } : { sql: `(${sql})`, args };
}

/** The bound value, where a run is one parameter and nothing else. */
export function boundValueOf(bound: BoundStatement, run: Run): SqlValue | undefined {
  const isParameter = run.to - run.from === 1 && bound.tokens[run.from]?.kind === "parameter";
  return isParameter ? bound.args[bound.parametersBefore[run.from] ?? -1] : undefined;
}

/** The literal NULL, which drizzle writes for a column that an insert leaves out. */
export function isNull(bound: BoundStatement, run: Run): boolean {
  const token = bound.tokens[run.from];
  return run.to - run.from === 1 && token?.kind === "word" && token.value === "null";
}

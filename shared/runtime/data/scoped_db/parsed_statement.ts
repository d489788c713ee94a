/** A statement that was parsed and checked. It is cached by its text, since handlers repeat statements. */
import type { ResultSet, SqlValue, Transaction } from "../../ports.ts";
import { type Fragment, fragment } from "../sql.ts";
import { type AllowedSql, requireAllowed } from "./allowed_sql.ts";
import { isCall, requireFunctions, requireSources } from "../../../lib/sql_sources.ts";
import { listedColumns } from "./listed_columns.ts";
import { type Assigned, clausesOf, type Run, type StatementClauses } from "./clauses.ts";
import { type ResultColumns, resultColumnsOf } from "./result_columns.ts";
import { isName, refuseConstruct, type Token, tokensOf } from "../../../lib/sql_tokens.ts";

export interface ParsedStatement {
  readonly sql: string;
  readonly tokens: readonly Token[];
  readonly clauses: StatementClauses;
  /** Names that may be tables, in lower case. */
  readonly mentioned: ReadonlySet<string>;
  /** Each as `table.column`, lower case. */
  readonly listed: ReadonlySet<string>;
  /** Number of parameters before each token, and before the end. */
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
  // The written table is not read through its scoped form.
  const written = clauses.kind === "select" ? null : clauses.table;
  const names = tokens.filter((token, at) =>
    isName(token) && token !== written && tokens[at + 1]?.text !== "."
  );
  const before = [0];
  for (const token of tokens) {
    before.push((before.at(-1) ?? 0) + (token.kind === "parameter" ? 1 : 0));
  }
  return {
    sql,
    tokens,
    clauses,
    mentioned: new Set(names.map((token) => token.value)),
    listed: listedColumns(tokens),
    parametersBefore: before,
    resultColumns: () => columns ??= resultColumnsOf({ tokens, clauses }, allowed.tables),
  };
}

/** A parsed statement with the values bound this time. */
export interface BoundStatement extends ParsedStatement {
  readonly args: readonly SqlValue[];
}

/** Makes SQL of a run of tokens, with the values it binds. */
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

/** Wraps a value in parentheses, so that its content cannot leave it. */
export function valueOf(bound: BoundStatement, { value }: Pick<Assigned, "value">): Fragment {
  const { sql, args } = fragmentOf(bound, value);
  if (makesText(bound.tokens, value)) return boundedValue({ sql, args });
  return value.to - value.from === 1 ? { sql, args } : { sql: `(${sql})`, args };
}

/** Returns the bound value if a run is a single parameter. */
export function boundValueOf(bound: BoundStatement, run: Run): SqlValue | undefined {
  const isParameter = run.to - run.from === 1 && bound.tokens[run.from]?.kind === "parameter";
  return isParameter ? bound.args[bound.parametersBefore[run.from] ?? -1] : undefined;
}

/** True for the literal NULL, which drizzle writes for a column that an insert omits. */
export function isNull(bound: BoundStatement, run: Run): boolean {
  const token = bound.tokens[run.from];
  return run.to - run.from === 1 && token?.kind === "word" && token.value === "null";
}

/** Bytes of all rows of one statement. */
const ROWS_MAX_BYTES = 64 * 1024 * 1024;
/** Bytes of one value that SQL makes and a row keeps. */
const VALUE_MAX_BYTES = 16 * 1024 * 1024;

/** Functions whose result is never longer than their longest argument. */
const SMALL: ReadonlySet<string> = new Set(
  ("abs avg coalesce count cume_dist date datetime dense_rank first_value glob ifnull iif instr json_array_length " +
    "json_error_position json_extract json_type json_valid julianday lag last_value lead length like likelihood likely " +
    "lower ltrim max min nth_value ntile nullif octet_length percent_rank random rank round row_number rtrim sign " +
    "substr substring sum time timediff total trim typeof unicode unixepoch unlikely upper").split(
      " ",
    ),
);

/**
 * True when the expression can make a text longer than any it reads. Such texts of raw SQL are limited before they leave SQLite
 * (docs/decisions/scoped_db.md): a text that no JavaScript string can hold would end the process inside the native driver, at
 * once or when its row is read.
 */
export function makesText(tokens: readonly Token[], { from, to }: Run): boolean {
  for (let at = from; at < to; at += 1) {
    const token = tokens[at];
    if (token?.text === "||" || (token && isCall(tokens, at) && !SMALL.has(token.value))) {
      return true;
    }
  }
  return false;
}

/** Refuses rows with too long values before they are read. */
export async function requireBoundedRows(
  transaction: Transaction,
  { head, body }: { readonly head: (more: Fragment | null) => Fragment; readonly body: Fragment },
): Promise<void> {
  const ask = (start: Fragment, { sql, args }: Fragment): Promise<ResultSet> =>
    transaction.run({ sql: start.sql + sql, args: [...start.args, ...args] });
  const { columns = [] } = await ask(
    head(null),
    fragment(`SELECT * FROM (${body.sql}) LIMIT 0`, ...body.args),
  );
  const names = columns.map((_, at) => `c${at}`);
  const made = fragment(`"quickback rows" (${names.join(", ")}) AS (${body.sql})`, ...body.args);
  const sizes = names.map((name) => `coalesce(octet_length(${name}), 0)`).join(" + ");
  const { rows: [row] } = await ask(
    head(made),
    fragment(`SELECT total(${sizes}) FROM "quickback rows"`),
  );
  if (Number(row?.[0]) <= ROWS_MAX_BYTES) return;
  refuseConstruct(
    "The result of raw SQL",
    `holds more than ${ROWS_MAX_BYTES / 1024 / 1024} MiB: select less of it`,
  );
}

/** Returns SQL for the value, or for a failure if it is too long. */
export function boundedValue({ sql, args }: Fragment): Fragment {
  // SQLite has RAISE only in triggers. The absolute value of this number does not exist, so the statement fails.
  return {
    sql:
      `(SELECT CASE WHEN octet_length(v.x) > ${VALUE_MAX_BYTES} THEN abs(-9223372036854775808) ` +
      `ELSE v.x END FROM (SELECT ${sql} AS x) AS v)`,
    args,
  };
}

/**
 * Texts that raw SQL makes are bounded before they leave SQLite (docs/decisions/scoped_db.md): one that no JavaScript string can
 * hold ends the process inside of the native driver, now, or whenever a row that keeps it is read.
 */
import type { ResultSet, Transaction } from "../../ports.ts";
import { type Fragment, fragment } from "../sql.ts";
import type { Run } from "./clauses.ts";
import { refuseConstruct } from "./scoped_db_error.ts";
import { isCall } from "./sql_functions.ts";
import type { Token } from "./sql_tokens.ts";

/** Bytes of all rows of one statement. */
const ROWS_MAX_BYTES = 64 * 1024 * 1024;
/** Bytes of one value that SQL makes and a row keeps. */
const VALUE_MAX_BYTES = 16 * 1024 * 1024;

/** Functions that give no more than the longest of what they are given. */
const SMALL: ReadonlySet<string> = new Set(
  ("abs avg coalesce count cume_dist date datetime dense_rank first_value glob ifnull iif instr json_array_length " +
    "json_error_position json_extract json_type json_valid julianday lag last_value lead length like likelihood likely " +
    "lower ltrim max min nth_value ntile nullif octet_length percent_rank random rank round row_number rtrim sign " +
    "substr substring sum time timediff total trim typeof unicode unixepoch unlikely upper").split(
      " ",
    ),
);

/** True when the expression can make a text that is longer than any that it reads. */
export function makesText(tokens: readonly Token[], { from, to }: Run): boolean {
  for (let at = from; at < to; at += 1) {
    const token = tokens[at];
    if (token?.text === "||" || (token && isCall(tokens, at) && !SMALL.has(token.value))) {
      return true;
    }
  }
  return false;
}

/** Refuses rows that hold too much, before they are read. */
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

/** The value, or the end of the statement where it is too long. */
export function boundedValue({ sql, args }: Fragment): Fragment {
  // SQLite has no RAISE outside triggers; this number has no absolute value.
  return {
    sql:
      `(SELECT CASE WHEN octet_length(v.x) > ${VALUE_MAX_BYTES} THEN abs(-9223372036854775808) ` +
      `ELSE v.x END FROM (SELECT ${sql} AS x) AS v)`,
    args,
  };
}

/** Columns for which a statement lists the values of its rows. Handlers name many rows by a list of keys. */
import { isKeyword, isName, type Token } from "../../../lib/sql_tokens.ts";

const CLAUSES_AFTER = ["group", "order", "limit", "having", "window", "returning"];

/**
 * Returns each as `table.column` in lower case, from `WHERE a AND table.column IN (…)` of a statement that reads the table
 * once. A statement with subqueries, or with alternatives among its conditions, lists nothing.
 */
export function listedColumns(tokens: readonly Token[]): ReadonlySet<string> {
  const is = (at: number, ...words: readonly string[]) =>
    words.some((word) => isKeyword(tokens, at, word));
  const from = tokens.findIndex(({ depth }, at) => depth === 0 && is(at, "where"));
  const selects = tokens.filter((_, at) => is(at, "select")).length;
  const isPlain = tokens.every((_, at) =>
    !is(at, "or", "case") && (!is(at, "not") || is(at - 1, "is"))
  );
  if (from < 0 || selects > 1 || !isPlain) return new Set();
  const after = tokens.findIndex(({ depth }, at) =>
    at > from && depth === 0 && is(at, ...CLAUSES_AFTER)
  );
  const to = after < 0 ? tokens.length : after;
  const readsOnce = (table: string) =>
    tokens.filter((token, at) =>
      isName(token) && token.value === table && tokens[at + 1]?.text !== "."
    ).length === 1;
  const found = new Set<string>();
  for (let at = from; at < to; at += 1) {
    const [table, dot, column] = tokens.slice(at - 3, at);
    if (!is(at, "in") || !isName(table) || dot?.text !== "." || !isName(column)) continue;
    let before = at - 4;
    while (tokens[before]?.text === "(") before -= 1;
    let next = tokens.findIndex(({ text, depth }, end) =>
      end > at && text === ")" && depth === column.depth
    ) + 1;
    while (tokens[next]?.text === ")") {
      next += 1;
    }
    const isCondition = is(before, "where", "and") && (next >= to || is(next, "and"));
    if (isCondition && readsOnce(table.value)) {
      found.add(`${table.value}.${column.value}`);
    }
  }
  return found;
}

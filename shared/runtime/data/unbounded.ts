/**
 * Marks statements that no index and `LIMIT` bounds. A driver runs them beside others and ends them after their time
 * (docs/decisions/reads.md).
 */
import { sqlIdentifier } from "../../lib/sql_text.ts";
import type { Clock, Reader, Statement, Transaction } from "../ports.ts";
import type { Caller } from "../context.ts";
import { WatchedTransaction } from "./changes/change_log.ts";
import { firewallFollows, followsRelations } from "../../surface/mod.ts";
import { firewallSql } from "./conditions.ts";
import { ROW } from "./projection.ts";
import type { Firewall, PageQuery, RowFilter } from "./types.ts";

/** In whose turn a caller's long statements run. */
export function turnOf(
  { organizationId, principal }: Pick<Caller, "organizationId" | "principal">,
) {
  return organizationId ?? principal.userId ?? "";
}

export function unbounded(statement: Statement, turn: string): Statement {
  return { ...statement, unboundedFor: turn };
}

/** Returns the transaction with all of its statements marked as unbounded. */
export function unboundedWithin(transaction: Transaction, turn: string): Transaction {
  if (transaction instanceof WatchedTransaction) {
    return new WatchedTransaction(unboundedWithin(transaction.inner, turn), transaction.changes);
  }
  return {
    writable: true,
    run: (statement) => transaction.run(unbounded(statement, turn)),
    runAll: (statements) => transaction.runAll(statements.map((one) => unbounded(one, turn))),
    get line() {
      return transaction.line;
    },
  };
}

/** Rows behind a firewall from which on they are read beside all others when all of them may be read. */
const LARGE = 50_000;
const LOOK_MS = 60_000;
/** Firewalls of which it is known how many rows are behind them. */
const KEPT_MAX = 10_000;

export interface TableSizes {
  /** Returns a promise only if the rows must be counted, which happens once a minute. */
  isLarge(reader: Reader, firewall: Firewall): boolean | Promise<boolean>;
}

export function tableSizes(clock: Clock): TableSizes {
  const known = new Map<string, { readonly isLarge: boolean; readonly at: number }>();
  return {
    isLarge(reader, firewall) {
      const behind = firewallSql(firewall, ROW);
      const table = sqlIdentifier(firewall.table.sqlName);
      const rows = `SELECT 1 FROM ${table} AS ${ROW} WHERE ${behind.sql} LIMIT ${LARGE}`;
      const key = [rows, ...behind.args].join("\n");
      const last = known.get(key);
      const at = clock.now();
      if (last && at - last.at < LOOK_MS && at >= last.at) return last.isLarge;
      const statement = {
        sql: `SELECT count(*) FROM (${rows})`,
        args: behind.args,
        isSingle: true,
      };
      return reader.run(statement).then(({ rows: [row] }) => {
        const isLarge = row?.[0] === LARGE;
        if (known.size >= KEPT_MAX) known.clear();
        known.set(key, { isLarge, at });
        return isLarge;
      });
    },
  };
}

/** The statements of a page, marked as their query needs it. */
export function boundedBy(
  sizes: TableSizes,
  firewall: Firewall,
  query:
    & Pick<PageQuery, "rule" | "filters" | "where" | "search" | "withTotal" | "aggregations">
    & { readonly near?: PageQuery["near"]; readonly isGrouped?: boolean },
): (reader: Reader, statements: readonly Statement[]) => Promise<readonly Statement[]> {
  const turn = turnOf(firewall);
  const marked = (statements: readonly Statement[]) =>
    statements.map((one) => unbounded(one, turn));
  const asksRelations = query.where !== null && isRelated(query.where);
  const { near = null, search, filters, where, withTotal, aggregations, isGrouped = false } = query;
  // A list of keys grows with the related table.
  const isRuled = firewallFollows(firewall.predicates) ||
    (query.rule !== null && followsRelations(query.rule));
  if (asksRelations || isRuled || search !== null || near !== null) {
    return (_, statements) => Promise.resolve(marked(statements));
  }
  const mayReadAll = filters.length > 0 || where !== null || withTotal || isGrouped ||
    aggregations.length > 0;
  if (!mayReadAll) return (_, statements) => Promise.resolve(statements);
  return async (reader, statements) =>
    await sizes.isLarge(reader, firewall) ? marked(statements) : statements;
}

function isRelated(filter: RowFilter): boolean {
  switch (filter.kind) {
    case "conditions":
      return false;
    case "not":
      return isRelated(filter.of);
    case "related":
      return true;
    default:
      return filter.of.some(isRelated);
  }
}

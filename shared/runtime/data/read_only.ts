/**
 * A transaction that only reads. Hosts may discard writes outside of a transaction, and a nested transaction needs an outer
 * one.
 */
import type { Reader, Statement, Transaction } from "../ports.ts";

/** Refuses everything except queries, with this message. */
export function readOnly(reader: Reader, message: string): Transaction {
  const requireQuery = (statement: Statement): Statement => {
    if (!isQuery(statement.sql)) throw new Error(message);
    return statement;
  };
  return {
    writable: true,
    run: async (statement) => await reader.run(requireQuery(statement)),
    runAll: async (statements) => await reader.runAll(statements.map(requireQuery)),
  };
}

/** True for a query. A writing keyword within `WITH` makes it false. */
export function isQuery(sql: string): boolean {
  return /^\s*select\b/i.test(sql) ||
    (/^\s*with\b/i.test(sql) && !/\b(insert|update|delete|replace)\b/i.test(sql));
}

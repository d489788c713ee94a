/** A transaction that only reads: outside of one a host may lose what is written, and a nested one has nothing to nest in. */
import type { Reader, Statement, Transaction } from "../ports.ts";

/** Refuses everything but queries, with this message. */
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

/** True for what only reads; a word of writing in a `WITH` counts as writing. */
export function isQuery(sql: string): boolean {
  return /^\s*select\b/i.test(sql) ||
    (/^\s*with\b/i.test(sql) && !/\b(insert|update|delete|replace)\b/i.test(sql));
}

/** The database of code that runs before anybody is known: what belongs to nobody, and no writing (contract 5.6). */
import { ANONYMOUS } from "../../model/principal.ts";
import type { NewId } from "../context.ts";
import type { HandlerHome } from "./handler_home.ts";
import type { DrizzleSchema, OpenedScopedDb } from "../data/scoped_db/open_scoped_db.ts";
import type { Reader, Transaction } from "../ports.ts";

interface ReadOnlyMeans {
  readonly home: HandlerHome;
  readonly database: Reader;
  readonly newId: NewId;
}

/** Opens one in a request that came at this time. */
export function readOnlyDbOf(
  { home, database, newId }: ReadOnlyMeans,
): (now: string) => OpenedScopedDb<DrizzleSchema> {
  const transaction = readingOnly(database);
  return (now) =>
    home.openDb({
      transaction,
      principal: ANONYMOUS,
      organizationId: null,
      stamps: { now, userId: null },
      newId,
    });
}

/** Outside of a transaction a host may lose what is written, and a nested one has nothing to nest in. */
function readingOnly(reader: Reader): Transaction {
  return {
    writable: true,
    run: (statement) => reader.run(requireQuery(statement)),
    runAll: (statements) => reader.runAll(statements.map(requireQuery)),
  };
}

function requireQuery<Asked extends { readonly sql: string }>(statement: Asked): Asked {
  const isQuery = /^\s*select\b/i.test(statement.sql) ||
    (/^\s*with\b/i.test(statement.sql) &&
      !/\b(insert|update|delete|replace)\b/i.test(statement.sql));
  if (!isQuery) throw new Error("A verifier only reads: writes and transactions are refused");
  return statement;
}

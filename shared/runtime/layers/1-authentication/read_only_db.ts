/** The database of code that runs before anybody is known: what belongs to nobody, and no writing (contract 5.6). */
import { ANONYMOUS } from "../../../model/principal.ts";
import type { RequestContext } from "../../context.ts";
import type { DrizzleSchema, OpenedScopedDb } from "../../data/scoped_db/open_scoped_db.ts";
import type { Reader, Transaction } from "../../ports.ts";

export function openReadOnlyDb({ app, now }: RequestContext): OpenedScopedDb<DrizzleSchema> {
  return app.handlers.openDb({
    transaction: readingOnly(app.ports.database),
    principal: ANONYMOUS,
    organizationId: null,
    stamps: { now, userId: null },
    newId: app.newId,
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

/** A database that notes every statement it is asked, in order, within transactions too. */
import type { Database, Statement } from "../../shared/runtime/ports.ts";

export function recorded(database: Database, statements: Statement[]): Database {
  return {
    ...database,
    run(statement) {
      statements.push(statement);
      return database.run(statement);
    },
    runAll(all) {
      statements.push(...all);
      return database.runAll(all);
    },
    write: (body) =>
      database.write((transaction) =>
        body({
          ...transaction,
          run(statement) {
            statements.push(statement);
            return transaction.run(statement);
          },
          runAll(all) {
            statements.push(...all);
            return transaction.runAll(all);
          },
        })
      ),
  };
}

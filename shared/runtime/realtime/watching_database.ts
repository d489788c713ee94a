/** The project's database, whose committed changes are published (contract 6.3). */
import { ChangeLog, WatchedTransaction } from "../data/changes/change_log.ts";
import type { Database } from "../ports.ts";
import type { Publisher } from "./publisher.ts";

/** Publishes after the commit and never before; rolled-back changes are never published. */
export function watchingDatabase(database: Database, publisher: Publisher): Database {
  return {
    run: (statement) => database.run(statement),
    runAll: (statements) => database.runAll(statements),
    migrate: (statements) => database.migrate(statements),
    close: () => database.close(),
    async write(body) {
      let changes: ChangeLog | null = null;
      const value = await database.write((transaction) => {
        // A body that is run again begins anew.
        changes = new ChangeLog(publisher.watched);
        return body(new WatchedTransaction(transaction, changes));
      });
      publishChanges(changes, publisher);
      return value;
    },
  };
}

function publishChanges(changes: ChangeLog | null, { publish }: Publisher): void {
  if (changes !== null) publish(changes.aftermath);
}

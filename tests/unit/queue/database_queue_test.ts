/** The queue in the database, on both drivers. */
import { databaseQueue } from "../../../shared/runtime/data/database_queue.ts";
import { changeSql } from "../../../shared/compiler/migrations/schema_change.ts";
import { JOBS } from "../../../shared/model/webhooks.ts";
import { systemRandomness as random } from "../../../library/platform/system.ts";
import { DRIVERS } from "../../support/databases.ts";
import { testQueue } from "../../support/queue_suite.ts";

const START = Date.UTC(2026, 0, 2);

for (const driver of DRIVERS) {
  testQueue({
    name: driver.name,
    missing: null,
    with: (body) =>
      driver.with(async (database) => {
        let now = START;
        const statements = [
          ...changeSql({ kind: "createTable", table: JOBS }),
          ...JOBS.indexes.flatMap((index) =>
            changeSql({ kind: "createIndex", table: JOBS.name, index })
          ),
        ];
        await database.migrate(statements.map((sql) => ({ sql, args: [] })));
        const options = { database, random, clock: { now: () => now } };
        await body({
          queue: databaseQueue(options),
          other: databaseQueue(options),
          now: () => now,
          pass: (milliseconds) => Promise.resolve(void (now += milliseconds)),
        });
      }),
  });
}

/** Runs a dry run: all of it in transactions that are rolled back (contract 4.4 "dry run"). */
import { partOf } from "../data/within.ts";
import type { Admitted, Endpoint } from "../gate.ts";
import type { Database } from "../ports.ts";

const PREFERENCE_APPLIED = "preference-applied";

/** Returns the endpoint as a dry run: it gives the same answer, and its writes are rolled back. */
export function rehearsed(endpoint: Endpoint): Endpoint {
  return {
    ...endpoint,
    handle: async (request: Admitted, id) =>
      markRehearsed(await endpoint.handle(request.on(rehearsing(request.database)), id)),
  };
}

/** Returns the same database, in which every write is rolled back when it is done. */
export function rehearsing(database: Database): Database {
  return {
    run: (statement) => database.run(statement),
    runAll: (statements) => database.runAll(statements),
    migrate: () => Promise.reject(new Error("A rehearsal cannot change the schema")),
    close: () => Promise.reject(new Error("A rehearsal cannot close the database")),
    async write(body, options) {
      const done = Promise.withResolvers<Awaited<ReturnType<typeof body>>>();
      const takeBack = new Error("A rehearsal");
      try {
        await database.write(async (transaction) => {
          done.resolve(await body(partOf(transaction)));
          throw takeBack;
        }, options);
      } catch (error) {
        if (error !== takeBack) throw error;
      }
      return await done.promise;
    },
  };
}

/** Marks the answer as a dry run's (RFC 7240, 3). */
export function markRehearsed(response: Response): Response {
  response.headers.set(PREFERENCE_APPLIED, "dry-run");
  return response;
}

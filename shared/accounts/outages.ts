/**
 * Tells when the accounts' database could not be used (definitions 7 "busy or full database"): the library catches what its
 * storage throws, and calls it a failed sign-up, an invalid key, or a success.
 */
import { type Database, DatabaseUnavailableError } from "../runtime/ports.ts";

interface OutageWatch {
  /** For the library. */
  readonly database: Database;
  /**
   * Runs the call, and throws an outage that happened meanwhile where `hides` says that the result may come of it. An outage
   * that another request met at that time counts, too: a caller who is asked to try again loses nothing by it.
   */
  told<T>(run: () => Promise<T>, hides: (result: T) => boolean): Promise<T>;
}

export function watchOutages(database: Database): OutageWatch {
  let last: DatabaseUnavailableError | null = null;
  const watched = async <T>(result: Promise<T>): Promise<T> => {
    try {
      return await result;
    } catch (error) {
      if (error instanceof DatabaseUnavailableError) last = error;
      throw error;
    }
  };
  return {
    database: {
      run: (statement) => watched(database.run(statement)),
      runAll: (statements) => watched(database.runAll(statements)),
      write: (body) => watched(database.write(body)),
      migrate: (statements) => database.migrate(statements),
      close: () => database.close(),
    },
    async told(run, hides) {
      const before = last;
      const since = () => last === before ? null : last;
      let result;
      try {
        result = await run();
      } catch (error) {
        throw since() ?? error;
      }
      const outage = since();
      if (outage !== null && hides(result)) throw outage;
      return result;
    },
  };
}

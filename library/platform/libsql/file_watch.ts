/**
 * Tells whether a database's path still leads to the files that were opened. Renamed, removed or replaced ones take writes
 * as before, and nobody finds them afterwards (definitions 7 "busy or full database").
 */
import { brokenError } from "./driver_errors.ts";

export interface FileWatch {
  /** Throws when it leads elsewhere: what was just committed is not where the next start looks for it. */
  require(): void;
  /** The same for reads, which ask the file system now and then. */
  requireLately(): void;
}

/** Milliseconds in which reads take an answer for the present one. */
const LATELY_MS = 250;

/** Of a file that is open and was read from: it has its log then. `now`: milliseconds of a clock. */
export function watchFile(path: string, now: () => number = Date.now): FileWatch {
  const opened = identitiesOf(path);
  let askedAt = now();
  const require = () => {
    if (identitiesOf(path) !== opened) {
      askedAt = -Infinity;
      throw brokenError(`The database file '${path}' was moved, removed or replaced`);
    }
    askedAt = now();
  };
  return {
    require,
    requireLately() {
      // A clock that went back tells nothing.
      if (Math.abs(now() - askedAt) >= LATELY_MS) require();
    },
  };
}

function identitiesOf(path: string): string {
  // A file that is held open keeps its number: no other one gets it. Null: there is none.
  return [path, `${path}-wal`].map((path) => {
    try {
      const { dev, ino } = Deno.statSync(path);
      return `${dev}:${ino}`;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return null;
      throw brokenError(`The database file '${path}' cannot be reached`, { cause: error });
    }
  }).join();
}

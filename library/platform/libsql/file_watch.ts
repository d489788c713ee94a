/**
 * Detects whether a database's path still leads to the opened files. Renamed, removed or replaced files still accept writes,
 * which nobody finds afterwards (definitions 7 "busy or full database").
 */
import { brokenError } from "./driver_errors.ts";

export interface FileWatch {
  /** Throws when the path leads elsewhere, because the next start would miss what was just committed. */
  require(): void;
  /** Does the same for reads, with a cached answer. */
  requireLately(): void;
}

/** Milliseconds for which reads use the last answer. */
const LATELY_MS = 250;

/** Watches a file that is open and was read from, so that its log exists. `now` returns milliseconds. */
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
      // If the clock went back, the difference is large, and the file is checked.
      if (Math.abs(now() - askedAt) >= LATELY_MS) require();
    },
  };
}

function identitiesOf(path: string): string {
  // The inode of an open file is never reused. Null: there is no file.
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

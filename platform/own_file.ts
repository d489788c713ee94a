/** Files of databases before SQLite makes them, which would let everybody on the machine read them. */

/**
 * Makes the file for its owner alone where it is not there; SQLite gives its log the same mode. A file that is there is not
 * opened: closing it in the process that has it open would give up SQLite's locks.
 */
export function makeOwnFile(path: string): void {
  try {
    Deno.openSync(path, { write: true, createNew: true, mode: 0o600 }).close();
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
}

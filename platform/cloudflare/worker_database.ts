/**
 * A libSQL server over HTTP, in a worker: what one request opened no other may wait for, so that each has a client and a
 * queue of writes of its own. Opening one costs nothing before its first statement.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Database } from "../../shared/runtime/ports.ts";
import { openRemote, type RemoteOptions } from "../libsql/remote_database.ts";

interface WorkerDatabase {
  readonly database: Database;
  /** Runs one request's work with a client of its own. */
  readonly scoped: <T>(run: () => Promise<T>) => Promise<T>;
}

const BUSY_TIMEOUT_MS = 5000;

export function openWorkerDatabase(options: Omit<RemoteOptions, "busyTimeout">): WorkerDatabase {
  const clients = new AsyncLocalStorage<Database>();
  const open = () => openRemote({ ...options, busyTimeout: BUSY_TIMEOUT_MS });
  const current = () => clients.getStore() ?? open();
  return {
    scoped: (run) => clients.run(open(), run),
    database: {
      run: (statement) => current().run(statement),
      runAll: (statements) => current().runAll(statements),
      write: (body) => current().write(body),
      migrate: (statements) => current().migrate(statements),
      close: () => Promise.resolve(),
    },
  };
}

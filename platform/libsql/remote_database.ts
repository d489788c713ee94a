/** The `Database` port over a libSQL server or Turso through HTTP: reads of one request travel in one round trip. */
import {
  type Client,
  createClient,
  LibsqlBatchError,
  type ResultSet as ClientResult,
} from "@libsql/client/web";
import type { Database, ResultSet, Statement, Transaction } from "../../shared/runtime/ports.ts";
import { danglingError, DatabaseBusyError, portError, unreachableError } from "./driver_errors.ts";
import { type Bound, boundValues, portCell } from "./values.ts";

export interface RemoteOptions {
  readonly url: string;
  readonly authToken: string | null;
  /** Milliseconds to wait for another client's write. */
  readonly busyTimeout: number;
}

interface Remote {
  readonly options: RemoteOptions;
  client: Client;
  /** Reads under way on each client: a client that was replaced is closed after them. */
  readonly reading: Map<Client, number>;
  /** Settles when the write before the next one is over; never rejects. */
  lastWrite: Promise<unknown>;
}

const ANSWER_MAX_MS = 30_000;
const RETRY_FIRST_MS = 10;
const RETRY_MAX_MS = 200;

/** No request is made before the first statement. */
export function openRemote(options: RemoteOptions): Database {
  const remote: Remote = {
    options,
    client: connect(options),
    reading: new Map(),
    lastWrite: Promise.resolve(),
  };
  return {
    run: (statement) =>
      reading(remote, async (client) => portResult(await client.execute(sent(statement)))),
    runAll: (statements) => reading(remote, (client) => readAll(client, statements)),
    write: (body) => queued(remote, () => write(remote, body)),
    migrate: (statements) => queued(remote, () => migrate(remote, statements)),
    async close() {
      await remote.lastWrite;
      remote.client.close();
    },
  };
}

function connect({ url, authToken }: RemoteOptions): Client {
  return createClient({
    url,
    intMode: "bigint",
    fetch: fetched,
    ...(authToken === null ? {} : { authToken }),
  });
}

/** A server that takes a request and stays silent would hold its caller, and every write behind it, for ever. */
async function fetched(request: Request): Promise<Response> {
  try {
    return await fetch(request, { signal: AbortSignal.timeout(ANSWER_MAX_MS) });
  } catch (cause) {
    throw unreachableError(cause);
  }
}

/** Keeps the client open until the read is over. */
async function reading<T>(remote: Remote, read: (client: Client) => Promise<T>): Promise<T> {
  const { client, reading } = remote;
  reading.set(client, (reading.get(client) ?? 0) + 1);
  try {
    return await translated(() => read(client));
  } finally {
    const left = (reading.get(client) ?? 1) - 1;
    if (left > 0) reading.set(client, left);
    else reading.delete(client);
    if (left === 0 && client !== remote.client) client.close();
  }
}

async function readAll(
  client: Client,
  statements: readonly Statement[],
): Promise<readonly ResultSet[]> {
  return (await client.batch(statements.map(sent), "read")).map(portResult);
}

/** One write at a time, so that this process never waits for itself. */
function queued<T>(remote: Remote, run: () => Promise<T>): Promise<T> {
  const result = remote.lastWrite.then(() => translated(run));
  remote.lastWrite = result.catch(() => undefined);
  return result;
}

type Stream = Awaited<ReturnType<Client["transaction"]>>;

async function write<T>(
  remote: Remote,
  body: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  let stream: Stream | null = null;
  let open = true;
  const send = async (statements: readonly Statement[]): Promise<readonly ResultSet[]> => {
    if (!open) throw new Error("The transaction is over");
    if (statements.length === 0) return [];
    const batch = statements.map(sent);
    if (stream) return (await stream.batch(batch)).map(portResult);
    const begun = await beginWith(remote, batch);
    stream = begun.stream;
    if (begun.kind === "refused") throw begun.error;
    return begun.results.map(portResult);
  };
  try {
    const value = await body({
      writable: true,
      run: async (statement) => only(await translated(() => send([statement]))),
      runAll: (statements) => translated(() => send(statements)),
    });
    open = false;
    await commit(stream);
    return value;
  } catch (error) {
    open = false;
    await rollBack(remote, stream);
    throw error;
  }
}

type Begun =
  | { readonly stream: Stream; readonly kind: "done"; readonly results: readonly ClientResult[] }
  | { readonly stream: Stream; readonly kind: "refused"; readonly error: unknown };

/**
 * BEGIN travels with the first statements. When it is refused itself, the client has closed the stream and none of
 * them has run; when one of them is refused, the transaction is open.
 */
function beginWith(remote: Remote, batch: readonly SentStatement[]): Promise<Begun> {
  return onceUnlocked(remote, async () => {
    const stream = await remote.client.transaction("write");
    try {
      return { stream, kind: "done", results: await stream.batch([...batch]) };
    } catch (error) {
      if (stream.closed) throw error;
      return { stream, kind: "refused", error };
    }
  });
}

async function commit(stream: Stream | null): Promise<void> {
  await stream?.commit();
}

/** A failed rollback leaves the stream in doubt: the client is replaced, and the server rolls back what it has open. */
async function rollBack(remote: Remote, stream: Stream | null): Promise<void> {
  try {
    await stream?.rollback();
  } catch {
    replaceClient(remote);
  }
}

/** A refusal replaces the client before the next try (traps 22). */
async function onceUnlocked<T>(remote: Remote, perform: () => Promise<T>): Promise<T> {
  let waited = 0;
  for (let pause = RETRY_FIRST_MS;; pause = Math.min(pause * 2, RETRY_MAX_MS)) {
    try {
      return await translated(perform);
    } catch (error) {
      if (!(error instanceof DatabaseBusyError)) throw error;
      replaceClient(remote);
      if (waited >= remote.options.busyTimeout) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
    waited += pause;
  }
}

/** SQLite has no RAISE outside triggers; text that is no JSON makes the statement fail and the batch roll back. */
const REFUSE_DANGLING: Statement = {
  sql: "SELECT CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN json('dangling') END",
  args: [],
};

async function migrate(remote: Remote, statements: readonly Statement[]): Promise<void> {
  const all = [...statements, REFUSE_DANGLING];
  await onceUnlocked(remote, async () => {
    try {
      await remote.client.migrate(all.map(sent));
    } catch (error) {
      const atCheck = error instanceof LibsqlBatchError && error.statementIndex === all.length - 1;
      throw atCheck ? danglingError([]) : error;
    }
  });
}

function replaceClient(remote: Remote): void {
  const { client } = remote;
  remote.client = connect(remote.options);
  if (!remote.reading.has(client)) client.close();
}

interface SentStatement {
  readonly sql: string;
  readonly args: Bound[];
}

function sent({ sql, args }: Statement): SentStatement {
  return { sql, args: boundValues(args) };
}

function portResult(result: ClientResult): ResultSet {
  const width = result.columns.length;
  const rows = result.rows.map((row) =>
    Array.from({ length: width }, (_, at) => portCell(row[at]))
  );
  return { rows, columns: result.columns, changes: result.rowsAffected };
}

function only(results: readonly ResultSet[]): ResultSet {
  const [first] = results;
  if (!first) throw new Error("The server answered without a result");
  return first;
}

async function translated<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw portError(error);
  }
}

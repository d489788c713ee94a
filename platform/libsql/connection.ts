/** One native libSQL connection: synchronous, with its prepared statements kept by SQL text. */
import NativeDatabase from "libsql";
import type { ResultSet, Statement } from "../../shared/runtime/ports.ts";
import { brokenError, portError } from "./driver_errors.ts";
import { boundValues, portRows } from "./values.ts";

/** Statements kept per connection; the least recently used goes first. */
const STATEMENTS_KEPT = 512;

/** Pages that a transaction changes before some are written out: 8 MB, given back with its end. */
const CHANGED_PAGES_HELD = 2_000;

interface ConnectionOptions {
  readonly path: string;
  /** Milliseconds that a locked database blocks this thread; 0: not at all. */
  readonly timeout: number;
  readonly synchronous: "FULL" | "NORMAL";
  readonly readOnly: boolean;
}

interface Prepared {
  readonly statement: NativeDatabase.Statement<unknown[]>;
  readonly returnsRows: boolean;
  readonly writes: boolean;
  readonly columns: readonly string[];
}

export interface Connection {
  run(statement: Statement): ResultSet;
  /** Runs SQL text without arguments, several statements allowed; nothing is kept. */
  execute(sql: string): void;
  readonly inTransaction: boolean;
  /** Rolls back what is still open. */
  close(): void;
}

/** Opens the file, creating it, and sets what SQLite keeps per connection. */
export function openConnection(options: ConnectionOptions): Connection {
  const native = opened(options);
  const prepared = new Map<string, Prepared>();
  const connection: Connection = {
    run: (statement) => translated(() => runPrepared(native, prepared, statement)),
    execute: (sql) => translated(() => void native.exec(sql)),
    get inTransaction() {
      return native.inTransaction;
    },
    close() {
      prepared.clear();
      // A closed connection lives on until its statements are collected, and would keep its lock that long.
      if (native.inTransaction) native.exec("ROLLBACK");
      native.close();
    },
  };
  try {
    connection.execute("PRAGMA journal_mode = WAL");
    connection.execute(`PRAGMA synchronous = ${options.synchronous}`);
    connection.execute("PRAGMA foreign_keys = ON");
    if (options.readOnly) connection.execute("PRAGMA query_only = ON");
    // A page that is written out early is written twice, and read again.
    else connection.execute(`PRAGMA cache_spill = ${CHANGED_PAGES_HELD}`);
  } catch (error) {
    connection.close();
    throw error;
  }
  return connection;
}

/** The binding's refusal to open a file has no code. */
function opened({ path, timeout }: ConnectionOptions): NativeDatabase.Database {
  try {
    return new NativeDatabase(path, { timeout });
  } catch (cause) {
    throw brokenError(`The database file '${path}' cannot be opened`, { cause });
  }
}

function runPrepared(
  native: NativeDatabase.Database,
  cache: Map<string, Prepared>,
  { sql, args, isSingle = false }: Statement,
): ResultSet {
  const bound = boundValues(args);
  const { statement, returnsRows, writes, columns } = preparedFor(native, cache, sql);
  if (!returnsRows) return { rows: [], changes: statement.run(bound).changes };
  const first = isSingle ? statement.get(bound) : undefined;
  const rows = portRows(!isSingle ? statement.all(bound) : first === undefined ? [] : [first]);
  // The driver counts no changes under RETURNING, which yields one row for each.
  return { rows, columns, changes: writes ? rows.length : 0 };
}

function preparedFor(
  native: NativeDatabase.Database,
  cache: Map<string, Prepared>,
  sql: string,
): Prepared {
  const known = cache.get(sql);
  if (known) {
    cache.delete(sql);
    cache.set(sql, known);
    return known;
  }
  const statement = native.prepare(sql);
  const returnsRows = statement.reader;
  if (returnsRows) statement.raw(true).safeIntegers(true);
  const fresh = {
    statement,
    returnsRows,
    writes: /\breturning\b/i.test(sql),
    columns: returnsRows ? statement.columns().map(({ name }) => name) : [],
  };
  cache.set(sql, fresh);
  if (cache.size > STATEMENTS_KEPT) {
    const [oldest] = cache.keys();
    if (oldest !== undefined) cache.delete(oldest);
  }
  return fresh;
}

function translated<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw portError(error);
  }
}

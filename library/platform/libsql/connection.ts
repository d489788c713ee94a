/**
 * One native libSQL connection (docs/decisions/reads.md). Statements that an index bounds run synchronously and are prepared
 * once. All others run beside the event loop and can be interrupted.
 */
import NativeDatabase from "libsql";
import BesideDatabase from "libsql/promise";
import type { ResultSet, Statement } from "../../../shared/runtime/ports.ts";
import { StatementTimeoutError } from "../../../shared/runtime/ports.ts";
import type { ClosedConnections } from "./closed_connections.ts";
import { brokenError, portError } from "./driver_errors.ts";
import { boundValues, portRows } from "./values.ts";

/** Most statements kept per connection. The least recently used is dropped first. */
const STATEMENTS_KEPT = 512;

/** Pages that a transaction changes before some are written out: 8 MB, which its end releases. */
const CHANGED_PAGES_HELD = 2_000;

interface ConnectionOptions {
  readonly path: string;
  /** Milliseconds for which a locked database may block this thread; 0: not at all. */
  readonly timeout: number;
  readonly synchronous: "FULL" | "NORMAL";
  readonly readOnly: boolean;
  /** True when statements are kept until the connection is closed, as `runBeside` needs. */
  readonly runsBeside: boolean;
  /** Absent: files are released when the engine collects memory by itself. */
  readonly closed?: ClosedConnections;
}

/** A connection of either interface of the driver. A database of the second interface has the methods of the first. */
type Native = BesideDatabase;

function isInTransaction(native: Native): boolean {
  return Reflect.get(native, "inTransaction") === true;
}

function prepare(native: Native, sql: string): NativeDatabase.Statement<unknown[]> {
  return Reflect.apply(NativeDatabase.prototype.prepare, native, [sql]);
}

function execute(native: Native, sql: string): void {
  Reflect.apply(NativeDatabase.prototype.exec, native, [sql]);
}

/**
 * Statements by their SQL. Collecting a statement makes the engine wait for its connection, and block this thread, while
 * another statement runs beside it. So a connection with such statements keeps all of them until it is closed.
 */
interface StatementCache {
  readonly prepared: Map<string, Prepared>;
  readonly beside: Map<string, Beside>;
  /** Statements outside of the cache; null: they may be collected. */
  readonly kept: unknown[] | null;
}

/** Most statements outside of the cache that a connection keeps. */
const KEPT_MAX = 1000;

interface Prepared {
  readonly statement: NativeDatabase.Statement<unknown[]>;
  readonly returnsRows: boolean;
  readonly writes: boolean;
  readonly columns: readonly string[];
}

export interface Connection {
  run(statement: Statement): ResultSet;
  /**
   * Runs a statement beside the event loop. The connection cannot be used meanwhile. After these milliseconds it throws
   * `StatementTimeoutError`; a write is then rolled back.
   */
  runBeside(statement: Statement, milliseconds: number): Promise<ResultSet>;
  /** Runs SQL without arguments, also several statements. Nothing is cached. */
  execute(sql: string): void;
  readonly inTransaction: boolean;
  /** True when the connection holds so many statements that it should be replaced. */
  readonly isWorn: boolean;
  /** Rolls back an open transaction and closes. */
  close(): void;
}

/** Opens the file, creates it if it is missing, and sets what SQLite keeps per connection. */
export function openConnection(options: ConnectionOptions): Connection {
  const native = opened(options);
  const cache: StatementCache = {
    prepared: new Map(),
    beside: new Map(),
    kept: options.runsBeside ? [] : null,
  };
  const connection: Connection = {
    run: (statement) => translated(() => runPrepared(native, cache, statement)),
    runBeside: (statement, milliseconds) => runBeside(native, cache, statement, milliseconds),
    get isWorn() {
      return (cache.kept?.length ?? 0) > KEPT_MAX;
    },
    execute: (sql) => translated(() => execute(native, sql)),
    get inTransaction() {
      return isInTransaction(native);
    },
    close() {
      cache.prepared.clear();
      cache.beside.clear();
      // A closed connection lives until its statements are collected, and would keep its lock.
      if (isInTransaction(native)) execute(native, "ROLLBACK");
      native.close();
      options.closed?.note(native);
    },
  };
  try {
    connection.execute("PRAGMA journal_mode = WAL");
    connection.execute(`PRAGMA synchronous = ${options.synchronous}`);
    connection.execute("PRAGMA foreign_keys = ON");
    if (options.readOnly) connection.execute("PRAGMA query_only = ON");
    // A page that is written out early is written twice and read again.
    else connection.execute(`PRAGMA cache_spill = ${CHANGED_PAGES_HELD}`);
  } catch (error) {
    connection.close();
    throw error;
  }
  return connection;
}

/** Opens the file. The binding's error has no code. */
function opened({ path, timeout }: ConnectionOptions): Native {
  try {
    return new BesideDatabase(path, { timeout });
  } catch (cause) {
    throw brokenError(`The database file '${path}' cannot be opened`, { cause });
  }
}

function runPrepared(
  native: Native,
  cache: StatementCache,
  { sql, args, isSingle = false }: Statement,
): ResultSet {
  const bound = boundValues(args);
  const { statement, returnsRows, writes, columns } = preparedFor(native, cache, sql);
  try {
    if (!returnsRows) return { rows: [], changes: statement.run(bound).changes };
    const first = isSingle ? statement.get(bound) : undefined;
    const rows = portRows(!isSingle ? statement.all(bound) : first === undefined ? [] : [first]);
    // The driver does not count changes with RETURNING, which yields one row for each.
    return { rows, columns, changes: writes ? rows.length : 0 };
  } catch (error) {
    // After a failure the binding leaves the statement at that row, so the next run would fail too.
    if (isSingle) {
      cache.prepared.delete(sql);
      cache.kept?.push(statement);
    }
    throw error;
  }
}

function preparedFor(
  native: Native,
  { prepared, kept }: StatementCache,
  sql: string,
): Prepared {
  const known = prepared.get(sql);
  if (known) {
    prepared.delete(sql);
    prepared.set(sql, known);
    return known;
  }
  const statement = prepare(native, sql);
  const returnsRows = statement.reader;
  if (returnsRows) statement.raw(true).safeIntegers(true);
  const fresh = {
    statement,
    returnsRows,
    writes: /\breturning\b/i.test(sql),
    columns: returnsRows ? statement.columns().map(({ name }) => name) : [],
  };
  prepared.set(sql, fresh);
  if (prepared.size > STATEMENTS_KEPT) {
    const [[oldest, dropped] = []] = prepared;
    if (oldest !== undefined) prepared.delete(oldest);
    kept?.push(dropped);
  }
  return fresh;
}

/** Interval of interrupts. An interrupt before the statement starts is lost, so it is repeated until one takes effect. */
const INTERRUPT_EVERY_MS = 20;

async function runBeside(
  native: Native,
  cache: StatementCache,
  statement: Statement,
  milliseconds: number,
): Promise<ResultSet> {
  const bound = boundValues(statement.args);
  const { all, columns, returnsRows, writes } = await besideFor(native, cache, statement);
  let again: ReturnType<typeof setInterval> | undefined;
  const timer = setTimeout(() => {
    native.interrupt();
    again = setInterval(() => native.interrupt(), INTERRUPT_EVERY_MS);
  }, milliseconds);
  try {
    const rows = portRows(await all(bound));
    if (returnsRows) return { rows, columns, changes: writes ? rows.length : 0 };
    const [changes] = runPrepared(native, cache, CHANGES).rows;
    return { rows: [], changes: Number(changes?.[0]) };
  } catch (error) {
    if (
      again !== undefined && error instanceof Error && "code" in error &&
      error.code === "SQLITE_INTERRUPT"
    ) throw new StatementTimeoutError(milliseconds);
    throw portError(error);
  } finally {
    clearTimeout(timer);
    clearInterval(again);
  }
}

const CHANGES: Statement = { sql: "SELECT changes()", args: [], isSingle: true };

interface Beside extends Omit<Prepared, "statement"> {
  all(bound: readonly unknown[]): Promise<readonly unknown[]>;
}

async function besideFor(
  native: Native,
  cache: StatementCache,
  { sql, isSingle = false }: Statement,
): Promise<Beside> {
  const known = cache.beside.get(sql);
  if (known) return known;
  const { columns, returnsRows, writes } = translated(() => preparedFor(native, cache, sql));
  const statement = await (returnsRows && !isSingle ? gathered(native, sql) : native.prepare(sql));
  if (returnsRows) statement.raw(true).safeIntegers(true);
  const made = {
    columns,
    returnsRows,
    writes,
    all: (bound: readonly unknown[]): Promise<readonly unknown[]> => statement.all(bound),
  };
  cache.beside.set(sql, made);
  if (cache.beside.size > STATEMENTS_KEPT) {
    const [[oldest, dropped] = []] = cache.beside;
    if (oldest !== undefined) cache.beside.delete(oldest);
    cache.kept?.push(dropped);
  }
  return made;
}

/**
 * Gathers all rows in the first step. Only the first row is computed beside the event loop, so it must not exist before the
 * last one was found.
 */
async function gathered(native: Native, sql: string) {
  const asked = sql.replace(/[;\s]+$/, "");
  try {
    return await native.prepare(
      `WITH gathered AS MATERIALIZED (${asked}\n) SELECT * FROM gathered`,
    );
  } catch (error) {
    // This is a write with RETURNING, which is complete before its first row, or a fast statement such as a pragma.
    if (error instanceof Error && error.message.includes("syntax error")) {
      return await native.prepare(sql);
    }
    throw portError(error);
  }
}

function translated<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw portError(error);
  }
}

/** drizzle's session over a handler's scoped statements. Every builder ends here as text. */
import { NoopLogger, type RelationalSchemaConfig, type TablesRelationalConfig } from "drizzle-orm";
import { NoopCache } from "drizzle-orm/cache/core";
import type { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import type { AsyncBatchRemoteCallback, PreparedQueryConfig } from "drizzle-orm/sqlite-proxy";
import {
  RemotePreparedQuery,
  SQLiteProxyTransaction,
  SQLiteRemoteSession,
} from "drizzle-orm/sqlite-proxy";
import type { ResultSet } from "../../ports.ts";
import type { SelectedField } from "./read_origins.ts";
import type { HandlerStatement } from "./run_statement.ts";

/** The methods through which builders reach the database. */
interface StatementPort {
  readonly run: (asked: HandlerStatement) => Promise<ResultSet>;
  readonly nested: <T>(body: () => Promise<T>) => Promise<T>;
  /** Hides drizzle's internals from handlers. */
  readonly face: <T extends object>(database: T) => T;
  /** Receives the origins of a handler's rows. */
  readonly read: (
    rows: readonly unknown[],
    fields: readonly SelectedField[] | undefined,
    sql: string,
  ) => void;
}

type Method = Parameters<AsyncBatchRemoteCallback>[0][number]["method"];

interface SessionStatement extends HandlerStatement {
  readonly method: Method;
}

type Prepare<Full extends Record<string, unknown>, Schema extends TablesRelationalConfig> =
  Parameters<
    SQLiteRemoteSession<Full, Schema>["prepareQuery"]
  >;

export class ScopedSession<
  Full extends Record<string, unknown>,
  Schema extends TablesRelationalConfig,
> extends SQLiteRemoteSession<Full, Schema> {
  readonly #port: StatementPort;
  readonly #dialect: SQLiteAsyncDialect;
  readonly #schema: RelationalSchemaConfig<Schema> | undefined;

  constructor(
    port: StatementPort,
    dialect: SQLiteAsyncDialect,
    schema: RelationalSchemaConfig<Schema> | undefined,
  ) {
    const one = (sql: string, params: unknown[], method: Method) =>
      answer(port, { sql, params, method });
    super(one, dialect, schema, (batch) => port.nested(() => answerAll(port, batch)));
    this.#port = port;
    this.#dialect = dialect;
    this.#schema = schema;
  }

  override prepareQuery<T extends RemoteConfig>(
    ...[query, fields, method, isArrays, mapper, metadata, cache]: Prepare<Full, Schema>
  ): RemotePreparedQuery<T> {
    return new BarePreparedQuery<T>(
      (rows) => this.#port.read(rows, fields, query.sql),
      (sql, params, how) => answer(this.#port, { sql, params, method: how }),
      query,
      new NoopLogger(),
      new NoopCache(),
      metadata,
      cache,
      fields,
      method,
      isArrays,
      mapper,
    );
  }

  override transaction<T>(
    body: (transaction: SQLiteProxyTransaction<Full, Schema>) => Promise<T>,
  ): Promise<T> {
    const transaction = new ScopedTransaction("async", this.#dialect, this, this.#schema);
    return this.#port.nested(() => body(this.#port.face(transaction)));
  }
}

type RemoteConfig = Omit<PreparedQueryConfig, "run">;

/** Throws the database's own error. drizzle's message would contain the statement and its values (traps 10). */
class BarePreparedQuery<T extends RemoteConfig> extends RemotePreparedQuery<T> {
  readonly #read: (rows: readonly unknown[]) => void;

  constructor(
    read: (rows: readonly unknown[]) => void,
    ...rest: ConstructorParameters<typeof RemotePreparedQuery<T>>
  ) {
    super(...rest);
    this.#read = read;
  }

  queryWithCache<R>(_sql: string, _params: unknown[], run: () => Promise<R>): Promise<R> {
    return run();
  }

  /** Returns the cells of one row. drizzle would make a record of a missing row. */
  override mapGetResult(result: unknown, isFromBatch?: boolean): unknown {
    const cells = isFromBatch ? Object(result).rows : result;
    const isMissing = Array.isArray(cells) && cells.length === 0;
    if (isMissing) return undefined;
    const row = super.mapGetResult(result, isFromBatch);
    this.#read([row]);
    return row;
  }

  override mapAllResult(result: unknown, isFromBatch?: boolean): unknown {
    const rows = super.mapAllResult(result, isFromBatch);
    if (Array.isArray(rows)) this.#read(rows);
    return rows;
  }
}

/** A transaction inside of another is a savepoint. */
class ScopedTransaction<
  Full extends Record<string, unknown>,
  Schema extends TablesRelationalConfig,
> extends SQLiteProxyTransaction<Full, Schema> {
  readonly #session: ScopedSession<Full, Schema>;

  constructor(
    kind: "async",
    dialect: SQLiteAsyncDialect,
    session: ScopedSession<Full, Schema>,
    schema: RelationalSchemaConfig<Schema> | undefined,
  ) {
    super(kind, dialect, session, schema);
    this.#session = session;
  }

  override transaction<T>(
    body: (transaction: SQLiteProxyTransaction<Full, Schema>) => Promise<T>,
  ): Promise<T> {
    return this.#session.transaction(body);
  }
}

async function answer(port: StatementPort, { method, ...asked }: SessionStatement) {
  const { rows, changes } = await port.run(asked);
  const listed = rows.map((row) => [...row]);
  // For a single row drizzle expects its cells.
  return { rows: method === "get" ? listed[0] ?? [] : listed, rowsAffected: changes };
}

async function answerAll(port: StatementPort, batch: readonly SessionStatement[]) {
  const answers = [];
  for (const asked of batch) answers.push(await answer(port, asked));
  return answers;
}

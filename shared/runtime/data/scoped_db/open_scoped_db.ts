/** The databases of an authored handler: `db`, and `unsafeDb` if its action is unsafe (contract 2.11, 4.4 rule 3). */
import type { ExtractTablesWithRelations, RelationalSchemaConfig, SQLWrapper } from "drizzle-orm";
import { Column, createTableRelationsHelpers, is } from "drizzle-orm";
import { extractTablesRelationalConfig } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { SqliteRemoteDatabase } from "drizzle-orm/sqlite-proxy";
import type { HandlerMethod, RAW_SQL_METHODS } from "../../../contract/mod.ts";
import { BUILDER_METHODS } from "../../../contract/mod.ts";
import { memo } from "../../../lib/memo.ts";
import type { Home, ProjectModel } from "../../../model/mod.ts";
import type { NewId } from "../../context.ts";
import type { FirewallCaller } from "../../layers/3-firewall/firewall.ts";
import type { Randomness, Reader, ResultSet, RowQuota } from "../../ports.ts";
import type { TenantDatabases, Transaction } from "../../ports.ts";
import { catalogOf } from "../catalog.ts";
import { organizationPages, selectOrganizations } from "../organization_rows.ts";
import { readOnly } from "../read_only.ts";
import { rowRoomOf } from "../row_room.ts";
import { changeLogOf } from "../changes/change_log.ts";
import type { Stamps } from "../types.ts";
import { normalizeColumns } from "./written_values.ts";
import { findFile, type FoundFile, type GivenKey } from "./find_file.ts";
import { PutFiles } from "./put_files.ts";
import { ReadOrigins, type SelectedField } from "./read_origins.ts";
import { originsOfCells, type ResultColumn } from "./result_columns.ts";
import type { HandlerStatement, ScopedDbCall, ScopedDbHome } from "./run_statement.ts";
import { turnOf, unboundedWithin } from "../unbounded.ts";
import { parsedOf, runStatement, statementQueue } from "./run_statement.ts";
import type { NamedScope, Scope, UnsafeScope } from "./scope.ts";
import { callerScope, namedScope, tableIndexOf, unsafeScope } from "./scope.ts";
import { refuseConstruct } from "../../../lib/sql_tokens.ts";
import { ScopedSession } from "./scoped_session.ts";

export type DrizzleSchema = Record<string, unknown>;

/** drizzle's builders over the rows of one scope. */
type ScopedDb<Schema extends DrizzleSchema> = Pick<
  SqliteRemoteDatabase<Schema>,
  HandlerMethod
>;

type UnsafeDb<Schema extends DrizzleSchema> = ScopedDb<Schema> & {
  /** Returns a database for an explicit scope, within the firewall. */
  scopeTo(scope: NamedScope): ScopedDb<Schema>;
  /** Yields a database for each organization in turn. */
  eachOrganization(): AsyncGenerator<ScopedDb<Schema>, void, undefined>;
};

export interface ScopedDbOptions extends FirewallCaller {
  readonly transaction: Transaction;
  readonly stamps: Stamps;
  readonly newId: NewId;
  readonly allowRawSql?: boolean;
  /** The declared `unsafe`; null: no `unsafeDb`. */
  readonly unsafe?: UnsafeScope | null;
  /** The record of the handler. Null or absent: none. */
  readonly given?: GivenKey | null;
  /** Home of the rows in the transaction's database. Null or absent: it has all rows. */
  readonly place?: Home | null;
  /** Databases of other organizations. Null or absent: the transaction has all rows. */
  readonly elsewhere?: Elsewhere | null;
  /** Is called with the organization whose rows `unsafeDb` reaches. */
  readonly reached?: (organizationId: string | null) => void;
  /** Makes `db.records`; absent: there is none. */
  readonly records?: ((inTurn: OpenedScopedDb<DrizzleSchema>["inTurn"]) => object) | undefined;
}

/** Databases of organizations, for code that may reach beyond its own. */
export interface Elsewhere {
  readerOf(organizationId: string): Reader;
  /** Returns those after `after`, in the order of their ids. */
  organizations(after: string, limit: number): Promise<readonly string[]>;
}

export function elsewhereIn(tenants: Pick<TenantDatabases, "of" | "organizations">): Elsewhere {
  return {
    readerOf: (organizationId) => tenants.of(organizationId, "never"),
    organizations: (after, limit) => tenants.organizations(after, limit),
  };
}

export interface OpenedScopedDb<Schema extends DrizzleSchema> {
  readonly db: ScopedDb<Schema>;
  readonly unsafeDb: UnsafeDb<Schema> | null;
  /** `db` without `allowRawSql`. */
  plainDb(): ScopedDb<Schema>;
  /** Origins of the members of rows that these databases returned. */
  readonly origins: ReadOrigins;
  /** Runs in the handler's transaction, after its earlier statements. */
  inTurn<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** Registers stored files for later writes. */
  readonly putFiles: PutFiles;
  /** Null: no row that `db` or `unsafeDb` reads refers to it. */
  findFile(id: string): Promise<FoundFile | null>;
  /** Waits for started statements and refuses later ones. Call it before the commit. */
  close(): Promise<void>;
}

export type OpenScopedDb<Schema extends DrizzleSchema> = (
  options: ScopedDbOptions,
) => OpenedScopedDb<Schema>;

/** Most statement texts cached per app. */
const STATEMENTS_KEPT = 1000;

/** Makes the opener, once per app. Each action then opens its own databases. */
export function scopedDbOf<Schema extends DrizzleSchema>(
  project: ProjectModel,
  schema: Schema,
  { directory, rowQuota = null, random }: {
    /** Has the accounts; absent: every transaction has. */
    readonly directory?: Reader | undefined;
    readonly random: Randomness;
    /** Null or absent: a tenant may have any number of rows. */
    readonly rowQuota?: RowQuota | null | undefined;
  },
): OpenScopedDb<Schema> {
  const catalog = catalogOf(project);
  const home: ScopedDbHome = {
    catalog,
    room: rowRoomOf(catalog, rowQuota),
    random,
    index: tableIndexOf(project),
    parsed: memo(STATEMENTS_KEPT),
    directory,
  };
  normalizeColumns(schema, home.index);
  const { tables, tableNamesMap } = extractTablesRelationalConfig<
    ExtractTablesWithRelations<Schema>
  >(schema, createTableRelationsHelpers);
  const relational = { fullSchema: schema, schema: tables, tableNamesMap };
  return (options) => {
    const call: ScopedDbCall = {
      home,
      queue: statementQueue(unboundedWithin(options.transaction, turnOf(options))),
      stamps: options.stamps,
      newId: options.newId,
      putFiles: new PutFiles(),
      place: options.place ?? null,
      allowRawSql: options.allowRawSql ?? false,
      changes: changeLogOf(options.transaction),
      origins: new ReadOrigins(),
    };
    const opening: Opening<Schema> = { call, relational, caller: options };
    const records = options.records?.((work) => call.queue.run(work));
    const extras = records === undefined ? [] : [["records", records] as const];
    const db = openDb(opening, callerScope(options), extras);
    const plainCall = { ...call, allowRawSql: false };
    return {
      db,
      plainDb: () =>
        call.allowRawSql
          ? openDb({ ...opening, call: plainCall }, callerScope(options), extras)
          : db,
      origins: call.origins,
      inTurn: (work) => call.queue.run(work),
      putFiles: call.putFiles,
      findFile: (id) => {
        const isWide = options.unsafe && !(call.place !== null && options.unsafe.crossTenant);
        const scope = isWide ? unsafeScope(options, options.unsafe) : callerScope(options);
        return findFile(call, scope, id, options.given ?? null);
      },
      unsafeDb: options.unsafe
        ? openUnsafeDb(opening, options.unsafe, options.reached ?? (() => {}))
        : null,
      close: () => call.queue.close(),
    };
  };
}

type Relational<Schema extends DrizzleSchema> = RelationalSchemaConfig<
  ExtractTablesWithRelations<Schema>
>;

interface Opening<Schema extends DrizzleSchema> {
  readonly call: ScopedDbCall;
  readonly relational: Relational<Schema>;
  readonly caller: FirewallCaller & Pick<ScopedDbOptions, "elsewhere">;
}

function openDb<Schema extends DrizzleSchema>(
  opening: Opening<Schema>,
  scope: Scope,
  extras: readonly (readonly [string, unknown])[] = [],
): ScopedDb<Schema> {
  const { database, raw } = databaseOver(opening, scope);
  return guardedDatabase(database, new Map([...raw, ...extras]));
}

function openUnsafeDb<Schema extends DrizzleSchema>(
  opening: Opening<Schema>,
  unsafe: UnsafeScope,
  reached: (organizationId: string | null) => void,
): UnsafeDb<Schema> {
  const { caller, call } = opening;
  const { organizationId } = caller;
  const used = () => {
    if (call.place !== null && unsafe.crossTenant) refuseConstruct("unsafeDb", ONE_AT_A_TIME);
    reached(organizationId);
  };
  const { database, raw } = databaseOver(opening, unsafeScope(caller, unsafe), used);
  const scopeTo = (named: NamedScope) => {
    // The organization is recorded before the judgement, because a refused call wanted it too.
    reached(named.organizationId ?? organizationId);
    const scope = namedScope(caller, unsafe, named);
    return openDb(openingFor(opening, named.organizationId ?? organizationId), scope);
  };
  async function* eachOrganization() {
    for await (const id of organizationsOf(opening)) {
      reached(id);
      // A token may be the only trace of an organization.
      const scope = { ...namedScope(caller, unsafe, { organizationId: id }), unproven: null };
      yield openDb(openingFor(opening, id), scope);
    }
  }
  return guardedDatabase(
    Object.assign(database, { scopeTo, eachOrganization }),
    new Map<string, unknown>([
      ...raw,
      ["scopeTo", scopeTo],
      ["eachOrganization", eachOrganization],
    ]),
  );
}

const ONE_AT_A_TIME =
  "reaches one organization at a time, since each has a database of its own: use unsafeDb.scopeTo({ organizationId }), " +
  "or for await (const db of unsafeDb.eachOrganization())";

/** All of them, those first whose ids come first. */
async function* organizationsOf<Schema extends DrizzleSchema>(
  { call, caller: { elsewhere } }: Opening<Schema>,
): AsyncGenerator<string, void, undefined> {
  const here = (after: string, limit: number) =>
    call.queue.run((transaction) => selectOrganizations(transaction, { after, limit }));
  for await (const ids of organizationPages(elsewhere?.organizations ?? here)) yield* ids;
}

/** Another organization's database can only be read, because a transaction has one database. */
function openingFor<Schema extends DrizzleSchema>(
  opening: Opening<Schema>,
  organizationId: string | null,
): Opening<Schema> {
  const { call, caller: { elsewhere, organizationId: own } } = opening;
  const isHere = organizationId === null || (organizationId === own && call.place === "tenant");
  if (!elsewhere || isHere) return opening;
  const transaction = readOnly(elsewhere.readerOf(organizationId), READ_ONLY);
  const queue = statementQueue(transaction);
  call.queue.onClose(() => queue.close());
  return { ...opening, call: { ...call, place: "tenant", queue, changes: null } };
}

const READ_ONLY =
  "Another organization's database is only read: a transaction writes in one database";

function databaseOver<Schema extends DrizzleSchema>(
  { call, relational }: Opening<Schema>,
  scope: Scope,
  used: () => void = () => {},
) {
  const dialect = new SQLiteAsyncDialect();
  const run = (asked: HandlerStatement) => {
    used();
    return runStatement(call, scope, asked);
  };
  const raw = rawMethods(call, run, dialect);
  const session = new ScopedSession<Schema, ExtractTablesWithRelations<Schema>>(
    {
      run,
      nested: (body) => call.queue.nested(body),
      face: (transaction) => guardedDatabase(transaction, raw),
      read: (rows, fields, text) => noteRead(call, rows, fields, text),
    },
    dialect,
    relational,
  );
  const database = new SqliteRemoteDatabase<Schema>("async", dialect, session, relational);
  return { database, raw };
}

type RawMethod = typeof RAW_SQL_METHODS[number];

/** `db.run`, `db.all`, `db.get` and `db.values` run raw SQL within the scope. */
function rawMethods(
  call: ScopedDbCall,
  run: (asked: HandlerStatement) => Promise<ResultSet>,
  dialect: SQLiteAsyncDialect,
): ReadonlyMap<string, unknown> {
  const ask = async (name: RawMethod, query: SQLWrapper | string) => {
    if (!call.allowRawSql) {
      refuseConstruct(
        `Raw SQL (db.${name})`,
        "is refused: use drizzle's builders, or declare `allowRawSql: true` on the action",
      );
    }
    const asked = typeof query === "string"
      ? { sql: query, params: [] }
      : dialect.sqlToQuery(query.getSQL());
    return { asked, result: await run(asked) };
  };
  const all = async (name: RawMethod, query: SQLWrapper | string) => {
    const { asked, result } = await ask(name, query);
    return noteRows(call, asked, result, objectsOf(result));
  };
  const methods: Readonly<Record<RawMethod, (query: SQLWrapper | string) => Promise<unknown>>> = {
    run: async (query) => ({ rows: [], rowsAffected: (await ask("run", query)).result.changes }),
    all: (query) => all("all", query),
    get: async (query) => (await all("get", query))[0],
    async values(query) {
      const { asked, result } = await ask("values", query);
      return noteRows(call, asked, result, result.rows.map((row) => [...row]));
    },
  };
  return new Map(Object.entries(methods));
}

/** The result of raw SQL with the known origins of its members. */
function noteRows<Row extends object>(
  call: ScopedDbCall,
  { sql }: HandlerStatement,
  { columns = [] }: ResultSet,
  rows: readonly Row[],
): readonly Row[] {
  const hasNames = !Array.isArray(rows[0]);
  const cells = originsOfCells(parsedOf(call, sql).resultColumns(), {
    names: columns,
    hasNames,
    conditions: true,
  });
  call.origins.noteRaw(rows, columns.map((name, at) => [hasNames ? name : `${at}`]), cells);
  return rows;
}

/** The result of builders. If it may contain raw SQL, its text is analysed beside drizzle's own account. */
function noteRead(
  call: ScopedDbCall,
  rows: readonly unknown[],
  fields: readonly SelectedField[] | undefined,
  sql: string,
): void {
  if (!fields) return noteRelated(call, rows, sql);
  call.origins.note(rows, fields, call.home.index);
  if (!call.allowRawSql) return;
  const cells = originsOfCells(parsedOf(call, sql).resultColumns(), {
    names: fields.map(({ path }) => path.at(-1) ?? ""),
    hasNames: true,
    conditions: false,
  });
  const isColumn = fields.map(({ field }) => is(field, Column));
  call.origins.noteRaw(
    rows,
    fields.map(({ path }) => path),
    cells.map((origins, at) => isColumn[at] ? [] : origins),
  );
}

/** The result of `db.query`: columns under their own names, related rows, and `extras` in the order of the statement. */
function noteRelated(call: ScopedDbCall, rows: readonly unknown[], sql: string): void {
  const [first] = rows;
  if (typeof first !== "object" || first === null) return;
  const { items } = parsedOf(call, sql).resultColumns();
  const members = Object.keys(first);
  const isOwn = ({ isPlain, origins }: ResultColumn, names: readonly string[]) =>
    isPlain && origins.some(({ column }) => names.includes(column));
  const originsOf = (name: string, at: number) => {
    // This extra has taken the name of a column.
    const given = items.length === members.length ? [items[at]] : items;
    const names = items.length === members.length ? [name] : members;
    return given.flatMap((item) => item && !isOwn(item, names) ? item.origins : []);
  };
  // In at least one row the value is no related row. A NULL would tell nothing.
  const origins = members.map((name, at) =>
    rows.some((row) => typeof Reflect.get(Object(row), name) !== "object")
      ? originsOf(name, at)
      : []
  );
  call.origins.noteRaw(rows, members.map((name) => [name]), origins);
}

function objectsOf({ rows, columns = [] }: ResultSet): readonly Record<string, unknown>[] {
  return rows.map((row) =>
    Object.fromEntries(row.map((cell, at) => [columns[at] ?? `${at}`, cell]))
  );
}

/** A transaction is a database that can also be rolled back. */
const OFFERED: ReadonlySet<string> = new Set([...BUILDER_METHODS, "rollback"]);

/**
 * The part of a drizzle database that handlers see: its builders, and nothing behind them. `extras` are passed on unchanged.
 */
function guardedDatabase<T extends object>(
  database: T,
  extras: ReadonlyMap<string, unknown>,
): T {
  return new Proxy(database, {
    get(target, name) {
      if (typeof name === "symbol" || name === "then" || name === "toJSON") return undefined;
      if (extras.has(name)) return extras.get(name);
      if (!OFFERED.has(name)) refuseConstruct(`"db.${name}"`, "is not offered to handlers");
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
    has: (_target, name) => typeof name === "string" && (OFFERED.has(name) || extras.has(name)),
    getPrototypeOf: () => null,
    ownKeys: () => [],
    getOwnPropertyDescriptor: () => undefined,
    set: (_target, name) => refuseConstruct(`"db.${String(name)}"`, "cannot be replaced"),
    defineProperty: (_target, name) =>
      refuseConstruct(`"db.${String(name)}"`, "cannot be replaced"),
    deleteProperty: (_target, name) =>
      refuseConstruct(`"db.${String(name)}"`, "cannot be replaced"),
    setPrototypeOf: () => refuseConstruct("The prototype of db", "cannot be replaced"),
    preventExtensions: () => refuseConstruct("db", "cannot be frozen"),
  });
}

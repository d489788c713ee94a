/** Runs a handler's statement in its scoped form, with its cascades and the log of its writes. */
import { columnNamed } from "../../../surface/mod.ts";
import type { Memo } from "../../../lib/memo.ts";
import { type Home, homeOf } from "../../../model/mod.ts";
import type { NewId } from "../../context.ts";
import type {
  Randomness,
  Reader,
  ResultSet,
  SqlValue,
  Statement,
  Transaction,
} from "../../ports.ts";
import type { Catalog } from "../catalog.ts";
import { type ChangeLog, changeLogOf, unwatched } from "../changes/change_log.ts";
import {
  loggingChanges,
  loggingRemoval,
  loggingUpsert,
  noteInserted,
} from "../changes/watched_rows.ts";
import { cellSql, inSql } from "../conditions.ts";
import { referredColumns, stampBelow } from "../delete_rows.ts";
import { drawnValues } from "../made_values.ts";
import { ROW } from "../projection.ts";
import { readOnly } from "../read_only.ts";
import type { RowRoom } from "../row_room.ts";
import type { Stamps } from "../types.ts";
import { inSavepoint, rolledBack } from "../within.ts";
import {
  makesText,
  type ParsedStatement,
  parseStatement,
  requireBoundedRows,
} from "./parsed_statement.ts";
import { type Roster, rosterAt } from "./named_members.ts";
import type { PutFiles } from "./put_files.ts";
import type { ReadOrigins } from "./read_origins.ts";
import { requireExistingScope, type Scope, type TableIndex } from "./scope.ts";
import { type ScopedStatement, scopeStatement } from "./scope_statement.ts";
import { refuseConstruct } from "../../../lib/sql_tokens.ts";
import { withBelow } from "./with_below.ts";
import { type DrawnPlace, failedReference } from "./written_values.ts";

/** Parts that all handlers of an app share. */
export interface ScopedDbHome {
  readonly catalog: Catalog;
  readonly index: TableIndex;
  readonly parsed: Memo<ParsedStatement>;
  /** Null: a tenant may have any number of rows. */
  readonly room: RowRoom | null;
  readonly random: Randomness;
  /** Has the accounts; undefined: every transaction has. */
  readonly directory: Reader | undefined;
}

/** Parts that all databases of one action share. */
export interface ScopedDbCall {
  readonly home: ScopedDbHome;
  readonly queue: StatementQueue;
  readonly stamps: Stamps;
  readonly newId: NewId;
  /** Files that the call has stored so far. */
  readonly putFiles: PutFiles;
  /** Home of the rows that its database holds; null: it holds all. */
  readonly place: Home | null;
  readonly allowRawSql: boolean;
  /** Null: the handler's writes are not published. */
  readonly changes: ChangeLog | null;
  readonly origins: ReadOrigins;
}

export interface HandlerStatement {
  readonly sql: string;
  readonly params: Iterable<unknown>;
}

export function runStatement(
  call: ScopedDbCall,
  scope: Scope,
  asked: HandlerStatement,
): Promise<ResultSet> {
  // Each parameter needs a value, or all later values would shift.
  const parsed = parsedOf(call, asked.sql);
  const args = Array.from(asked.params, sqlValue);
  if (args.length !== parsed.parametersBefore.at(-1)) {
    refuseConstruct("A statement", "must bind one value to each of its parameters");
  }
  const bound = { ...parsed, args };
  const met = new Set<Home>();
  const drawn: DrawnPlace[] = [];
  const roster: Roster | null = call.place &&
    { place: new Uint8Array(), organizationId: null };
  const scoped = scopeStatement({
    bound,
    index: call.home.index,
    // Notes the homes of the tables that a statement names.
    scope: call.place === null ? scope : {
      ...scope,
      firewallOf(table) {
        met.add(homeOf(table));
        return scope.firewallOf(table);
      },
    },
    stamps: call.stamps,
    newId: call.newId,
    putFiles: call.putFiles,
    drawn,
    roster,
    needed: new Set(),
  }, (write) => {
    if (write.isSoft) return referredColumns(call.home.catalog, write.firewall);
    return call.changes === null ? [] : [write.table.primaryKey];
  });
  const mayUpdate = bound.clauses.kind === "insert" && bound.clauses.conflicts.length > 0;
  const elsewhere = readerElsewhere(call, scoped, met);
  return call.queue.run(async (own) => {
    const transaction = elsewhere ?? own;
    if (scope.unproven) {
      await requireExistingScope(call.home.directory ?? unwatched(transaction), scope.unproven);
    }
    if (
      call.allowRawSql && scoped.select &&
      makesText(bound.tokens, { from: 0, to: bound.tokens.length })
    ) {
      await requireBoundedRows(transaction, scoped.select);
    }
    const known = { catalog: call.home.catalog, isLogged: call.changes !== null };
    const perform = async (part: Transaction, scoped: ScopedStatement) => {
      const run = () => noted(call, part, { scoped, mayUpdate });
      const roomy = () =>
        withinRoom(call, part, { write: scoped.write, newRows: newRowsOf(bound), run });
      return await withBelow(known, part, scoped, roomy);
    };
    const isBound = drawn.length === 0 && (roster?.organizationId ?? null) === null;
    if (isBound) return await perform(transaction, scoped);
    // A failed statement uses up no number, although its handler continues.
    return await inSavepoint(transaction, async (part) => {
      const values = await valuesAt(call, part, { drawn, roster });
      const { statement } = scoped;
      const args = statement.args.map((arg) =>
        arg instanceof Uint8Array && values.has(arg) ? values.get(arg) ?? null : arg
      );
      return await perform(part, { ...scoped, statement: { ...statement, args } });
    });
  });
}

/** The values of a statement that are known only when it runs, by their places. */
async function valuesAt(
  { home: { random, directory }, stamps }: ScopedDbCall,
  transaction: Transaction,
  { drawn, roster }: { readonly drawn: readonly DrawnPlace[]; readonly roster: Roster | null },
): Promise<ReadonlyMap<Uint8Array, SqlValue>> {
  return new Map([
    ...await drawnAt(drawn, transaction, random),
    ...await rosterAt(roster, directory, stamps),
  ]);
}

/** Draws the values of all placeholders: for one column and organization in the order of the rows. */
async function drawnAt(
  drawn: readonly DrawnPlace[],
  transaction: Transaction,
  random: Randomness,
): Promise<ReadonlyMap<Uint8Array, SqlValue>> {
  const alike = Map.groupBy(
    drawn,
    ({ table, column, organizationId }) =>
      JSON.stringify([table.name, column.name, organizationId]),
  );
  const values = new Map<Uint8Array, SqlValue>();
  for (const places of alike.values()) {
    const [first] = places;
    if (!first) continue;
    const { table, column, organizationId } = first;
    const drawing = { firewall: { table, organizationId }, column, count: places.length };
    const made = await drawnValues(transaction, drawing, random);
    places.forEach(({ place }, at) => values.set(place, made[at] ?? null));
  }
  return values;
}

/**
 * Decides where a query runs if rows have two homes (definitions 2, `tenancy`). Rows without an organization are read in the
 * directory. Any other statement that leaves the home is refused, because the tables there would look empty. Null: it runs
 * here.
 */
function readerElsewhere(
  { place, home: { directory } }: ScopedDbCall,
  { write }: ScopedStatement,
  met: ReadonlySet<Home>,
): Transaction | null {
  if (place === null || [...met].every((home) => home === place)) return null;
  if (place === "directory") {
    return refuseConstruct(
      "A table of organizations",
      "cannot be reached: its rows are in their databases, and this code runs for no organization",
    );
  }
  if (met.size > 1) {
    return refuseConstruct(
      "A statement",
      "cannot join tables of organizations with others: their rows are in different databases",
    );
  }
  if (write !== null || directory === undefined) {
    return refuseConstruct(
      `"${write?.table.name}"`,
      "cannot be written: it belongs to no organization, and this transaction is in an organization's database",
    );
  }
  return readOnly(directory, "The directory is only read from here");
}

/** Counts the rows that a statement inserts and deletes against the tenant's limit. */
async function withinRoom(
  { home: { room } }: ScopedDbCall,
  transaction: Transaction,
  { write, newRows, run }: Pick<ScopedStatement, "write"> & {
    readonly newRows: number;
    readonly run: () => Promise<ResultSet>;
  },
): Promise<ResultSet> {
  if (room === null || write === null) return await run();
  const { firewall, kind, isSoft } = write;
  if (kind === "insert") await room.require(transaction, firewall, newRows);
  const result = await run();
  if (kind === "insert") room.add(firewall, result.changes - newRows);
  else if (kind === "delete" && !isSoft) room.add(firewall, -result.changes);
  return result;
}

/** Returns the number of rows that an INSERT names. That of INSERT … SELECT is known afterwards. */
function newRowsOf({ clauses }: ParsedStatement): number {
  if (clauses.kind !== "insert") return 0;
  return clauses.source.kind === "rows" ? clauses.source.rows.length : 1;
}

/** Longest cached text. Longer ones, such as inserts of many rows, seldom recur. */
const TEXT_KEPT_MAX = 4000;

export function parsedOf({ home, allowRawSql }: ScopedDbCall, sql: string): ParsedStatement {
  if (typeof sql !== "string") refuseConstruct("A statement", "must be text");
  const parse = () => parseStatement(sql, { raw: allowRawSql, ...home.index });
  return sql.length > TEXT_KEPT_MAX ? parse() : home.parsed(`${allowRawSql} ${sql}`, parse);
}

/**
 * Runs a statement and logs its writes. Only the statement itself knows the rows of an update or deletion, so it runs once, is
 * rolled back, and the rows are read before it runs again.
 */
async function noted(
  call: ScopedDbCall,
  transaction: Transaction,
  { scoped, mayUpdate }: { readonly scoped: ScopedStatement; readonly mayUpdate: boolean },
): Promise<ResultSet> {
  const { write } = scoped;
  const run = () => perform(call, transaction, scoped);
  if (call.changes === null || write === null) return (await run()).result;
  const { kind, table } = write;
  if (kind === "insert" && !mayUpdate) {
    const { result, ids } = await run();
    await noteInserted(transaction, table, ids);
    return result;
  }
  const ids = await rolledBack(
    unwatched(transaction),
    async () => idsIn(await guarded(transaction, scoped.statement), scoped),
  );
  if (kind === "insert") {
    return (await loggingUpsert(transaction, { table, ids, write: run })).result;
  }
  const where = inSql(cellSql(columnNamed(table.primaryKey, table), ROW), ids);
  const { result } = kind === "update" || write.isSoft
    ? await loggingChanges(transaction, { kind, table, where }, run)
    : await loggingRemoval(call.home.catalog, transaction, { table, where, remove: run });
  return result;
}

/** Ids of the rows that it wrote, when it returns them. */
function idsIn({ rows }: ResultSet, { write, appended }: ScopedStatement): readonly SqlValue[] {
  const at = write === null ? -1 : appended.indexOf(write.table.primaryKey);
  return at < 0 ? [] : rows.map((row) => row[row.length - appended.length + at] ?? null);
}

interface Performed {
  readonly result: ResultSet;
  readonly ids: readonly SqlValue[];
}

async function perform(
  call: ScopedDbCall,
  transaction: Transaction,
  scoped: ScopedStatement,
): Promise<Performed> {
  const result = await guarded(transaction, scoped.statement);
  const { write, appended } = scoped;
  if (write === null || appended.length === 0) return { result, ids: [] };
  const width = (result.rows[0]?.length ?? appended.length) - appended.length;
  const values = new Map(
    appended.map((name, at) => [name, result.rows.map((row) => row[width + at] ?? null)]),
  );
  if (write.isSoft) {
    const { home: { catalog }, stamps } = call;
    const stamped = { firewall: write.firewall, count: result.rows.length, values };
    await stampBelow({ catalog, transaction, stamps }, stamped);
  }
  return {
    ids: idsIn(result, scoped),
    result: {
      ...result,
      rows: width === 0 ? [] : result.rows.map((row) => row.slice(0, width)),
      changes: result.rows.length,
    },
  };
}

/** Runs the statement. An error of a foreign key without a record in scope names its column. */
async function guarded(transaction: Transaction, statement: Statement): Promise<ResultSet> {
  try {
    return await transaction.run(statement);
  } catch (error) {
    throw failedReference(error) ?? error;
  }
}

/** Converts a value of a builder or helper to stored form. */
function sqlValue(value: unknown): SqlValue {
  switch (typeof value) {
    case "string":
    case "bigint":
      return value;
    case "number":
      if (Number.isFinite(value)) return value;
      break;
    case "boolean":
      return Number(value);
    default:
      if (value === null || value instanceof Uint8Array) return value;
      if (value instanceof Date) return value.toISOString();
  }
  return refuseConstruct(
    `A value of type "${typeof value}"`,
    "cannot be bound to a statement",
  );
}

interface StatementQueue {
  /** Waits for everything asked for before. */
  run<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** Runs `body` in a savepoint: its writes are kept or undone together. */
  nested<T>(body: () => Promise<T>): Promise<T>;
  /** Waits for started work and refuses later work. */
  close(): Promise<void>;
  /** Is closed with it. */
  onClose(close: () => Promise<void>): void;
}

/**
 * The transaction of an action as its handler uses it: one statement at a time, nested savepoints, and nothing after the
 * action's end (contract 4.4).
 */
export function statementQueue(transaction: Transaction): StatementQueue {
  const savepoints: string[] = [];
  let made = 0;
  let last: Promise<unknown> = Promise.resolve();
  let broken: string | null = null;
  const others: (() => Promise<void>)[] = [];
  const run = <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> => {
    const result = last.then(() => {
      if (broken !== null) throw new Error(broken);
      return work(transaction);
    });
    last = result.catch(() => undefined);
    return result;
  };
  const say = (sql: string): Promise<ResultSet> => run((open) => open.run({ sql, args: [] }));
  const leave = async (name: string, statements: readonly Statement["sql"][]): Promise<void> => {
    if (savepoints.pop() !== name) {
      broken = "Two transactions of one action overlap: await each before the next begins";
      throw new Error(broken);
    }
    for (const sql of statements) await say(sql);
  };
  return {
    run,
    async nested(body) {
      made += 1;
      const name = `nested_${made}`;
      savepoints.push(name);
      await say(`SAVEPOINT ${name}`);
      const changes = changeLogOf(transaction);
      const mark = changes?.mark() ?? 0;
      let value;
      try {
        value = await body();
      } catch (error) {
        changes?.rewind(mark);
        await leave(name, [`ROLLBACK TO ${name}`, `RELEASE ${name}`]);
        throw error;
      }
      await leave(name, [`RELEASE ${name}`]);
      return value;
    },
    async close() {
      await last;
      for (const close of others) await close();
      broken ??= "The action is over: await every statement inside the handler";
    },
    onClose: (close) => void others.push(close),
  };
}

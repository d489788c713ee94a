/** Runs a handler's statement in its scoped form, with what follows from it: cascades and the news of the write. */
import type { Memo } from "../../../lib/memo.ts";
import type { NewId } from "../../context.ts";
import type { ResultSet, SqlValue, Transaction } from "../../ports.ts";
import type { Catalog } from "../catalog.ts";
import { referredColumns, stampBelow } from "../delete_rows.ts";
import type { Stamps } from "../types.ts";
import { type BoundStatement, type ParsedStatement, parseStatement } from "./parsed_statement.ts";
import type { Scope } from "./scope.ts";
import { refuseConstruct, ScopedDbError } from "./scoped_db_error.ts";
import { type ScopedStatement, type ScopedWrite, scopeStatement } from "./scope_statement.ts";
import type { TableIndex } from "./scoped_tables.ts";
import type { StatementQueue } from "./statement_queue.ts";

/** Rows that a handler wrote, for whoever tells others after the commit. */
export interface HandlerWrite {
  readonly kind: "insert" | "update" | "delete";
  /** Table name of the model. */
  readonly table: string;
  readonly ids: readonly SqlValue[];
}

/** What is the same for every handler of an app. */
export interface ScopedDbHome {
  readonly catalog: Catalog;
  readonly index: TableIndex;
  readonly parsed: Memo<ParsedStatement>;
}

/** What is the same for every database of one action. */
export interface ScopedDbCall {
  readonly home: ScopedDbHome;
  readonly queue: StatementQueue;
  readonly stamps: Stamps;
  readonly newId: NewId;
  readonly allowRawSql: boolean;
  readonly onWrite: ((write: HandlerWrite) => void) | null;
}

export interface AskedStatement {
  readonly sql: string;
  readonly params: Iterable<unknown>;
}

export function runStatement(
  call: ScopedDbCall,
  scope: Scope,
  asked: AskedStatement,
): Promise<ResultSet> {
  const scoped = scopeStatement({
    bound: boundOf(parsedOf(call, asked.sql), asked.params),
    index: call.home.index,
    scope,
    stamps: call.stamps,
    newId: call.newId,
    needed: new Set(),
    guarded: [],
  }, (write) => wantedOf(call, write));
  return call.queue.run((transaction) => perform(call, transaction, scoped));
}

/** Longer texts (inserts of many rows) seldom come again. */
const TEXT_KEPT_MAX = 4000;

function parsedOf({ home, allowRawSql }: ScopedDbCall, sql: string): ParsedStatement {
  if (typeof sql !== "string") refuseConstruct("A statement", "must be text");
  const parse = () =>
    parseStatement(sql, { raw: allowRawSql, serviceTables: home.index.serviceTables });
  return sql.length > TEXT_KEPT_MAX ? parse() : home.parsed(`${allowRawSql} ${sql}`, parse);
}

/** One value for each parameter, or every later value would stand for another one. */
function boundOf(parsed: ParsedStatement, params: Iterable<unknown>): BoundStatement {
  const args = Array.from(params, sqlValue);
  if (args.length !== parsed.parametersBefore.at(-1)) {
    refuseConstruct("A statement", "must bind one value to each of its parameters");
  }
  return { ...parsed, args };
}

function wantedOf({ home, onWrite }: ScopedDbCall, write: ScopedWrite): readonly string[] {
  if (write.isSoft) return referredColumns(home.catalog, write.firewall);
  return onWrite === null ? [] : [write.table.primaryKey];
}

async function perform(
  call: ScopedDbCall,
  transaction: Transaction,
  scoped: ScopedStatement,
): Promise<ResultSet> {
  const result = await guarded(scoped, () => transaction.run(scoped.statement));
  const { write, appended } = scoped;
  if (write === null || appended.length === 0) return result;
  const width = (result.rows[0]?.length ?? appended.length) - appended.length;
  const values = new Map(
    appended.map((name, at) => [name, result.rows.map((row) => row[width + at] ?? null)]),
  );
  if (write.isSoft) {
    const { home: { catalog }, stamps } = call;
    const stamped = { firewall: write.firewall, count: result.rows.length, values };
    await stampBelow({ catalog, transaction, stamps }, stamped);
  }
  const { kind, table } = write;
  const ids = values.get(table.primaryKey) ?? [];
  if (ids.length > 0) call.onWrite?.({ kind, table: table.name, ids });
  return {
    ...result,
    rows: width === 0 ? [] : result.rows.map((row) => row.slice(0, width)),
    changes: result.rows.length,
  };
}

/** The guard of a foreign key fails as text that is no JSON does. */
async function guarded(
  { guarded: columns }: ScopedStatement,
  run: () => Promise<ResultSet>,
): Promise<ResultSet> {
  try {
    return await run();
  } catch (error) {
    const isGuard = columns.length > 0 && error instanceof Error &&
      /malformed JSON/.test(error.message);
    if (!isGuard) throw error;
    const names = [...new Set(columns)].map((name) => `"${name}"`).join(", ");
    throw new ScopedDbError(names, "must be the id of an existing record in scope", {
      cause: error,
    });
  }
}

/** What a builder or a helper binds, as SQLite stores it. */
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
    `A value of type "${value === undefined ? "undefined" : typeof value}"`,
    "cannot be bound to a statement",
  );
}

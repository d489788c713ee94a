/**
 * Implements `db.records` of handlers, which writes records as routes do (definitions 6): behind the caller's firewall, but
 * without the route's access rule and guards. A call that throws has undone its own writes, and nothing else.
 */
import { getTableName, is, Table } from "drizzle-orm";
import { restored } from "../../column_types/mod.ts";
import { nearest } from "../../lib/nearest.ts";
import { type Home, homeOf, type ResourceModel, type TableModel } from "../../model/mod.ts";
import { bodyCheckerOf, type WriteVerb } from "../../surface/mod.ts";
import type { ColumnValues, RowKey, Stamps } from "../data/types.ts";
import { inSavepoint } from "../data/within.ts";
import type { FirewallCaller } from "../layers/3-firewall/firewall.ts";
import {
  firewallFor,
  firewallWithDeleted,
  hiddenCode,
  requireOwnScopes,
} from "../layers/3-firewall/firewall.ts";
import { requireWritable } from "../layers/5-guards/require_writable.ts";
import { requireBody } from "../layers/6-validation/require_body.ts";
import type { Logger, SqlValue, Transaction } from "../ports.ts";
import { constraintRefusal, type WriteFailure } from "../records/constraint_refusal.ts";
import { requireNewRow } from "../records/judge_row.ts";
import { idNamed } from "../records/record_id.ts";
import { type RecordScope, scopeWithin } from "../records/record_scope.ts";
import * as records from "../records/write_record.ts";
import { refuse } from "../refusal.ts";
import { bodyOfAuthor, isPlainObject } from "./author_values.ts";
import { recordErrorOf } from "./record_error.ts";

interface RecordsMeans {
  readonly caller: FirewallCaller;
  readonly stamps: Stamps;
  readonly logger: Logger;
  /** Home of the rows that the transaction's database contains; null: it contains all rows. */
  readonly place: Home | null;
  readonly tables: ReadonlyMap<string, TableModel>;
  readonly resources: ReadonlyMap<string, ResourceModel>;
  /** Returns the records of a table in a part of the transaction. */
  readonly scopeOf: (table: TableModel, part: Transaction) => RecordScope;
  /** Runs work in the handler's transaction, after the handler's earlier calls. */
  readonly inTurn: <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>;
}

type Row = Readonly<Record<string, unknown>>;

/** Table of drizzle's, or the name of a table. */
type Asked = unknown;

export interface HandlerRecords {
  create(table: Asked, data: unknown): Promise<Row>;
  update(table: Asked, id: unknown, data: unknown): Promise<Row>;
  delete(table: Asked, id: unknown): Promise<void>;
  restore(table: Asked, id: unknown): Promise<Row>;
}

export function handlerRecords(means: RecordsMeans): HandlerRecords {
  const perform = <T>(
    asked: Asked,
    failure: WriteFailure,
    work: (scope: RecordScope) => Promise<T>,
  ): Promise<T> => {
    const done = performed(means, asked, failure, work);
    // A rejected call that its author does not await must not end the process.
    done.catch((error) =>
      means.logger.log({ level: "warn", message: "A record was not written by db.records", error })
    );
    return done;
  };
  return Object.freeze<HandlerRecords>({
    create: (asked, data) =>
      perform(asked, "DB_INSERT_FAILED", (scope) => {
        // Columns that a hook sets may be left out.
        const isPartial = scope.hooks?.runs("create") ?? false;
        return create(scope, valuesOf("create", data, scope.table, isPartial), means);
      }),
    update: (asked, id, data) =>
      perform(asked, "DB_UPDATE_FAILED", (scope) => {
        const values = valuesOf("update", data, scope.table, true);
        return update(scope, { id: idOf(id, scope.table), values }, means);
      }),
    delete: (asked, id) =>
      perform(
        asked,
        "DB_UPDATE_FAILED",
        (scope) => remove(scope, idOf(id, scope.table), means),
      ),
    restore: (asked, id) =>
      perform(
        asked,
        "DB_UPDATE_FAILED",
        (scope) => restore(scope, idOf(id, scope.table), means),
      ),
  });
}

async function performed<T>(
  means: RecordsMeans,
  asked: Asked,
  failure: WriteFailure,
  work: (scope: RecordScope) => Promise<T>,
): Promise<T> {
  const table = tableNamed(asked, means);
  try {
    return await means.inTurn((transaction) =>
      inSavepoint(transaction, async (part) => await work(means.scopeOf(table, part)))
    );
  } catch (error) {
    const { caller: { principal } } = means;
    throw recordErrorOf(error, (refused) => {
      const resource = means.resources.get(table.name) ?? null;
      return constraintRefusal(refused, { principal, resource, table }, failure);
    });
  }
}

function tableNamed(asked: Asked, { tables, place }: RecordsMeans): TableModel {
  const all = [...tables.values()];
  const table = is(asked, Table)
    ? all.find(({ sqlName }) => sqlName === getTableName(asked))
    : all.find(({ name }) => name === asked);
  if (table === undefined) {
    const known = all.map(({ name }) => name);
    const name = is(asked, Table) ? getTableName(asked) : String(asked);
    const guess = nearest(name, known);
    throw new TypeError(
      `db.records knows no table "${name}"${guess === null ? "" : `: do you mean "${guess}"?`} ` +
        `It takes ${known.join(", ")}`,
    );
  }
  if (place !== null && homeOf(table) !== place) {
    throw new TypeError(
      `Records of "${table.name}" stand in another database: a transaction writes in one`,
    );
  }
  return table;
}

const UNGUARDED = { guards: null };

function valuesOf(
  verb: Exclude<WriteVerb, "upsert">,
  data: unknown,
  table: TableModel,
  isPartial: boolean,
): ColumnValues {
  if (!isPlainObject(data)) {
    refuse("VALIDATION_ERROR", { detail: "A record must be an object of columns" });
  }
  const body = bodyOfAuthor(data, table);
  requireWritable(verb, Object.keys(body), { resource: UNGUARDED, table });
  return requireBody(bodyCheckerOf(verb, UNGUARDED, table, { isPartial }), body);
}

function idOf(id: unknown, table: TableModel): SqlValue {
  return idNamed(id, table) ?? String(id);
}

async function create(
  scope: RecordScope,
  given: ColumnValues,
  { caller, stamps }: RecordsMeans,
): Promise<Row> {
  const { data, table, transaction } = scope;
  if (table.scope.organization !== null && caller.organizationId === null) refuse("ACCESS_NO_ORG");
  requireOwnScopes(table, caller.principal);
  const firewall = firewallFor(table, caller);
  const values = new Map(given);
  const clientId = values.get(table.primaryKey) ?? null;
  values.delete(table.primaryKey);
  const insertion = { firewall, values, stamps, rule: null };
  requireNewRow(data, null, { ...insertion, id: clientId });
  const id = await records.withNewId(
    scope,
    clientId,
    (id) =>
      inSavepoint(
        transaction,
        (part) => records.insertRecord(scopeWithin(scope, part), { ...insertion, id }),
      ),
  );
  return await shown(scope, { firewall, id });
}

async function update(
  scope: RecordScope,
  { id, values }: { readonly id: SqlValue; readonly values: ColumnValues },
  { caller, stamps }: RecordsMeans,
): Promise<Row> {
  const key = { firewall: firewallFor(scope.table, caller), id };
  const change = { ...key, values, stamps, rule: null, operation: "update" } as const;
  if (!await records.updateRecord(scope, change)) await refuseMiss(scope, key);
  return await shown(scope, key);
}

async function remove(
  scope: RecordScope,
  id: SqlValue,
  { caller, stamps }: RecordsMeans,
): Promise<void> {
  const key = { firewall: firewallFor(scope.table, caller), id };
  if (!await records.deleteRecord(scope, { ...key, stamps, rule: null })) {
    await refuseMiss(scope, key);
  }
}

async function restore(
  scope: RecordScope,
  id: SqlValue,
  { caller, stamps }: RecordsMeans,
): Promise<Row> {
  const { data, table, transaction, resource } = scope;
  if (!table.softDelete) {
    throw new TypeError(`Records of "${table.name}" are deleted for good: none can be restored`);
  }
  const key = { firewall: firewallWithDeleted(table, caller), id };
  const row = await data.selectStored(transaction, key);
  if (row === null) return refuse(hiddenCode(resource, "FIREWALL_NOT_FOUND"));
  if (row.get("deletedAt") === null) refuseState("The record is not deleted");
  const outcome = await records.restoreRecord(scope, { ...key, row, stamps, rule: null });
  if (outcome !== "restored") refuseState("A record that it belongs to is still deleted");
  return await shown(scope, key);
}

function refuseState(detail: string): never {
  return refuse("ACCESS_ACTION_NOT_ALLOWED_FOR_STATE", { detail });
}

/** Refuses a missing record and a foreign one with the same text. */
async function refuseMiss(
  { data, table, resource, transaction }: RecordScope,
  key: RowKey,
): Promise<never> {
  const isDeleted = table.softDelete && await data.probeDeleted(transaction, key);
  return refuse(hiddenCode(resource, isDeleted ? "FIREWALL_SOFT_DELETED" : "FIREWALL_NOT_FOUND"));
}

/** Returns the record unmasked, as handlers receive records. */
async function shown({ data, table, transaction }: RecordScope, key: RowKey): Promise<Row> {
  const row = await data.selectHeld(transaction, key);
  if (row === null) throw new Error(`The row of "${table.name}" that was written is gone`);
  return Object.fromEntries(
    table.columns.map((column) => [column.name, restored(column, row.get(column.name) ?? null)]),
  );
}

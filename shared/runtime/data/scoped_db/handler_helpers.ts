/**
 * Helpers that a handler gets beside its databases (definitions 5): conditions on its record, and the stamps of a change.
 */
import { restored } from "../../../column_types/mod.ts";
import { and, eq, getTableColumns, getTableName, type SQL, type Table } from "drizzle-orm";
import type { TableModel } from "../../../model/table.ts";
import type { Stamps, StoredRow } from "../types.ts";
import { columnOf } from "../catalog.ts";
import { refuseConstruct } from "./scoped_db_error.ts";

interface HandlerRecord {
  readonly table: TableModel;
  /** The record as the action found it, before the handler. */
  readonly row: StoredRow;
  /** The state field of the action's `transition`; null: it has none. */
  readonly transitionField: string | null;
}

interface HandlerHelpers {
  readonly auditFields: { readonly modifiedAt: string; readonly modifiedBy: string | null };
  readonly whereRecord: (table: Table) => SQL;
  readonly whereTransition: (table: Table) => SQL;
}

/** `record` is null in a standalone action. */
export function handlerHelpers(stamps: Stamps, record: HandlerRecord | null): HandlerHelpers {
  return {
    auditFields: { modifiedAt: stamps.now, modifiedBy: stamps.userId },
    whereRecord: (table) => whereRecord(requireRecord(record, "whereRecord"), table),
    whereTransition: (table) => whereTransition(requireRecord(record, "whereTransition"), table),
  };
}

function requireRecord(record: HandlerRecord | null, name: string): HandlerRecord {
  return record ?? refuseConstruct(`${name}()`, "needs a record, and a standalone action has none");
}

function whereRecord(record: HandlerRecord, table: Table): SQL {
  return equalsFound(record, table, record.table.primaryKey);
}

/** The record, as long as nobody has moved it since the action read it. */
function whereTransition(record: HandlerRecord, table: Table): SQL {
  const { transitionField } = record;
  if (transitionField === null) {
    return refuseConstruct("whereTransition()", "needs an action that declares a transition");
  }
  const condition = and(whereRecord(record, table), equalsFound(record, table, transitionField));
  if (!condition) throw new Error("A record has no condition");
  return condition;
}

function equalsFound({ table: model, row }: HandlerRecord, table: Table, name: string): SQL {
  if (getTableName(table) !== model.sqlName) {
    refuseConstruct(
      `Table "${getTableName(table)}"`,
      `is not the table of the action's record, "${model.name}"`,
    );
  }
  const column = getTableColumns(table)[name];
  if (!column) throw new Error(`Table "${model.name}" has no column "${name}" in drizzle's schema`);
  const known = columnOf(model, name);
  return eq(column, restored(known, row.get(known.name) ?? null));
}

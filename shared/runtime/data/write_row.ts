/** Changes one row behind its firewall, with its stamps (contract 2.2, 4.1). */
import {
  camelCase,
  columnNamed,
  storedColumns,
  totalsOf,
  withComputed,
} from "../../surface/mod.ts";
import type { RowRule } from "../../surface/mod.ts";
import { storageOf } from "../../column_types/mod.ts";
import { sqlIdentifier } from "../../lib/sql_text.ts";
import { AUDIT_EVENTS, AUDIT_IMPERSONATOR, type ColumnModel } from "../../model/mod.ts";
import type { SqlValue, Transaction } from "../ports.ts";
import type { Catalog } from "./catalog.ts";
import { loggingChanges, loggingInserts, noteInserted } from "./changes/watched_rows.ts";
import { cellSql, equalsSql, heldSql, inSql, visibleSql } from "./conditions.ts";
import { BESIDE_KEYS, ROW } from "./projection.ts";
import { allOf, type Fragment, fragment } from "./sql.ts";
import { staleVector } from "./embeddings.ts";
import { isDrawn } from "./made_values.ts";
import { assigned, type Assignment, modificationOf, newRowValue } from "./stamps.ts";
import type {
  AuditEvent,
  ColumnValues,
  Firewall,
  HeldUpdate,
  Insertion,
  Insertions,
  RowKeys,
  StoredRow,
  Update,
} from "./types.ts";

/** False when the row is gone, hidden, or no longer meets the rule. */
export function updateRow(transaction: Transaction, update: Update): Promise<boolean> {
  return updateWhere(transaction, { ...update, where: theseRows({ ...update, ids: [update.id] }) });
}

/** Updates a row that this transaction has judged, wherever it belongs now. Throws if it is gone. */
export async function updateHeld(transaction: Transaction, update: HeldUpdate): Promise<void> {
  const { firewall, id, row } = update;
  const { table } = firewall;
  const key = equalsSql(cellSql(columnNamed(table.primaryKey, table), ROW), id);
  const where = allOf([key, heldSql(firewall, row, BESIDE_KEYS)]);
  if (await updateWhere(transaction, { ...update, where })) return;
  throw new Error(`The row of "${table.name}" that this transaction holds is not as it was read`);
}

async function updateWhere(
  transaction: Transaction,
  { firewall, id, values, stamps, where }: Omit<Update, "rule"> & { readonly where: Fragment },
): Promise<boolean> {
  const assignments = [
    ...[...values].flatMap(([name, value]) => assigned(columnNamed(name, firewall.table), value)),
    ...staleVector(firewall.table, values),
    ...modificationOf(firewall, stamps),
  ];
  const { changes } = await loggingChanges(
    transaction,
    { kind: "update", table: firewall.table, where, ids: [id] },
    () => transaction.run(updateStatement(firewall, assignments, where)),
  );
  return changes > 0;
}

/** The same for a whole record: columns that it leaves out return to their default or null (definitions 7, "PUT"), unless that was made for the row. */
export function replaceRow(transaction: Transaction, update: Update): Promise<boolean> {
  return updateRow(transaction, { ...update, values: replacedValues(update) });
}

export function replacedValues(
  update: Pick<Update, "firewall" | "values" | "stamps">,
): ColumnValues {
  const columns = update.firewall.table.columns.filter(({ name, manager, default: value }) =>
    manager === "client" && (value?.kind !== "made" || update.values.has(name))
  );
  return new Map(columns.map((column) => [column.name, newRowValue(column, update)]));
}

/** The row that an update would leave, as it would be stored. */
export function updatedRow(
  row: StoredRow,
  { firewall: { table }, values, stamps }: Pick<Update, "firewall" | "values" | "stamps">,
): StoredRow {
  const { revision } = table;
  const counted = revision === null ? null : Number(row.get(revision) ?? 0) + 1;
  const stamped: readonly (readonly [string, SqlValue])[] = [
    ["modifiedAt", stamps.now],
    ["modifiedBy", stamps.userId],
    ...(revision === null ? [] : [[revision, counted] as const]),
  ];
  const known = stamped.filter(([name]) => row.has(name));
  const stored = storedColumns(table).flatMap(({ name }) => row.has(name) ? [name] : []);
  const totals = totalsOf(table).filter((name) => columnNamed(name, table).rollup !== undefined);
  // Totals stay; everything else is computed anew.
  const kept = [...stored, ...totals].map((
    name,
  ): [string, SqlValue] => [name, row.get(name) ?? null]);
  return withComputed(new Map([...kept, ...values, ...known]), table);
}

/** `UPDATE … SET … WHERE …`, without `RETURNING`. */
export function updateStatement(
  firewall: Firewall,
  assignments: readonly Assignment[],
  where: Fragment,
): Fragment {
  const set = assignments.map((assignment) => assignment.sql).join(", ");
  return fragment(
    `UPDATE ${sqlIdentifier(firewall.table.sqlName)} AS ${ROW} SET ${set} WHERE ${where.sql}`,
    ...assignments.flatMap((assignment) => assignment.args),
    ...where.args,
  );
}

/** The rows among these that are behind the firewall and meet the rule. */
export function theseRows(
  { firewall, ids, rule }: RowKeys & { readonly rule: RowRule | null },
): Fragment {
  const key = cellSql(columnNamed(firewall.table.primaryKey, firewall.table), ROW);
  const [only = null] = ids;
  const named = ids.length === 1 ? equalsSql(key, only) : inSql(key, ids);
  return allOf([named, visibleSql(rule, { firewall, alias: BESIDE_KEYS, reading: "row" })]);
}

/** SQLite binds 32,766 values to a statement. */
const VALUES_MAX = 32_000;

/**
 * Inserts rows with their stamps, scope and defaults (contract 2.2, 4.1). Returns the new row's id, which the database
 * makes when `id` is null.
 */
export async function insertRow(
  catalog: Catalog,
  transaction: Transaction,
  { id, values, ...common }: Insertion,
): Promise<SqlValue> {
  const [created] = await insertRows(catalog, transaction, { ...common, rows: [{ id, values }] });
  if (created === undefined) throw new Error("The database did not say which row it inserted");
  return created;
}

/**
 * One statement for all rows, or as few as the values that one can bind allow. Returns their ids in order; either every
 * row brings its id or none does.
 */
export async function insertRows(
  catalog: Catalog,
  transaction: Transaction,
  { firewall, rows, stamps }: Insertions,
): Promise<readonly SqlValue[]> {
  const { table } = firewall;
  const isNumbered = rows.every(({ id }) => id === null);
  const columns = storedColumns(table)
    .filter(({ name }) => name !== table.primaryKey || !isNumbered);
  const chunk = Math.max(1, Math.floor(VALUES_MAX / columns.length));
  const made: SqlValue[] = [];
  for (let start = 0; start < rows.length; start += chunk) {
    const some = rows.slice(start, start + chunk);
    // Columns that no record names have one value in all rows, which is bound once.
    const isCommon = ({ name }: ColumnModel) =>
      some.length > 1 && name !== table.primaryKey && !some.some(({ values }) => values.has(name));
    const common = columns.filter(isCommon);
    const own = columns.filter((column) => !isCommon(column));
    const args = [
      ...common.map((column) => newRowValue(column, { values: NO_VALUES, stamps, firewall })),
      ...some.flatMap(({ id, values }) =>
        own.map((column) =>
          column.name === table.primaryKey ? id : newRowValue(column, { values, stamps, firewall })
        )
      ),
    ];
    const named = own.map(({ name }) => name);
    const sql = catalog.text(`insert ${table.name} ${isNumbered} ${some.length} ${named}`, () => {
      const names = [...common, ...own].map((column) => sqlIdentifier(column.sqlName)).join(", ");
      const key = sqlIdentifier(columnNamed(table.primaryKey, table).sqlName);
      return `INSERT INTO ${sqlIdentifier(table.sqlName)} (${names}) VALUES ` +
        `${rowPlaces(some.length, common, own)}` +
        `${isNumbered ? ` RETURNING ${key}` : ""}`;
    });
    const insert = () => transaction.run({ sql, args });
    if (isNumbered) {
      const { rows: returned } = await insert();
      // SQLite promises no order of what it returns; it does number rows in the order in which they came.
      const ids = returned.map(([id = null]) => id).sort((a, b) => Number(a) - Number(b));
      await noteInserted(transaction, table, ids);
      made.push(...ids);
    } else {
      const ids = some.map(({ id }) => id);
      await loggingInserts(transaction, { table, ids }, insert);
      made.push(...ids);
    }
  }
  return made;
}

const NO_VALUES: ColumnValues = new Map();

type Columns = readonly ColumnModel[];

/** The values of `VALUES`, in numbers: those of every row first, then each row's own. */
function rowPlaces(rows: number, common: Columns, own: Columns): string {
  const places = (columns: Columns, from: number) =>
    columns.map(({ type }, at) => storageOf(type).write(`?${from + at + 1}`));
  const ofAll = places(common, 0);
  return Array.from(
    { length: rows },
    (_, row) => `(${[...ofAll, ...places(own, common.length + row * own.length)].join(", ")})`,
  ).join(", ");
}

/** The row that an insertion would make, as it would be stored; its id is null when it has none yet. */
export function newRow({ firewall, id, values, stamps }: Insertion): StoredRow {
  const { table } = firewall;
  const { primaryKey } = table;
  const row = storedColumns(table).map((column): [string, SqlValue] => {
    if (column.name === primaryKey) return [column.name, id];
    // Nobody knows yet what will be drawn.
    const isUnknown = isDrawn(column) && !values.has(column.name);
    return [column.name, isUnknown ? null : newRowValue(column, { values, stamps, firewall })];
  });
  return withComputed(new Map(row), table);
}

/**
 * Writes one row of `audit_events` (definitions 7). Part of the transaction of what it reports, so that neither stands
 * without the other.
 */
export async function insertAudit(transaction: Transaction, event: AuditEvent): Promise<void> {
  const fields: ReadonlyMap<string, SqlValue> = new Map(Object.entries(event));
  // Only a project with impersonation has that column.
  const columns = event.impersonatorUserId === undefined
    ? AUDIT_EVENTS.columns
    : [...AUDIT_EVENTS.columns, AUDIT_IMPERSONATOR];
  const names = columns.map((column) => sqlIdentifier(column.name)).join(", ");
  const places = columns.map(() => "?").join(", ");
  await transaction.run({
    sql: `INSERT INTO ${sqlIdentifier(AUDIT_EVENTS.name)} (${names}) VALUES (${places})`,
    args: columns.map((column) => fields.get(camelCase(column.name)) ?? null),
  });
}

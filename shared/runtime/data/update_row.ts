/** Changes one row behind its firewall, with its stamps (contract 2.2, 4.1). */
import { sqlIdentifier } from "../../lib/sql_identifier.ts";
import type { Transaction } from "../ports.ts";
import { columnOf } from "./catalog.ts";
import { loggingChanges } from "./changes/watched_rows.ts";
import { cellSql, equalsSql, inSql, visibleSql } from "./condition_sql.ts";
import { ROW } from "./projection.ts";
import { allOf, type Fragment, fragment } from "./sql.ts";
import { assigned, type Assignment, modificationOf, newRowValue } from "./stamps.ts";
import type { Firewall, RowKey, RowKeys, Update } from "./types.ts";
import type { RowRule } from "../../surface/admission.ts";

/** False when the row is gone, hidden, or no longer meets the rule. */
export function updateRow(transaction: Transaction, update: Update): Promise<boolean> {
  return updateWhere(transaction, { ...update, where: thisRow(update) });
}

/** A row that this transaction has judged, wherever it belongs by now. */
export async function updateHeld(
  transaction: Transaction,
  update: Omit<Update, "rule">,
): Promise<void> {
  const { firewall: { table }, id } = update;
  const where = equalsSql(cellSql(columnOf(table, table.primaryKey), ROW), id);
  await updateWhere(transaction, { ...update, where });
}

async function updateWhere(
  transaction: Transaction,
  { firewall, values, stamps, where }: Pick<Update, "firewall" | "values" | "stamps"> & {
    readonly where: Fragment;
  },
): Promise<boolean> {
  const assignments = [
    ...[...values].flatMap(([name, value]) => assigned(columnOf(firewall.table, name), value)),
    ...modificationOf(firewall, stamps),
  ];
  const { changes } = await loggingChanges(
    transaction,
    { kind: "update", table: firewall.table, where },
    () => transaction.run(updateStatement(firewall, assignments, where)),
  );
  return changes > 0;
}

/** The same for a whole record: columns that it leaves out return to their default or null (definitions 7, "PUT"). */
export function replaceRow(transaction: Transaction, update: Update): Promise<boolean> {
  const columns = update.firewall.table.columns.filter(({ manager }) => manager === "client");
  const values = new Map(columns.map((column) => [column.name, newRowValue(column, update)]));
  return updateRow(transaction, { ...update, values });
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

/** The one row, if it is behind the firewall and meets the rule. */
function thisRow({ id, ...scope }: RowKey & { readonly rule: RowRule | null }): Fragment {
  return theseRows({ ...scope, ids: [id] });
}

/** The rows among these that are behind the firewall and meet the rule. */
export function theseRows(
  { firewall, ids, rule }: RowKeys & { readonly rule: RowRule | null },
): Fragment {
  const key = cellSql(columnOf(firewall.table, firewall.table.primaryKey), ROW);
  const [only = null] = ids;
  const named = ids.length === 1 ? equalsSql(key, only) : inSql(key, ids);
  return allOf([named, visibleSql(rule, { firewall, alias: ROW })]);
}

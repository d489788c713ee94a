/** Push subscriptions as rows: whose they are, and which of them stay (contract 8, definitions 7). */
import { PUSH_SUBSCRIPTIONS_KEPT } from "../../../contract/push.ts";
import { sqlIdentifier } from "../../../lib/sql_identifier.ts";
import { PUSH_SUBSCRIPTIONS } from "../../../model/push.ts";
import type { ProjectModel } from "../../../model/project.ts";
import type { TableModel } from "../../../model/table.ts";
import type { Reader, SqlValue, Transaction } from "../../ports.ts";
import { columnOf } from "../catalog.ts";
import { fragment, jsonList } from "../sql.ts";

/** SQL names, which follow the project's convention. */
export interface SubscriptionNames {
  readonly table: string;
  readonly id: string;
  readonly owner: string;
  readonly createdAt: string;
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

/** Null: the project has no push subscriptions. */
export function subscriptionNames({ realtime, tables }: ProjectModel): SubscriptionNames | null {
  if (!realtime.push) return null;
  const table = tables.find(({ name }) => name === PUSH_SUBSCRIPTIONS);
  if (!table) throw new Error("The model has push messages and no table of subscriptions");
  return namesIn(table);
}

export function namesIn(table: TableModel): SubscriptionNames {
  const name = (column: string) => sqlIdentifier(columnOf(table, column).sqlName);
  return {
    table: sqlIdentifier(table.sqlName),
    id: name(table.primaryKey),
    owner: name("ownerId"),
    createdAt: name("createdAt"),
    endpoint: name("endpoint"),
    p256dh: name("p256dh"),
    auth: name("auth"),
  };
}

interface RegisteredSubscription {
  readonly id: SqlValue;
  readonly ownerId: string;
  readonly endpoint: SqlValue;
}

/** Keeps the last registration of one endpoint, and the newest ones of a user. */
export async function keepNewest(
  transaction: Transaction,
  { table, id, owner, endpoint, createdAt }: SubscriptionNames,
  registered: RegisteredSubscription,
): Promise<void> {
  const { ownerId } = registered;
  await transaction.runAll([
    fragment(
      `DELETE FROM ${table} WHERE ${owner} = ? AND ${endpoint} = ? AND ${id} <> ?`,
      ownerId,
      registered.endpoint,
      registered.id,
    ),
    fragment(
      `DELETE FROM ${table} WHERE ${owner} = ? AND ${id} NOT IN (SELECT ${id} FROM ${table}
        WHERE ${owner} = ? ORDER BY ${createdAt} DESC, rowid DESC LIMIT ?)`,
      ownerId,
      ownerId,
      PUSH_SUBSCRIPTIONS_KEPT,
    ),
  ]);
}

/** Ids, as text, of all that these users have. */
export async function selectSubscriptionIds(
  reader: Reader,
  { table, id, owner }: SubscriptionNames,
  userIds: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await reader.run(fragment(
    `SELECT ${id} FROM ${table} WHERE ${owner} IN (SELECT value FROM json_each(?)) ORDER BY ${id}`,
    jsonList(userIds),
  ));
  return rows.map(([one]) => String(one));
}

/** A push service no longer knows it, or never could. */
export async function deleteSubscription(
  transaction: Transaction,
  { table, id }: SubscriptionNames,
  subscriptionId: string,
): Promise<void> {
  await transaction.run(
    fragment(`DELETE FROM ${table} WHERE CAST(${id} AS TEXT) = ?`, subscriptionId),
  );
}

/** Inserts under the client's id or one of our own making (contract 4.1 rule 5). */
import type { Call } from "./call.ts";
import type { Insertion } from "../data/types.ts";
import { ConstraintError, type SqlValue, type Transaction } from "../ports.ts";

/** Short ids do meet in large tables: a few more draws make it rare beyond notice. */
const DRAWS_MAX = 5;

/** An `id` of null: one is drawn, and drawn again when it is taken; SQLite undoes the refused statement alone. */
export async function insertRecord(
  { request: { app }, plan: { table } }: Call,
  transaction: Transaction,
  insertion: Insertion,
): Promise<SqlValue> {
  if (insertion.id !== null) return await app.data.insertRow(transaction, insertion);
  for (let draw = 1;; draw += 1) {
    try {
      return await app.data.insertRow(transaction, { ...insertion, id: app.newId(table) });
    } catch (error) {
      const isTaken = error instanceof ConstraintError && error.kind === "primaryKey";
      if (!isTaken || draw === DRAWS_MAX) throw error;
    }
  }
}

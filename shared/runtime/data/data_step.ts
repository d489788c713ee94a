/** Runs a data step in TypeScript: drizzle over all rows, within a migration's transaction (definitions 1, `migrations/`). */
import { drizzle } from "drizzle-orm/sqlite-proxy";
import type { DataStepCode, SqlValue, Transaction } from "../ports.ts";

/** Runs the step. Resolves when all its statements are done. Later statements are refused. */
export async function runDataStep(run: DataStepCode, transaction: Transaction): Promise<void> {
  let isOver = false;
  const db = drizzle(async (sql, params: unknown[], method) => {
    if (isOver) throw new Error("The data step is over: await what it does with its database");
    const { rows } = await transaction.run({ sql, args: params.map(bound) });
    const copies = rows.map((row) => [...row]);
    // drizzle expects the single row itself.
    return { rows: method === "get" ? copies[0] ?? [] : copies };
  });
  try {
    await run({ db });
  } finally {
    isOver = true;
  }
}

/** Converts a value for binding. drizzle's columns convert their own; a plain `sql` may contain a boolean. */
function bound(value: unknown): SqlValue {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (
    value === null || typeof value === "string" || typeof value === "number" ||
    typeof value === "bigint" || value instanceof Uint8Array
  ) return value;
  throw new TypeError(
    `A data step bound a value of the type ${typeof value}, which SQL does not have`,
  );
}

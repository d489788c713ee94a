/** Checks and changes the rows that refer to those which a handler's `DELETE` removes (contract 3.1). */
import { columnNamed } from "../../../surface/mod.ts";
import type { Transaction } from "../../ports.ts";
import type { Catalog } from "../catalog.ts";
import { unwatched } from "../changes/change_log.ts";
import { loggingRemoval } from "../changes/watched_rows.ts";
import { cellSql, inSql, liveSql } from "../conditions.ts";
import { removalsBelow } from "../delete_rows.ts";
import { refusesChildren, requireChildless } from "../living_children.ts";
import { ROW } from "../projection.ts";
import { allOf } from "../sql.ts";
import { inSavepoint } from "../within.ts";
import type { ScopedStatement } from "./scope_statement.ts";

/**
 * Runs a statement. Refuses a deletion with `LivingChildrenError` before it changes anything. As with the API's own deletions,
 * soft-deleted rows that refer to a removed row are removed first; they are restored if the removal is refused.
 */
export async function withBelow<T>(
  { catalog, isLogged }: { readonly catalog: Catalog; readonly isLogged: boolean },
  transaction: Transaction,
  { removed, write }: ScopedStatement,
  run: () => Promise<T>,
): Promise<T> {
  const isAlone = write === null || (catalog.childrenOf.get(write.table.name) ?? []).length === 0;
  if (removed === null || isAlone) return await run();
  const { table, firewall, isSoft } = write;
  if (isSoft && !refusesChildren(catalog, table)) return await run();
  return await inSavepoint(transaction, async () => {
    const ids = (await transaction.run(removed)).rows.map(([id = null]) => id);
    const where = inSql(cellSql(columnNamed(table.primaryKey, table), ROW), ids);
    const rows = allOf([where, liveSql(firewall, ROW)]);
    await requireChildless(catalog, unwatched(transaction), { firewall, rows });
    if (isSoft) return await run();
    const remove = async () => {
      for (const below of removalsBelow(catalog, table, where)) await transaction.run(below);
      return await run();
    };
    return isLogged
      ? await loggingRemoval(catalog, transaction, { table, where, remove })
      : await remove();
  });
}

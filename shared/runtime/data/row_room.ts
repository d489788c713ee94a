/**
 * The room for further rows of a tenant (definitions 8, `ROWS_MAX_PER_TENANT`). The database counts at intervals, and memory
 * adds up in between, so the limit is not exact.
 */
import { columnNamed } from "../../surface/mod.ts";
import { sqlIdentifier } from "../../lib/sql_text.ts";
import type { TableModel } from "../../model/mod.ts";
import type { RowQuota, Transaction } from "../ports.ts";
import { refuse } from "../refusal.ts";
import type { Catalog } from "./catalog.ts";
import type { Firewall } from "./types.ts";

/** Scope column with a row's tenant. */
type Kind = "organization" | "owner";

export interface RowRoom {
  /**
   * Refuses with `QUOTA_EXCEEDED` if the tenant cannot have this many more rows; otherwise counts them. Call it in the
   * transaction of the insert, before the insert.
   */
  require(transaction: Transaction, firewall: Firewall, rows: number): Promise<void>;
  /** Counts new rows, or deleted ones by a negative number. */
  add(firewall: Firewall, rows: number): void;
}

/** Null: a tenant may have any number of rows. */
export function rowRoomOf(catalog: Catalog, quota: RowQuota | null): RowRoom | null {
  if (quota === null) return null;
  return {
    async require(transaction, firewall, rows) {
      const kind = tenantKind(firewall.table);
      const id = kind && tenantId(kind, firewall);
      if (kind === null || id === null || rows === 0) return;
      const count = () => rowsOf(catalog, transaction, kind, id);
      if (await quota.take(`${kind} ${id}`, rows, count)) return;
      refuse("QUOTA_EXCEEDED", { details: { scope: "tenant", limit: quota.max } });
    },
    add(firewall, rows) {
      const kind = tenantKind(firewall.table);
      const id = kind && tenantId(kind, firewall);
      if (id !== null) quota.add(`${kind} ${id}`, rows);
    },
  };
}

/** Null: the table's rows are counted to nobody. */
function tenantKind({ scope }: TableModel): Kind | null {
  return scope.organization !== null ? "organization" : scope.owner !== null ? "owner" : null;
}

/** Null: whoever writes reaches past one tenant, or is nobody. */
function tenantId(kind: Kind, { organizationId, principal }: Firewall): string | null {
  return kind === "organization" ? organizationId : principal.userId;
}

/** Returns the number of rows in all of the tenant's tables, soft-deleted ones included. */
async function rowsOf(
  catalog: Catalog,
  transaction: Transaction,
  kind: Kind,
  id: string,
): Promise<number> {
  const sql = catalog.text(`rows of ${kind}`, () => {
    const tables = [...catalog.tables.values()].filter((table) => tenantKind(table) === kind);
    const counts = tables.map((table) => {
      const scope = sqlIdentifier(columnNamed(table.scope[kind] ?? "", table).sqlName);
      return `(SELECT count(*) FROM ${sqlIdentifier(table.sqlName)} WHERE ${scope} = ?1)`;
    });
    return `SELECT ${counts.join(" + ")}`;
  });
  const { rows: [row] } = await transaction.run({ sql, args: [id], isSingle: true });
  return Number(row?.[0] ?? 0);
}

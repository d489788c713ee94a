/** Records of one table in one transaction, as routes and authored code write them (contract 4.1, definitions 6). */
import type { ResourceModel, TableModel } from "../../model/mod.ts";
import type { NewId } from "../context.ts";
import type { DataLayer } from "../data/types.ts";
import type { FirewallCaller } from "../layers/3-firewall/firewall.ts";
import type { Reader, Transaction } from "../ports.ts";
import type { TableHooks } from "./table_hooks.ts";

export interface RecordScope {
  readonly data: DataLayer;
  readonly tables: ReadonlyMap<string, TableModel>;
  readonly table: TableModel;
  /** Null: the table has no routes. */
  readonly resource: ResourceModel | null;
  readonly caller: FirewallCaller;
  readonly newId: NewId;
  readonly transaction: Transaction;
  /** Database with the accounts; undefined: the transaction has them. */
  readonly directory: Reader | undefined;
  /** Time of the request as ISO 8601. */
  readonly now: string;
  /** Author's hooks around each write; null: there are none. */
  readonly hooks: TableHooks | null;
}

/** Returns the scope for a part of its transaction. */
export function scopeWithin(scope: RecordScope, transaction: Transaction): RecordScope {
  return { ...scope, transaction };
}

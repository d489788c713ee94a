/**
 * Interface of the author's hooks around the writes of one table's records, for the code that writes them (definitions 6,
 * hooks).
 */
import type { RecordHookOperation } from "../../model/mod.ts";
import type { ColumnValues, Insertion, RowKey, StoredRow } from "../data/types.ts";
import type { Transaction } from "../ports.ts";

/** Change of an existing record. */
export interface AskedChange {
  readonly key: RowKey;
  readonly operation: RecordHookOperation;
  /** Row before the change. */
  readonly row: StoredRow;
  /** Stored values by column. */
  readonly values: ColumnValues;
}

/** Deletion of a record. */
export interface AskedDeletion {
  readonly key: RowKey;
  readonly row: StoredRow;
}

/**
 * Hooks of one table. Each runs in the transaction of the write. A hook before a write returns the values to write, including
 * those that the code has set. Throws the refusal of the author's code, and `Refusal` for any other failure.
 */
export interface TableHooks {
  readonly runs: (kind: "create" | "update" | "delete") => boolean;
  beforeCreate(transaction: Transaction, insertion: Insertion): Promise<ColumnValues>;
  afterCreate(transaction: Transaction, key: RowKey): Promise<void>;
  beforeUpdate(
    transaction: Transaction,
    change: AskedChange & {
      /** Record after the change. */
      readonly next: StoredRow;
      /** Columns that the operation itself sets, and that code may not set. */
      readonly fixed: readonly string[];
    },
  ): Promise<ColumnValues>;
  afterUpdate(transaction: Transaction, change: AskedChange): Promise<void>;
  beforeDelete(transaction: Transaction, deletion: AskedDeletion): Promise<void>;
  /** Runs after a deletion. `cascaded`: number of rows of other tables that were deleted along with it, by table. */
  afterDelete(
    transaction: Transaction,
    deletion: AskedDeletion & { readonly cascaded: ReadonlyMap<string, number> },
  ): Promise<void>;
}

/** Code of the author around the writes of one table's records, as those who write them call it (definitions 6, hooks). */
import type { RecordHookOperation } from "../../model/mod.ts";
import type { ColumnValues, Insertion, RowKey, StoredRow } from "../data/types.ts";
import type { Transaction } from "../ports.ts";

/** A change of a record that stands. */
export interface AskedChange {
  readonly key: RowKey;
  readonly operation: RecordHookOperation;
  /** As it is, before the change. */
  readonly row: StoredRow;
  /** Stored values by column. */
  readonly values: ColumnValues;
}

/** A record that goes. */
export interface AskedDeletion {
  readonly key: RowKey;
  readonly row: StoredRow;
}

/**
 * Each runs in the transaction of the write. What comes before a write gives the values to write, those of the code among
 * them. Throws what the author's code refuses with, and `Refusal` for everything else that it throws.
 */
export interface TableHooks {
  readonly runs: (kind: "create" | "update" | "delete") => boolean;
  beforeCreate(transaction: Transaction, insertion: Insertion): Promise<ColumnValues>;
  afterCreate(transaction: Transaction, key: RowKey): Promise<void>;
  beforeUpdate(
    transaction: Transaction,
    change: AskedChange & {
      /** As the record would be. */
      readonly next: StoredRow;
      /** Columns that the operation itself sets, and no code. */
      readonly fixed: readonly string[];
    },
  ): Promise<ColumnValues>;
  afterUpdate(transaction: Transaction, change: AskedChange): Promise<void>;
  beforeDelete(transaction: Transaction, deletion: AskedDeletion): Promise<void>;
  /** `cascaded`: rows of other tables that went along, by table. */
  afterDelete(
    transaction: Transaction,
    deletion: AskedDeletion & { readonly cascaded: ReadonlyMap<string, number> },
  ): Promise<void>;
}

/** Writes the records of a batch one by one, in one transaction; each write stands or falls alone (contract 4.1 rule 6). */
import type { Call } from "../call.ts";
import { ConstraintError } from "../../ports.ts";
import { constraintRefusal, type WriteFailure } from "../write_failure.ts";
import type { Batch, Item } from "./batch.ts";

/** A write of one statement: when a constraint refuses it, SQLite undoes it and keeps the transaction. */
export async function writeItems<Value>(
  { call, batch, failure }: {
    readonly call: Call;
    readonly batch: Batch;
    readonly failure: WriteFailure;
  },
  items: readonly Item<Value>[],
  write: (value: Value) => Promise<void>,
): Promise<readonly Item<Value>[]> {
  const written: Item<Value>[] = [];
  for (const item of items) {
    try {
      await write(item.value);
      written.push(item);
    } catch (error) {
      const refusal = error instanceof ConstraintError
        ? constraintRefusal(error, call, failure)
        : error;
      batch.fail(item.index, refusal);
      batch.stopIfFailed();
    }
  }
  return written;
}

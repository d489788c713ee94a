/** The written records of a batch as their reader sees them: one query, masked (contract 4.1 rule 6). */
import { type Call, enter } from "../call.ts";
import type { Firewall } from "../../data/types.ts";
import type { SqlValue, Transaction } from "../../ports.ts";
import type { Item } from "./batch.ts";

export async function readWritten(
  call: Call,
  transaction: Transaction,
  { items, firewall, columns }: {
    readonly items: readonly Item<SqlValue>[];
    readonly firewall: Firewall;
    readonly columns: readonly string[];
  },
): Promise<readonly Item<string>[]> {
  enter(call, "masking");
  const records = await call.request.app.data.selectWrittenRows(transaction, {
    firewall,
    ids: items.map(({ value }) => value),
    projection: { resource: call.plan.resource, columns },
  });
  return items.map(({ index, value }) => {
    const json = records.get(value);
    if (json === undefined) throw new Error("A written row cannot be read");
    return { index, value: json };
  });
}

/** Foreign keys of a whole batch: one query per table that its records refer to (definitions 7). */
import type { StoredValue } from "../../../surface/query.ts";
import { referenceRefusals, type ReferenceScope } from "../references.ts";
import type { Batch, Item } from "./batch.ts";

/** The items whose foreign keys all name records that the caller may read. */
export async function siftReferences<Value>(
  { batch, ...scope }: ReferenceScope & { readonly batch: Batch },
  items: readonly Item<Value>[],
  valuesOf: (value: Value) => ReadonlyMap<string, StoredValue>,
): Promise<readonly Item<Value>[]> {
  const bodies = items.map(({ value }) => valuesOf(value));
  const refusals = await referenceRefusals(scope, bodies);
  const refusalOf = new Map(items.map(({ index }, at) => [index, refusals[at] ?? null]));
  return batch.sift(items, (value, { index }) => {
    const refusal = refusalOf.get(index) ?? null;
    if (refusal) throw refusal;
    return value;
  });
}

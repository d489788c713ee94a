/** Firewall, then access, on the records that a batch names: all of them come through one query (contract 4.1 rule 6). */
import type { RowRule } from "../../../surface/admission.ts";
import { type Call, enter } from "../call.ts";
import type { Firewall, StoredRow } from "../../data/types.ts";
import { refuseHidden } from "../../layers/3-firewall/scope.ts";
import type { SqlValue } from "../../ports.ts";
import { requireRow } from "../row_access.ts";
import type { Batch, Item } from "./batch.ts";

interface Judgement {
  readonly firewall: Firewall;
  readonly rule: RowRule | null;
  /** Treatment of a record without a row: refused, or made by the write. */
  readonly missing: "refused" | "made";
}

/** Those whose rows the caller may change; soft-deleted rows are nobody's to change. */
export async function judgeItems<Value>(
  call: Call,
  batch: Batch,
  { items, idOf, ...judgement }: Judgement & {
    readonly items: readonly Item<Value>[];
    readonly idOf: (value: Value) => SqlValue;
  },
): Promise<readonly Item<Value>[]> {
  const { resource } = call.plan;
  enter(call, "firewall");
  const { firewall, rule, missing } = judgement;
  const rows = await fetchRows(call, firewall, items.map(({ value }) => idOf(value)));
  const within = batch.sift(items, (value) => {
    const id = idOf(value);
    if (rows.deleted.has(id)) refuseHidden(resource, "FIREWALL_SOFT_DELETED");
    if (missing === "refused" && !rows.stored.has(id)) refuseHidden(resource, "FIREWALL_NOT_FOUND");
    return value;
  });
  enter(call, "access");
  return batch.sift(within, (value) => {
    const row = rows.stored.get(idOf(value));
    if (rule && row) requireRow(rule, { row, firewall });
    return value;
  });
}

interface Fetched {
  readonly stored: ReadonlyMap<SqlValue, StoredRow>;
  /** Soft-deleted rows that would be the caller's own otherwise. */
  readonly deleted: ReadonlySet<SqlValue>;
}

async function fetchRows(
  call: Call,
  firewall: Firewall,
  ids: readonly SqlValue[],
): Promise<Fetched> {
  const { app: { data }, database } = call.request;
  const stored = await data.selectStoredRows(database, { firewall, ids });
  const gone = ids.filter((id) => !stored.has(id));
  return { stored, deleted: await data.deletedIds(database, { firewall, ids: gone }) };
}

/** `POST /{resource}/batch`: new records by one bulk insert (contract 4.1 rule 6). */
import type { RowRule } from "../../../surface/admission.ts";
import { type Call, enter } from "../call.ts";
import type { Insertion, Insertions } from "../../data/types.ts";
import { firewallFor } from "../../layers/3-firewall/firewall.ts";
import { callerIn, requireOwnScopes } from "../../layers/3-firewall/scope.ts";
import { requireWritable } from "../../layers/5-guards/require_writable.ts";
import { requireBody } from "../../layers/6-validation/require_body.ts";
import type { SqlValue, Transaction } from "../../ports.ts";
import { insertRecord } from "../create.ts";
import { requireNewRow } from "../judge_record.ts";
import { constraintRefusal, writing } from "../write_failure.ts";
import { batchResponse, type Item, openBatch, requireObject } from "./batch.ts";
import { bisected, readWritten, siftReferences } from "./items.ts";

export async function batchCreate(call: Call): Promise<Response> {
  const { request, plan } = call;
  const { principal, now } = request;
  const { table, query } = plan;
  const { rule, scope, batch } = await openBatch(call);

  enter(call, "firewall");
  const caller = callerIn(plan, principal, scope);
  requireOwnScopes(table, principal);
  const common = {
    firewall: firewallFor(table, caller),
    stamps: { now, userId: principal.userId },
  };

  enter(call, "guards");
  const records = batch.sift(batch.items, (entry) => {
    const record = requireObject(entry);
    requireWritable("create", record, plan);
    return record;
  });

  enter(call, "validation");
  const bodies = batch.sift(records, (record) => requireBody(plan.checkBody, record));

  enter(call, "operation");
  const failure = "DB_INSERT_FAILED";
  const written = await writing(call, failure, async (transaction) => {
    const references = { call, caller, transaction, batch };
    const valid = await siftReferences(references, bodies, (values) => values);
    const rows = batch.sift(valid, (values) => newRowOf(call, { ...common, rule, values }));
    batch.stopIfFailed();
    const items: Item<SqlValue>[] = [];
    await bisected(rows, {
      async attempt(some) {
        items.push(...await insertSome(call, transaction, { ...common, items: some }));
      },
      refused({ index }, error) {
        batch.fail(index, constraintRefusal(error, call, failure));
        batch.stopIfFailed();
      },
    });
    const { firewall } = common;
    return await readWritten(call, transaction, { items, firewall, columns: query.columns });
  });
  return batchResponse(batch, { written, transactional: true, status: 201 });
}

type NewRow = Pick<Insertion, "id" | "values">;

/** A row that its access rule allows; its id is null when the client chose none. */
function newRowOf(
  call: Call,
  { rule, ...insertion }: Omit<Insertion, "id"> & { readonly rule: RowRule | null },
): NewRow {
  const { primaryKey } = call.plan.table;
  const values = new Map(insertion.values);
  const id = values.get(primaryKey) ?? null;
  values.delete(primaryKey);
  requireNewRow(call.request, rule, { ...insertion, values, id });
  return { id, values };
}

/** Several rows are one statement; a single one may draw its id again. */
async function insertSome(
  call: Call,
  transaction: Transaction,
  { items, ...common }: Pick<Insertions, "firewall" | "stamps"> & {
    readonly items: readonly Item<NewRow>[];
  },
): Promise<readonly Item<SqlValue>[]> {
  const { app } = call.request;
  const [first] = items;
  if (first && items.length === 1) {
    const id = await insertRecord(call, transaction, { ...common, ...first.value });
    return [{ index: first.index, value: id }];
  }
  const rows = items.map(({ value: { id, values } }) => ({
    id: id ?? app.newId(call.plan.table),
    values,
  }));
  const ids = await app.data.insertRows(transaction, { ...common, rows });
  return items.map(({ index }, at) => ({ index, value: ids[at] ?? null }));
}

/** Serves the four kinds of batches: creates, updates, upserts and deletes (contract 4.1 rule 6). */
import { deletedColumns, type RowRule } from "../../../surface/mod.ts";
import type { Firewall, Insertion, Insertions } from "../../data/types.ts";
import { insertingDrawn } from "../../data/made_values.ts";
import { inSavepoint } from "../../data/within.ts";
import {
  callerIn,
  firewallFor,
  refuseHidden,
  requireOwnScopes,
} from "../../layers/3-firewall/firewall.ts";
import { requireWritable } from "../../layers/5-guards/require_writable.ts";
import { requireBody, requireClientId } from "../../layers/6-validation/require_body.ts";
import type { SqlValue, Transaction } from "../../ports.ts";
import type { Refusal } from "../../refusal.ts";
import { type Call, enter } from "../call.ts";
import { requireNewRow } from "../../records/judge_row.ts";
import { writtenRefusals, writtenRules } from "../../records/judge_written.ts";
import { type RecordScope, scopeWithin } from "../../records/record_scope.ts";
import * as records from "../../records/write_record.ts";
import { recordScope } from "../call_scope.ts";
import { writeOptions } from "../write_record.ts";
import { failureOf, writing } from "../write_failure.ts";
import type { Batch, Item } from "./batch.ts";
import { batchResponse, namedIds, namedRecords, openBatch, requireObject } from "./batch.ts";
import { bisected, judgeItems, readWritten, siftReferences, writeItems } from "./items.ts";

/** Serves `POST /{resource}/batch`: new records by one bulk insert (contract 4.1 rule 6). */
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
    requireWritable("create", Object.keys(record), plan);
    return record;
  });

  enter(call, "validation");
  const bodies = batch.sift(records, (record) => requireBody(plan.checkBody, record));

  enter(call, "operation");
  const failure = "DB_INSERT_FAILED";
  const written = await writing(call, failure, async (transaction) => {
    const scope = recordScope(call, caller, transaction);
    const valid = await siftReferences(
      { ...scope, batch },
      bodies,
      (values) => ({ id: null, values }),
    );
    const rows = batch.sift(valid, (values) => newRowOf(call, { ...common, rule, values }));
    batch.stopIfFailed();
    await request.app.data.requireRoom(transaction, common.firewall, rows.length);
    const { firewall } = common;
    const hooked = scope.hooks?.runs("create")
      ? await insertHooked(scope, rows, { ...common, rule, call, batch })
      : null;
    const items: Item<SqlValue>[] = [...hooked ?? []];
    await bisected(hooked ? [] : rows, {
      async attempt(some) {
        items.push(
          ...await insertingDrawn(
            transaction,
            table,
            (part) => insertJudged(call, part, { ...common, items: some, rule, batch }),
          ),
        );
      },
      refused({ index }, error) {
        batch.fail(index, failureOf(error, call, failure));
        batch.stopIfFailed();
      },
    });
    return await readWritten(call, transaction, { items, firewall, columns: query.columns });
  }, writeOptions(call));
  return batchResponse(batch, { written, transactional: true, status: 201 });
}

/** Inserts the records one by one, each with its hooks. A refusal undoes everything that was done for its record. */
async function insertHooked(
  scope: RecordScope,
  items: readonly Item<NewRow>[],
  { call, batch, ...common }: Pick<Insertions, "firewall" | "stamps"> & {
    readonly rule: RowRule | null;
    readonly call: Call;
    readonly batch: Batch;
  },
): Promise<readonly Item<SqlValue>[]> {
  const made: Item<SqlValue>[] = [];
  const all = items.map((item) => ({ index: item.index, value: item }));
  const options = { isJudged: true, hasRoom: true };
  await writeItems({ call, batch, failure: "DB_INSERT_FAILED" }, all, async ({ index, value }) => {
    const insert = (id: SqlValue) =>
      inSavepoint(scope.transaction, (part) => {
        const record = { ...common, values: value.values, id };
        return records.insertRecord(scopeWithin(scope, part), record, options);
      });
    made.push({ index, value: await records.withNewId(scope, value.id, insert) });
  });
  return made;
}

/**
 * Inserts rows and judges them by the rule as written. If the rule refuses some, all are undone and the others are inserted
 * without them.
 */
async function insertJudged(
  call: Call,
  transaction: Transaction,
  { rule, batch, ...insertions }: Parameters<typeof insertSome>[2] & {
    readonly rule: RowRule | null;
    readonly batch: Batch;
  },
): Promise<readonly Item<SqlValue>[]> {
  const rules = writtenRules(insertions.firewall, rule, { isNew: true });
  if (rules === null) return await insertSome(call, transaction, insertions);
  const { request: { app: { data } }, plan: { resource } } = call;
  try {
    return await inSavepoint(transaction, async (part) => {
      const made = await insertSome(call, part, insertions);
      const ids = made.map(({ value }) => value);
      const refused = await writtenRefusals({ data, resource, transaction: part }, rules, ids);
      if (refused.size > 0) {
        throw new RefusedRows(made.map(({ value }) => refused.get(value) ?? null));
      }
      return made;
    });
  } catch (error) {
    if (!(error instanceof RefusedRows)) throw error;
    const items = insertions.items.filter(({ index }, at) => {
      const refusal = error.refusals[at] ?? null;
      if (refusal) batch.fail(index, refusal);
      return refusal === null;
    });
    batch.stopIfFailed();
    if (items.length === 0) return [];
    return await insertJudged(call, transaction, { ...insertions, items, rule, batch });
  }
}

/** The refusals in the order of the rows; null: the row is allowed. */
class RefusedRows extends Error {
  constructor(readonly refusals: readonly (Refusal | null)[]) {
    super("Some rows are refused");
  }
}

type NewRow = Pick<Insertion, "id" | "values">;

/** Returns a row that its access rule allows; its id is null when the client chose none. */
function newRowOf(
  call: Call,
  { rule, ...insertion }: Omit<Insertion, "id"> & { readonly rule: RowRule | null },
): NewRow {
  const { primaryKey } = call.plan.table;
  const values = new Map(insertion.values);
  const id = values.get(primaryKey) ?? null;
  values.delete(primaryKey);
  requireNewRow(call.request.app.data, rule, { ...insertion, values, id });
  return { id, values };
}

/** Inserts several rows by one statement. A single row may get another id when its id is taken. */
async function insertSome(
  call: Call,
  transaction: Transaction,
  { items, ...common }: Pick<Insertions, "firewall" | "stamps"> & {
    readonly items: readonly Item<NewRow>[];
  },
): Promise<readonly Item<SqlValue>[]> {
  const { app } = call.request;
  const values = await app.data.completeRows(transaction, {
    firewall: common.firewall,
    rows: items.map(({ value }) => value),
  });
  const complete = items.map((item, at) => ({ ...item, value: values[at] ?? item.value }));
  const [first] = complete;
  if (first && items.length === 1) {
    const { values } = first.value;
    const id = await records.withNewId(
      { newId: app.newId, table: call.plan.table },
      first.value.id,
      (id) => app.data.insertRow(transaction, { ...common, id, values }),
    );
    return [{ index: first.index, value: id }];
  }
  const rows = complete.map(({ value: { id, values } }) => ({
    id: id ?? app.newId(call.plan.table),
    values,
  }));
  const ids = await app.data.insertRows(transaction, { ...common, rows });
  return items.map(({ index }, at) => ({ index, value: ids[at] ?? null }));
}

/** Serves `PATCH /{resource}/batch`: some fields of several records (contract 4.1 rule 6). */
export async function batchUpdate(call: Call): Promise<Response> {
  const { request, plan } = call;
  const { principal, now } = request;
  const { table, query } = plan;
  const { rule, scope, batch } = await openBatch(call);

  const caller = callerIn(plan, principal, scope);
  const firewall = firewallFor(table, caller);
  const judged = await judgeItems(call, batch, {
    firewall,
    rule,
    missing: "refused",
    items: namedRecords(call, batch),
    idOf: ({ id }) => id,
  });

  enter(call, "guards");
  const writable = batch.sift(judged, (record) => {
    requireWritable("update", Object.keys(record.fields), plan);
    return record;
  });

  enter(call, "validation");
  const bodies = batch.sift(writable, ({ id, fields }) => ({
    id,
    values: requireBody(plan.checkBody, fields),
  }));

  enter(call, "operation");
  const stamps = { now, userId: principal.userId };
  const failure = "DB_UPDATE_FAILED";
  const written = await writing(call, failure, async (transaction) => {
    const scope = recordScope(call, caller, transaction);
    const changes = await siftReferences({ ...scope, batch }, bodies, (body) => body);
    batch.stopIfFailed();
    const common = { firewall, stamps, rule, operation: "update", isJudged: true } as const;
    const updated = await writeItems({ call, batch, failure }, changes, async (change) => {
      const isThere = await writingPart(
        scope,
        common,
        (part) => records.updateRecord(part, { ...common, ...change }),
      );
      // The row left the caller's reach since it was judged.
      if (!isThere) refuseHidden(plan.resource, "FIREWALL_NOT_FOUND");
    });
    const items = updated.map(({ index, value: { id } }) => ({ index, value: id }));
    return await readWritten(call, transaction, { items, firewall, columns: query.columns });
  }, writeOptions(call));
  return batchResponse(batch, { written, transactional: batch.failFast, status: 200 });
}

/** Serves `PUT /{resource}/batch`: whole records under the client's own ids, made or replaced (contract 4.1 rules 3 and 6). */
export async function batchUpsert(call: Call): Promise<Response> {
  const { request, plan } = call;
  const { principal, now } = request;
  const { table, query } = plan;
  const { rule, scope, batch } = await openBatch(call);

  const caller = callerIn(plan, principal, scope);
  const firewall = firewallFor(table, caller);
  const judged = await judgeItems(call, batch, {
    firewall,
    rule,
    missing: "made",
    items: namedRecords(call, batch),
    idOf: ({ id }) => id,
  });

  enter(call, "guards");
  const writable = batch.sift(judged, (record) => {
    requireWritable("upsert", Object.keys(record.fields), plan);
    return record;
  });

  enter(call, "validation");
  const bodies = batch.sift(writable, ({ id, fields }) => {
    requireClientId(table, String(id));
    return { id, values: requireBody(plan.checkBody, fields) };
  });

  enter(call, "operation");
  const stamps = { now, userId: principal.userId };
  const failure = "DB_UPDATE_FAILED";
  const made = new Set<SqlValue>();
  const written = await writing(call, failure, async (transaction) => {
    const scope = recordScope(call, caller, transaction);
    const sifted = await siftReferences({ ...scope, batch }, bodies, (body) => body);
    batch.stopIfFailed();
    const common = { firewall, stamps, rule, isJudged: true };
    const done = await writeItems({ call, batch, failure }, sifted, async (record) => {
      const isNew = await writingPart(
        scope,
        common,
        (part) => records.replaceRecord(part, { ...common, ...record }),
      );
      if (isNew) made.add(record.id);
    });
    const items = done.map(({ index, value: { id } }) => ({ index, value: id }));
    return await readWritten(call, transaction, { items, firewall, columns: query.columns });
  }, writeOptions(call));
  const status = made.size === written.length ? 201 : 200;
  return batchResponse(batch, { written, transactional: batch.failFast, status });
}

/** Writes one record, and undoes all of it where a check after its own statement refuses it. */
async function writingPart<T>(
  scope: RecordScope,
  { firewall, rule }: { readonly firewall: Firewall; readonly rule: RowRule | null },
  write: (part: RecordScope) => Promise<T>,
): Promise<T> {
  const isOneStatement = scope.hooks === null &&
    writtenRules(firewall, rule, { isNew: false }) === null;
  if (isOneStatement) return await write(scope);
  return await inSavepoint(scope.transaction, (part) => write(scopeWithin(scope, part)));
}

/** Serves `DELETE /{resource}/batch`: deletes several records, softly or for good (contract 3.1, 4.1 rule 6). */
export async function batchDelete(call: Call): Promise<Response> {
  const { request, plan } = call;
  const { principal, now } = request;
  const { table } = plan;
  const { rule, scope, batch } = await openBatch(call);

  const caller = callerIn(plan, principal, scope);
  const firewall = firewallFor(table, caller);
  const judged = await judgeItems(call, batch, {
    firewall,
    rule,
    missing: "refused",
    items: namedIds(call, batch),
    idOf: (id) => id,
  });
  batch.stopIfFailed();

  enter(call, "operation");
  const stamps = { now, userId: principal.userId };
  const failure = "DB_UPDATE_FAILED";
  const written = await writing(call, failure, async (transaction) => {
    const gone = new Set<SqlValue>();
    const scope = recordScope(call, caller, transaction);
    const isHooked = scope.hooks?.runs("delete") ?? false;
    await writeItems({ call, batch, failure }, isHooked ? judged : [], async (id) => {
      const deletion = { firewall, stamps, rule, id };
      const remove = (part: Transaction) =>
        records.deleteRecord(scopeWithin(scope, part), deletion);
      if (await inSavepoint(transaction, remove)) gone.add(id);
    });
    await bisected(isHooked ? [] : judged, {
      async attempt(some) {
        const ids = some.map(({ value }) => value);
        const deleted = await inSavepoint(
          transaction,
          () => records.removeRows(scope, { firewall, ids, stamps, rule }),
        );
        for (const id of deleted) gone.add(id);
      },
      refused({ index }, error) {
        batch.fail(index, failureOf(error, call, failure));
        batch.stopIfFailed();
      },
    });
    const within = judged.filter(({ index }) => !batch.hasFailed(index));
    const items = batch.sift(within, (id) => {
      // The row left the caller's reach since it was judged.
      if (!gone.has(id)) refuseHidden(plan.resource, "FIREWALL_NOT_FOUND");
      return id;
    });
    batch.stopIfFailed();
    // Each deleted record answers its stamps, or its id when it is gone for good.
    const { resource } = plan;
    if (resource.delete?.mode === "hard") {
      enter(call, "masking");
      return items.map(({ index, value }) => ({
        index,
        value: JSON.stringify({ [table.primaryKey]: value }),
      }));
    }
    const columns = deletedColumns(resource, table);
    return await readWritten(call, transaction, { items, firewall, columns });
  }, writeOptions(call));
  return batchResponse(batch, { written, transactional: batch.failFast, status: 200 });
}

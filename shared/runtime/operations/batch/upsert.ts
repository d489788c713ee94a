/** `PUT /{resource}/batch`: whole records under the client's own ids, made or replaced (contract 4.1 rules 3 and 6). */
import { type Call, enter } from "../call.ts";
import { firewallFor } from "../../layers/3-firewall/firewall.ts";
import { callerIn } from "../../layers/3-firewall/scope.ts";
import { requireWritable } from "../../layers/5-guards/require_writable.ts";
import { requireBody, requireClientId } from "../../layers/6-validation/require_body.ts";
import type { SqlValue } from "../../ports.ts";
import { replaceOrInsert } from "../upsert.ts";
import { writing } from "../write_failure.ts";
import { batchResponse, namedRecords, openBatch } from "./batch.ts";
import { judgeItems, readWritten, siftReferences, writeItems } from "./items.ts";

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
    requireWritable("upsert", record.fields, plan);
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
    const references = { call, caller, transaction, batch };
    const records = await siftReferences(references, bodies, ({ values }) => values);
    batch.stopIfFailed();
    const done = await writeItems({ call, batch, failure }, records, async (record) => {
      const replacement = { ...record, firewall, stamps, rule };
      if (await replaceOrInsert(call, transaction, replacement)) made.add(record.id);
    });
    const items = done.map(({ index, value: { id } }) => ({ index, value: id }));
    return await readWritten(call, transaction, { items, firewall, columns: query.columns });
  });
  const status = made.size === written.length ? 201 : 200;
  return batchResponse(batch, { written, transactional: batch.failFast, status });
}

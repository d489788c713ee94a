/** `PATCH /{resource}/batch`: some fields of several records (contract 4.1 rule 6). */
import { type Call, enter } from "../call.ts";
import { firewallFor } from "../../layers/3-firewall/firewall.ts";
import { callerIn, refuseHidden } from "../../layers/3-firewall/scope.ts";
import { requireWritable } from "../../layers/5-guards/require_writable.ts";
import { requireBody } from "../../layers/6-validation/require_body.ts";
import { writing } from "../write_failure.ts";
import { batchResponse, namedRecords, openBatch } from "./batch.ts";
import { judgeItems, readWritten, siftReferences, writeItems } from "./items.ts";

export async function batchUpdate(call: Call): Promise<Response> {
  const { request, plan } = call;
  const { app, principal, now } = request;
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
    requireWritable("update", record.fields, plan);
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
    const references = { call, caller, transaction, batch };
    const changes = await siftReferences(references, bodies, ({ values }) => values);
    batch.stopIfFailed();
    const updated = await writeItems({ call, batch, failure }, changes, async (change) => {
      const isThere = await app.data.updateRow(transaction, { ...change, firewall, stamps, rule });
      // It left the caller's reach since it was judged.
      if (!isThere) refuseHidden(plan.resource, "FIREWALL_NOT_FOUND");
    });
    const items = updated.map(({ index, value: { id } }) => ({ index, value: id }));
    return await readWritten(call, transaction, { items, firewall, columns: query.columns });
  });
  return batchResponse(batch, { written, transactional: batch.failFast, status: 200 });
}

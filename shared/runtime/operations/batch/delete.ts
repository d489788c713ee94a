/** `DELETE /{resource}/batch`: several records, softly or for good (contract 3.1, 4.1 rule 6). */
import { deletedColumns } from "../../../surface/schema/batch.ts";
import { type Call, enter } from "../call.ts";
import { inSavepoint } from "../../data/within.ts";
import { firewallFor } from "../../layers/3-firewall/firewall.ts";
import { callerIn, refuseHidden } from "../../layers/3-firewall/scope.ts";
import type { SqlValue } from "../../ports.ts";
import { removeRows } from "../delete.ts";
import { constraintRefusal, writing } from "../write_failure.ts";
import { batchResponse, namedIds, openBatch } from "./batch.ts";
import { bisected, judgeItems, readWritten } from "./items.ts";

export async function batchDelete(call: Call): Promise<Response> {
  const { request, plan } = call;
  const { principal, now } = request;
  const { table } = plan;
  const { rule, scope, batch } = await openBatch(call);

  const firewall = firewallFor(table, callerIn(plan, principal, scope));
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
    await bisected(judged, {
      async attempt(some) {
        const ids = some.map(({ value }) => value);
        const deleted = await inSavepoint(
          transaction,
          () => removeRows(call, transaction, { firewall, ids, stamps, rule }),
        );
        for (const id of deleted) gone.add(id);
      },
      refused({ index }, error) {
        batch.fail(index, constraintRefusal(error, call, failure));
        batch.stopIfFailed();
      },
    });
    const within = judged.filter(({ index }) => !batch.hasFailed(index));
    const items = batch.sift(within, (id) => {
      // It left the caller's reach since it was judged.
      if (!gone.has(id)) refuseHidden(plan.resource, "FIREWALL_NOT_FOUND");
      return id;
    });
    batch.stopIfFailed();
    // Reads the answer for each deleted record: its stamps, or its id when it is gone for good.
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
  });
  return batchResponse(batch, { written, transactional: batch.failFast, status: 200 });
}

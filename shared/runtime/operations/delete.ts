/** `DELETE /{resource}/:id`: soft, with everything that refers to the record, or for good (contract 3.1, 4.1). */
import { type Call, enter } from "./call.ts";
import type { Deletions } from "../data/types.ts";
import { requireWriteQuery } from "../layers/6-validation/require_body.ts";
import type { SqlValue, Transaction } from "../ports.ts";
import { deletedResponse } from "../response/record.ts";
import { judgeRecord, refuseMiss } from "./judge_record.ts";
import { writing } from "./write_failure.ts";

export async function deleteRecord(call: Call): Promise<Response> {
  const { request, plan } = call;
  const { key, rule } = await judgeRecord(call);
  requireWriteQuery(plan.query, request);

  enter(call, "operation");
  const stamps = { now: request.now, userId: request.principal.userId };
  const deletion = { firewall: key.firewall, ids: [key.id], stamps, rule };
  const deleted = await writing(
    call,
    "DB_UPDATE_FAILED",
    (transaction) => removeRows(call, transaction, deletion),
  );
  // None when the row left the caller's reach since it was judged.
  return deleted.size > 0 ? deletedResponse() : await refuseMiss(request, plan.resource, key);
}

/** Softly or for good, as the resource says; returns the ids of those that were still within reach. */
export function removeRows(
  call: Call,
  transaction: Transaction,
  deletion: Deletions,
): Promise<ReadonlySet<SqlValue>> {
  const { data } = call.request.app;
  const isHard = call.plan.resource.delete?.mode === "hard";
  return isHard
    ? data.hardDeleteRows(transaction, deletion)
    : data.softDeleteRows(transaction, deletion);
}

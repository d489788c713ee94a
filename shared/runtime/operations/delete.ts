/** `DELETE /{resource}/:id`: soft, with everything that refers to the record, or for good (contract 3.1, 4.1). */
import { type Call, enter } from "../context.ts";
import type { Deletion } from "../data/types.ts";
import { authenticate } from "../layers/1-authentication/authenticate.ts";
import { limitRate } from "../layers/2-rate-limit/limit_rate.ts";
import { requireWriteQuery } from "../layers/6-validation/require_query.ts";
import type { Transaction } from "../ports.ts";
import { deletedResponse } from "../response/record.ts";
import { judgeRecord } from "./judge_record.ts";
import { refuseMiss } from "./refuse_miss.ts";
import { writing } from "./write_failure.ts";

export async function deleteRecord(call: Call): Promise<Response> {
  const principal = await authenticate(call);
  await limitRate(call, principal);
  const { key, rule } = await judgeRecord(call, principal);
  requireWriteQuery(call, principal);

  enter(call, "operation");
  const stamps = { now: call.request.now, userId: principal.userId };
  const isDeleted = await writing(
    call,
    { principal, failure: "DB_UPDATE_FAILED" },
    (transaction) => remove(call, transaction, { ...key, stamps, rule }),
  );
  return isDeleted ? deletedResponse() : await refuseMiss(call, key);
}

/** False when the row left the caller's reach since it was judged. */
function remove(call: Call, transaction: Transaction, deletion: Deletion): Promise<boolean> {
  const { data } = call.request.app;
  const isHard = call.plan.operation.resource.delete?.mode === "hard";
  return isHard
    ? data.hardDeleteRow(transaction, deletion)
    : data.softDeleteRow(transaction, deletion);
}

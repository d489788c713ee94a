/** `PATCH /{resource}/:id`: some fields of a record, answered whole (contract 4.1 rule 2). */
import { type Call, enter } from "../context.ts";
import type { Update } from "../data/types.ts";
import { authenticate } from "../layers/1-authentication/authenticate.ts";
import { limitRate } from "../layers/2-rate-limit/limit_rate.ts";
import { requireWritable } from "../layers/5-guards/require_writable.ts";
import { requireBody } from "../layers/6-validation/require_body.ts";
import { requireWriteQuery } from "../layers/6-validation/require_query.ts";
import type { Transaction } from "../ports.ts";
import { judgeRecord } from "./judge_record.ts";
import { recordProjection } from "./record_projection.ts";
import { requireReferences } from "./references.ts";
import { refuseMiss } from "./refuse_miss.ts";
import { writtenResponse } from "./written_response.ts";
import { writing } from "./write_failure.ts";

export async function updateRecord(call: Call): Promise<Response> {
  const principal = await authenticate(call);
  await limitRate(call, principal);
  const { caller, key, rule } = await judgeRecord(call, principal);

  enter(call, "guards");
  const body = await call.request.body.object();
  requireWritable(call, "update", body);

  enter(call, "validation");
  requireWriteQuery(call, principal);
  const values = requireBody(call, body);

  enter(call, "operation");
  const stamps = { now: call.request.now, userId: principal.userId };
  const json = await writing(
    call,
    { principal, failure: "DB_UPDATE_FAILED" },
    async (transaction) => {
      await requireReferences({ call, caller, transaction }, values);
      return await update(call, transaction, { ...key, values, stamps, rule });
    },
  );
  return json === null ? await refuseMiss(call, key) : writtenResponse(call, principal, json);
}

/** Null when the row left the caller's reach since it was judged. */
async function update(
  call: Call,
  transaction: Transaction,
  change: Update,
): Promise<string | null> {
  const { data } = call.request.app;
  if (!await data.updateRow(transaction, change)) return null;
  enter(call, "masking");
  const { firewall, id } = change;
  const projection = recordProjection(call);
  const json = await data.selectWritten(transaction, { firewall, id, projection });
  if (json === null) throw new Error("The updated row cannot be read");
  return json;
}

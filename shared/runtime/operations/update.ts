/** `PATCH /{resource}/:id`: some fields of a record, answered whole (contract 4.1 rule 2). */
import { rulesOf } from "../../column_types/mod.ts";
import { type Call, enter } from "./call.ts";
import { mergePatch } from "../../lib/json.ts";
import type { ColumnValues, RowKey } from "../data/types.ts";
import { requireWritable } from "../layers/5-guards/require_writable.ts";
import { requireBody, requireWriteQuery } from "../layers/6-validation/require_body.ts";
import type { Transaction } from "../ports.ts";
import { judgeRecord, refuseMiss } from "./judge_record.ts";
import { requireReferences } from "./references.ts";
import { writtenResponse } from "./record_response.ts";
import { writing } from "./write_failure.ts";

export async function updateRecord(call: Call): Promise<Response> {
  const { request, plan } = call;
  const { caller, key, rule } = await judgeRecord(call);

  enter(call, "guards");
  const { fields, isMerged } = await request.body.patch();
  requireWritable("update", fields, plan);

  enter(call, "validation");
  requireWriteQuery(plan.query, request);
  const values = requireBody(plan.checkBody, fields);

  enter(call, "operation");
  const stamps = { now: request.now, userId: request.principal.userId };
  const json = await writing(
    call,
    "DB_UPDATE_FAILED",
    async (transaction) => {
      await requireReferences({ call, caller, transaction }, values);
      const merged = isMerged ? await mergedValues(call, transaction, { key, values }) : values;
      const { data } = request.app;
      const change = { ...key, values: merged, stamps, rule };
      // The row may have left the caller's reach since it was judged.
      if (!await data.updateRow(transaction, change)) return null;
      enter(call, "masking");
      const json = await data.selectWritten(transaction, { ...key, projection: plan.projection });
      if (json === null) throw new Error("The updated row cannot be read");
      return json;
    },
  );
  return json === null
    ? await refuseMiss(request, plan.resource, key)
    : writtenResponse(call, json);
}

/** Objects for JSON columns, merged into what the row holds by now (RFC 7396). */
async function mergedValues(
  { request: { app } }: Call,
  transaction: Transaction,
  { key, values }: { readonly key: RowKey; readonly values: ColumnValues },
): Promise<ColumnValues> {
  const columns = key.firewall.table.columns.filter(({ name, type }) =>
    rulesOf(type).isStructured && typeof values.get(name) === "string"
  );
  const row = columns.length === 0 ? null : await app.data.selectStored(transaction, key);
  if (row === null) return values;
  const merged = columns.map(({ name }) => {
    const [stored, patch] = [row.get(name), values.get(name)].map((text) =>
      typeof text === "string" ? JSON.parse(text) : null
    );
    return [name, JSON.stringify(mergePatch(stored, patch))] as const;
  });
  return new Map([...values, ...merged]);
}

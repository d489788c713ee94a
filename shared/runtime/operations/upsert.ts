/** `PUT /{resource}/:id`: a whole record under the client's own id, made or replaced (contract 4.1 rule 3). */
import type { RowRule } from "../../surface/admission.ts";
import { type Call, enter } from "./call.ts";
import type { Insertion } from "../data/types.ts";
import { firewallFor } from "../layers/3-firewall/firewall.ts";
import {
  callerIn,
  namedScope,
  refuseHidden,
  requireOrganization,
  requireOwnScopes,
} from "../layers/3-firewall/scope.ts";
import { requireRole } from "../layers/4-access/require_role.ts";
import { requireWritable } from "../layers/5-guards/require_writable.ts";
import {
  requireBody,
  requireClientId,
  requireWriteQuery,
} from "../layers/6-validation/require_body.ts";
import type { Transaction } from "../ports.ts";
import { requireReferences } from "./references.ts";
import { requireNewRow, requireRevision, requireRow } from "./judge_record.ts";
import { writing } from "./write_failure.ts";
import { createdResponse, writtenResponse } from "./record_response.ts";

export async function upsertRecord(call: Call): Promise<Response> {
  const { request, plan, id } = call;
  const { app, body, database, now, principal } = request;
  const { table } = plan;
  enter(call, "access.role");
  requireOrganization(plan, principal);
  const rule = requireRole(plan.operation.access, principal);

  enter(call, "firewall");
  const caller = callerIn(plan, principal, namedScope(plan.query, request));
  requireOwnScopes(table, principal);
  const key = { firewall: firewallFor(table, caller), id };
  const row = await app.data.selectStored(database, key);
  if (row === null && await app.data.probeDeleted(database, key)) {
    refuseHidden(plan.resource, "FIREWALL_SOFT_DELETED");
  }

  enter(call, "access");
  if (rule && row) requireRow(rule, { row, firewall: key.firewall });
  requireRevision(request.headers, table, row);

  enter(call, "guards");
  const fields = await body.object();
  requireWritable("upsert", fields, plan);

  enter(call, "validation");
  requireWriteQuery(plan.query, request);
  requireClientId(table, id);
  const values = requireBody(plan.checkBody, fields);

  enter(call, "operation");
  const stamps = { now, userId: principal.userId };
  const replacement = { ...key, values, stamps, rule };
  const { isNew, json } = await writing(
    call,
    "DB_UPDATE_FAILED",
    async (transaction) => {
      await requireReferences({ call, caller, transaction }, values);
      const isNew = await replaceOrInsert(call, transaction, replacement);
      enter(call, "masking");
      const { projection } = call.plan;
      return { isNew, json: await app.data.selectWritten(transaction, { ...key, projection }) };
    },
  );
  if (json === null) throw new Error("The record cannot be read");
  return isNew ? createdResponse(call, { json, id }) : writtenResponse(call, json);
}

interface Replacement extends Insertion {
  readonly rule: RowRule | null;
}

/** True when the row was not there. One that the caller cannot see keeps its id: the insert is refused as taken. */
export async function replaceOrInsert(
  call: Call,
  transaction: Transaction,
  replacement: Replacement,
): Promise<boolean> {
  const { data } = call.request.app;
  if (await data.replaceRow(transaction, replacement)) return false;
  requireNewRow(call.request, replacement.rule, replacement);
  await data.insertRow(transaction, replacement);
  return true;
}

/** `POST /{resource}`: a new record, answered as its reader sees it (contract 4.1 rules 1 and 5). */
import { type Call, enter } from "./call.ts";
import type { Insertion } from "../data/types.ts";
import { firewallFor } from "../layers/3-firewall/firewall.ts";
import { callerIn, requireOrganization, requireOwnScopes } from "../layers/3-firewall/scope.ts";
import { requireRole } from "../layers/4-access/require_role.ts";
import { requireWritable } from "../layers/5-guards/require_writable.ts";
import { requireBody, requireWriteQuery } from "../layers/6-validation/require_body.ts";
import type { SqlValue, Transaction } from "../ports.ts";
import { insertRecord } from "./insert_record.ts";
import { requireNewRow } from "./row_access.ts";
import { requireReferences } from "./references.ts";
import { writing } from "./write_failure.ts";
import { createdResponse } from "./written_response.ts";

export async function createRecord(call: Call): Promise<Response> {
  const { request, plan } = call;
  const { principal, now } = request;
  const { table } = plan;
  enter(call, "access.role");
  requireOrganization(plan, principal);
  const rule = requireRole(plan.operation.access, principal);

  enter(call, "guards");
  const body = await request.body.object();
  requireWritable("create", body, plan);

  enter(call, "validation");
  const { scope } = requireWriteQuery(plan.query, request);
  const values = new Map(requireBody(plan.checkBody, body));

  enter(call, "firewall");
  const caller = callerIn(plan, principal, scope);
  requireOwnScopes(table, principal);
  await plan.extras?.requireValues(call, values);
  const firewall = firewallFor(table, caller);

  enter(call, "operation");
  const clientId = values.get(table.primaryKey) ?? null;
  values.delete(table.primaryKey);
  const stamps = { now, userId: principal.userId };
  const insertion = { firewall, id: clientId, values, stamps };
  requireNewRow(request, rule, insertion);
  const { id, json } = await writing(
    call,
    "DB_INSERT_FAILED",
    async (transaction) => {
      await requireReferences({ call, caller, transaction }, values);
      return await insert(call, transaction, insertion);
    },
  );
  return createdResponse(call, { json, id });
}

/** Inserts, and reads the new row back as its reader sees it. */
async function insert(
  call: Call,
  transaction: Transaction,
  insertion: Insertion,
): Promise<{ readonly id: SqlValue; readonly json: string }> {
  const { data } = call.request.app;
  const { firewall } = insertion;
  const id = await insertRecord(call, transaction, insertion);
  await call.plan.extras?.inserted(call, transaction, { ...insertion, id });
  enter(call, "masking");
  const { projection } = call.plan;
  const json = await data.selectWritten(transaction, { firewall, id, projection });
  if (json === null) throw new Error("The inserted row cannot be read");
  return { id, json };
}

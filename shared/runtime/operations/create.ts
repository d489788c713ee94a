/** `POST /{resource}`: a new record, answered as its reader sees it (contract 4.1 rules 1 and 5). */
import type { RowRule } from "../../surface/admission.ts";
import { type Call, enter } from "../context.ts";
import type { Insertion } from "../data/types.ts";
import { authenticate } from "../layers/1-authentication/authenticate.ts";
import { limitRate } from "../layers/2-rate-limit/limit_rate.ts";
import { firewallFor } from "../layers/3-firewall/firewall.ts";
import { callerIn, requireOrganization, requireOwnScopes } from "../layers/3-firewall/scope.ts";
import { requireRole } from "../layers/4-access/require_role.ts";
import { requireWritable } from "../layers/5-guards/require_writable.ts";
import { requireBody } from "../layers/6-validation/require_body.ts";
import { requireWriteQuery } from "../layers/6-validation/require_query.ts";
import type { Transaction } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { recordResponse } from "../response/record.ts";
import { recordProjection } from "./record_projection.ts";
import { requireReferences } from "./references.ts";
import { requireRow } from "./row_access.ts";
import { writing } from "./write_failure.ts";

export async function createRecord(call: Call): Promise<Response> {
  const { request: { app, now }, plan: { table } } = call;
  const principal = await authenticate(call);
  await limitRate(call, principal);

  enter(call, "access.role");
  requireOrganization(call, principal);
  const rule = requireRole(call, principal);

  enter(call, "guards");
  const body = await call.request.body.object();
  requireWritable(call, "create", body);

  enter(call, "validation");
  const { scope } = requireWriteQuery(call, principal);
  const values = new Map(requireBody(call, body));

  enter(call, "firewall");
  const caller = callerIn(call, principal, scope);
  requireOwnScopes(call, principal);
  await requireReferences(call, caller, values);
  const firewall = firewallFor(table, caller);

  enter(call, "operation");
  const id = values.get(table.primaryKey) ?? app.newId(table);
  values.delete(table.primaryKey);
  const insertion = { firewall, id, values, stamps: { now, userId: principal.userId } };
  const json = await writing(
    call,
    { principal, failure: "DB_INSERT_FAILED" },
    (transaction) => insert(call, transaction, { insertion, rule }),
  );
  return recordResponse(json, 201);
}

/** Inserts, judges the new row by what is left of the access rule, and reads it back as its reader sees it. */
async function insert(
  call: Call,
  transaction: Transaction,
  { insertion, rule }: { readonly insertion: Insertion; readonly rule: RowRule | null },
): Promise<string> {
  const { data } = call.request.app;
  const { firewall } = insertion;
  const key = { firewall, id: await data.insertRow(transaction, insertion) };
  if (rule) {
    const row = await data.selectStored(transaction, key);
    if (!row) return refuse("ACCESS_CONDITION_FAILED");
    requireRow(call, rule, { row, firewall });
  }
  enter(call, "masking");
  const projection = recordProjection(call);
  const json = await data.selectWritten(transaction, { ...key, projection });
  if (json === null) throw new Error("The inserted row cannot be read");
  return json;
}

/** `PUT /{resource}/:id`: a whole record under the client's own id, made or replaced (contract 4.1 rule 3). */
import type { RowRule } from "../../surface/admission.ts";
import { type Call, enter } from "../context.ts";
import type { Insertion } from "../data/types.ts";
import { authenticate } from "../layers/1-authentication/authenticate.ts";
import { limitRate } from "../layers/2-rate-limit/limit_rate.ts";
import { firewallFor } from "../layers/3-firewall/firewall.ts";
import {
  callerIn,
  namedScope,
  requireOrganization,
  requireOwnScopes,
} from "../layers/3-firewall/scope.ts";
import { requireRole } from "../layers/4-access/require_role.ts";
import { requireWritable } from "../layers/5-guards/require_writable.ts";
import { requireBody } from "../layers/6-validation/require_body.ts";
import { requireClientId } from "../layers/6-validation/require_client_id.ts";
import { requireWriteQuery } from "../layers/6-validation/require_query.ts";
import type { Transaction } from "../ports.ts";
import { refuseHidden } from "../layers/3-firewall/miss.ts";
import { requireNewRow } from "./new_row_access.ts";
import { recordProjection } from "./record_projection.ts";
import { requireReferences } from "./references.ts";
import { requireRevision } from "./revision.ts";
import { requireRow } from "./row_access.ts";
import { writing } from "./write_failure.ts";
import { createdResponse, writtenResponse } from "./written_response.ts";

export async function upsertRecord(call: Call): Promise<Response> {
  const { request: { app, body, now }, plan: { table }, id } = call;
  const principal = await authenticate(call);
  await limitRate(call, principal);

  enter(call, "access.role");
  requireOrganization(call, principal);
  const rule = requireRole(call, principal);

  enter(call, "firewall");
  const caller = callerIn(call, principal, namedScope(call, principal));
  requireOwnScopes(call, principal);
  const key = { firewall: firewallFor(table, caller), id };
  const row = await app.data.selectStored(app.ports.database, key);
  if (row === null && await app.data.probeDeleted(app.ports.database, key)) {
    refuseHidden(call, "FIREWALL_SOFT_DELETED");
  }

  enter(call, "access");
  if (rule && row) requireRow(call, rule, { row, firewall: key.firewall });
  requireRevision(call, row);

  enter(call, "guards");
  const fields = await body.object();
  requireWritable(call, "upsert", fields);

  enter(call, "validation");
  requireWriteQuery(call, principal);
  requireClientId(call, id);
  const values = requireBody(call, fields);

  enter(call, "operation");
  const stamps = { now, userId: principal.userId };
  const replacement = { ...key, values, stamps, rule };
  const { isNew, json } = await writing(
    call,
    { principal, failure: "DB_UPDATE_FAILED" },
    async (transaction) => {
      await requireReferences({ call, caller, transaction }, values);
      const isNew = await replaceOrInsert(call, transaction, replacement);
      enter(call, "masking");
      const projection = recordProjection(call);
      return { isNew, json: await app.data.selectWritten(transaction, { ...key, projection }) };
    },
  );
  if (json === null) throw new Error("The record cannot be read");
  return isNew
    ? createdResponse(call, principal, { json, id })
    : writtenResponse(call, principal, json);
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
  requireNewRow(call, replacement.rule, replacement);
  await data.insertRow(transaction, replacement);
  return true;
}

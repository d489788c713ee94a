/** `GET /{resource}/:id`: one record, bare (contract 4.1 rule 4). */
import type { RowRule } from "../../surface/admission.ts";
import { type Call, enter } from "../context.ts";
import type { RowKey } from "../data/types.ts";
import { authenticate } from "../layers/1-authentication/authenticate.ts";
import { limitRate } from "../layers/2-rate-limit/limit_rate.ts";
import { firewallFor } from "../layers/3-firewall/firewall.ts";
import { callerIn, requireOrganization } from "../layers/3-firewall/scope.ts";
import { requireRole } from "../layers/4-access/require_role.ts";
import { requireGetQuery } from "../layers/6-validation/require_query.ts";
import { recordResponse } from "../response/record.ts";
import { recordKey } from "./record_key.ts";
import { refuseMiss } from "./refuse_miss.ts";
import { requireRow } from "./row_access.ts";

export async function getRecord(call: Call): Promise<Response> {
  const { app } = call.request;
  const { operation, table } = call.plan;
  const principal = await authenticate(call);
  await limitRate(call, principal);

  // Before any row is read: a foreign row and a missing one cannot be told apart.
  enter(call, "access.role");
  requireOrganization(call, principal);
  const rule = requireRole(call, principal);

  enter(call, "validation");
  const { scope, columns } = requireGetQuery(call, principal);

  enter(call, "firewall");
  const key = recordKey(call, firewallFor(table, callerIn(call, principal, scope)));

  await judgeRow(call, key, rule);

  enter(call, "operation");
  // The record leaves the database masked.
  enter(call, "masking");
  const projection = { resource: operation.resource, columns };
  const json = await app.data.selectRecord(app.ports.database, { ...key, projection });
  return json === null ? await refuseMiss(call, key) : recordResponse(json);
}

/** Without a row condition there is nothing to read first: the read itself goes through the firewall. */
async function judgeRow(call: Call, key: RowKey, rule: RowRule | null): Promise<void> {
  const { app } = call.request;
  const row = rule && await app.data.selectStored(app.ports.database, key);
  if (rule && !row) await refuseMiss(call, key);
  enter(call, "access");
  if (rule && row) requireRow(call, rule, { row, firewall: key.firewall });
}

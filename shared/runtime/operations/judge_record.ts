/** Firewall, then access, on the record that a write names: the part that update and delete share (contract 1.3). */
import type { RowRule } from "../../surface/admission.ts";
import { type Call, enter } from "./call.ts";
import type { Caller } from "../context.ts";
import type { RowKey } from "../data/types.ts";
import { firewallFor } from "../layers/3-firewall/firewall.ts";
import { callerIn, namedScope } from "../layers/3-firewall/scope.ts";
import { requireRole } from "../layers/4-access/require_role.ts";
import { recordKey } from "./record_key.ts";
import { refuseMiss } from "./refuse_miss.ts";
import { requireRevision } from "./revision.ts";
import { requireRow } from "./row_access.ts";

interface JudgedRecord {
  readonly caller: Caller;
  readonly key: RowKey;
  /** The rule that the row must still meet when it is written. */
  readonly rule: RowRule | null;
}

export async function judgeRecord(call: Call): Promise<JudgedRecord> {
  const { request, plan, id } = call;
  const { app, database, principal } = request;
  enter(call, "firewall");
  const caller = callerIn(plan, principal, namedScope(plan.query, request));
  const key = recordKey(firewallFor(plan.table, caller), id);
  const row = await app.data.selectStored(database, key);
  if (!row) return refuseMiss(request, plan.resource, key);

  enter(call, "access");
  const rule = requireRole(plan.operation.access, principal);
  if (rule) requireRow(rule, { row, firewall: key.firewall });
  requireRevision(request.headers, plan.table, row);
  return { caller, key, rule };
}

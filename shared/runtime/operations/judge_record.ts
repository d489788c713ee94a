/** Firewall, then access, on the record that a write names: the part that update and delete share (contract 1.3). */
import type { Principal } from "../../model/principal.ts";
import type { RowRule } from "../../surface/admission.ts";
import { type Call, type Caller, enter } from "../context.ts";
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

export async function judgeRecord(call: Call, principal: Principal): Promise<JudgedRecord> {
  const { request: { app }, plan } = call;
  enter(call, "firewall");
  const caller = callerIn(call, principal, namedScope(call, principal));
  const key = recordKey(call, firewallFor(plan.table, caller));
  const row = await app.data.selectStored(app.ports.database, key);
  if (!row) return refuseMiss(call, key);

  enter(call, "access");
  const rule = requireRole(call, principal);
  if (rule) requireRow(call, rule, { row, firewall: key.firewall });
  requireRevision(call, row);
  return { caller, key, rule };
}

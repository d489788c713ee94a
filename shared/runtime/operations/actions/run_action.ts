/** An action of one record or of none, through its layers in order (contract 4.4 rules 1 and 2). */
import type { Principal } from "../../../model/principal.ts";
import type { ActionOperation } from "../../../surface/action_operations.ts";
import { type Caller, enter } from "../../context.ts";
import type { StoredRow } from "../../data/types.ts";
import { firewallFor } from "../../layers/3-firewall/firewall.ts";
import { callerIn, needsOrganization } from "../../layers/3-firewall/scope.ts";
import { requireRole, rolesHeldBy } from "../../layers/4-access/require_role.ts";
import { refuse } from "../../refusal.ts";
import { recordKey } from "../record_key.ts";
import { refuseMiss } from "../refuse_miss.ts";
import { requireRevision } from "../revision.ts";
import { requireActionInput } from "./action_input.ts";
import { type ActionCall, type ActionPlan, targetOfCall } from "./action_plan.ts";
import { namedOrganization } from "./action_query.ts";
import { requireState } from "./action_state.ts";
import { inTransaction } from "./end_action.ts";
import { type JudgedRecord, performAction } from "./perform_action.ts";
import { requireMove, targetOf } from "./transition.ts";

export async function runRecordAction(call: ActionCall, principal: Principal): Promise<Response> {
  const { transition } = call.plan.operation.action;
  enter(call, "firewall");
  const caller = recordCaller(call, principal);
  const record = await findRecord(call, caller);
  const { key: { firewall }, row } = record;

  enter(call, "access");
  const rule = requireMayRun(call, principal);
  requireState(rule, { row, firewall });
  const isKnown = transition?.target.kind === "to";
  const known = isKnown
    ? requireMove(transition, targetOf(transition, null), { row, firewall })
    : null;
  requireRevision(call.request.headers, firewall.table, row);

  enter(call, "validation");
  const input = await requireActionInput(call);
  // Only the input names the state.
  const move = known ??
    (transition && requireMove(transition, targetOf(transition, input), { row, firewall }));
  const judged = { ...record, rule, move };
  return await inTransaction(
    call,
    (transaction) => performAction({ call, caller, input, record: judged }, transaction),
  );
}

export async function runStandaloneAction(
  call: ActionCall,
  principal: Principal,
): Promise<Response> {
  enter(call, "access.role");
  const caller = standaloneCaller(call, principal);
  requireMayRun(call, principal);

  enter(call, "validation");
  const input = await requireActionInput(call);
  return await inTransaction(
    call,
    (transaction) => performAction({ call, caller, input, record: null }, transaction),
  );
}

/** Refuses whom neither the access rule nor `unsafe` admits; what is left is asked of the record. */
export function requireMayRun(call: ActionCall, principal: Principal) {
  const { operation } = call.plan;
  const rule = requireRole(operation.access, principal);
  if (isSysadminOnly(operation) && principal.userRole !== "sysadmin") {
    refuse("ACCESS_ROLE_REQUIRED", {
      details: { required: ["sysadmin"], current: [...rolesHeldBy(principal)] },
    });
  }
  return rule;
}

/** Whether `unsafe` keeps the action for one role, whatever its access rule says (contract 4.4 rule 3). */
export function isSysadminOnly({ action: { unsafe } }: ActionOperation): boolean {
  return unsafe !== null && (unsafe.adminOnly || unsafe.crossTenant);
}

export function recordCaller(call: ActionCall, principal: Principal): Caller {
  const organizationId = namedOrganization(call);
  const target = targetOfCall(call);
  return callerIn(target, principal, organizationId === null ? null : { organizationId });
}

/** The record behind the caller's firewall. */
export async function findRecord(
  call: ActionCall,
  caller: Caller,
): Promise<Pick<JudgedRecord, "key"> & { readonly row: StoredRow }> {
  const { request } = call;
  const plan = targetOfCall(call);
  const key = recordKey(firewallFor(plan.table, caller), call.id);
  const row = await request.app.data.selectStored(request.database, key);
  return row === null ? await refuseMiss({ request, plan }, key) : { key, row };
}

/** Whoever acts for an organization has one, or names one as nobody in particular. */
function standaloneCaller(call: ActionCall, principal: Principal): Caller {
  const named = namedOrganization(call);
  const needsOne = actionNeedsOrganization(call.plan, principal);
  if (principal.credential === "none") {
    if (needsOne && named === null) refuse("ORG_REQUIRED");
    return { principal, organizationId: named };
  }
  const { organizationId } = principal;
  if (needsOne && organizationId === null) refuse("ACCESS_NO_ORG");
  if (named !== null && named !== organizationId) refuse("FIREWALL_ORG_ISOLATION");
  return { principal, organizationId };
}

/** Across tenants there is no one organization to act in. */
export function actionNeedsOrganization(
  { table, operation }: Pick<ActionPlan, "table" | "operation">,
  principal: Principal,
): boolean {
  const { unsafe, verb } = operation.action;
  if (table === null || unsafe?.crossTenant === true) return false;
  return needsOrganization({ table, makesRows: verb === "create" }, principal);
}

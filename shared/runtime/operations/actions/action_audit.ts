/** The audit rows of actions (contract 4.4 rule 3, definitions 7): in a transaction of their own, so that no rollback takes them. */
import { actorOf, type Principal } from "../../../model/principal.ts";
import type { AuditEvent } from "../../data/types.ts";
import type { ActionCall } from "./action_plan.ts";
import { namedOrganization } from "./action_query.ts";

const TEXT_KEPT_MAX = 200;

export interface Ended {
  readonly result: AuditEvent["result"];
  readonly code: string | null;
}

/** Unsafe actions, and whatever somebody without an identity does in a tenant. */
export function isAudited({ plan }: ActionCall, { credential }: Principal): boolean {
  if (plan.operation.action.unsafe !== null) return true;
  return credential === "none" && (plan.table?.scope.organization ?? null) !== null;
}

export async function auditAction(
  call: ActionCall,
  principal: Principal,
  ended: Ended,
): Promise<void> {
  const { app } = call.request;
  const event = eventOf(call, principal, ended);
  await app.ports.database.write((transaction) => app.data.insertAudit(transaction, event));
}

function eventOf(call: ActionCall, principal: Principal, { result, code }: Ended): AuditEvent {
  const { request: { app, requestId, now }, plan: { operation } } = call;
  const { action, resource, kind } = operation;
  return {
    id: `aud_${app.ports.random.bytes(16).toHex()}`,
    requestId,
    actorUserId: actorOf(principal),
    actorOrgId: principal.organizationId,
    actionName: action.key,
    resource: resource?.name ?? null,
    operation: kind,
    targetScope: action.unsafe?.targetScope ?? "organization",
    targetOrgId: shown(namedOrganization(call) ?? principal.organizationId),
    targetRecordId: shown(call.id),
    unsafeReason: action.unsafe?.reason ?? null,
    result,
    errorCode: shown(code),
    createdAt: now,
  };
}

function shown(text: string | null): string | null {
  return text === null || text === "" ? null : text.slice(0, TEXT_KEPT_MAX).toWellFormed();
}

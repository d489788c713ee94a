/** Anonymous calls into a tenant leave a row in `audit_events`, whatever became of them (definitions 7). */
import { RUNTIME_CODES, type RuntimeCode } from "../../contract/codes.ts";
import { SCOPE_PARAMETER } from "../../surface/parameters.ts";
import type { Call } from "./call.ts";
import type { AuditEvent } from "../data/types.ts";
import { auditText, newAudit } from "./new_audit.ts";

/** True for a call that reads or writes a tenant's records without an identity. */
export function isPublicTenantCall({ request, plan }: Call): boolean {
  return request.principal.credential === "none" && plan.table.scope.organization !== null;
}

interface PublicCall {
  /** The code that refused it; null: it succeeded. */
  readonly code: RuntimeCode | null;
  /** The caller who was answered as nobody in particular; null: nobody is known. */
  readonly actor: string | null;
}

export async function auditPublicCall(call: Call, told: PublicCall): Promise<void> {
  const { app, database } = call.request;
  await database.write((transaction) => app.data.insertAudit(transaction, eventOf(call, told)));
}

function eventOf({ request, plan, id }: Call, { code, actor }: PublicCall): AuditEvent {
  return {
    ...newAudit(request),
    actorUserId: actor,
    actorOrgId: null,
    actionName: null,
    resource: plan.resource.name,
    operation: plan.operation.kind,
    targetScope: "organization",
    targetOrgId: auditText(new URLSearchParams(request.search).get(SCOPE_PARAMETER)),
    targetRecordId: auditText(id),
    unsafeReason: null,
    result: resultOf(code),
    errorCode: code,
  };
}

function resultOf(code: RuntimeCode | null): AuditEvent["result"] {
  if (code === null) return "success";
  return RUNTIME_CODES[code].status >= 500 ? "error" : "denied";
}

/**
 * Writes the audit rows of actions (contract 4.4 rule 3, definitions 7). The row of a success is written in the action's own
 * transaction, so it exists if and only if the action's effect does. The row of a denial or an error is written in a
 * transaction of its own, which no rollback removes.
 */
import { RUNTIME_CODES } from "../../../contract/mod.ts";
import { actorOf } from "../../../model/mod.ts";
import type { AuditEvent } from "../../data/types.ts";
import type { Transaction } from "../../ports.ts";
import { Refusal } from "../../refusal.ts";
import { auditText, newAudit } from "../public_audit.ts";
import { type ActionCall, namedOrganization } from "./action_plan.ts";
import { AuditTrail, Ended } from "./audit_trail.ts";

interface AuditRecord {
  readonly id: string;
  readonly organizations: Set<string | null>;
  /** Null: the call ended as the action did. */
  ended: Ended | null;
}

/** A call whose audit trail is not made yet. */
type UnauditedCall = Omit<ActionCall, "audit">;

/** Returns the audit trail of a call; null: the call leaves none. It is made before the call runs on a transaction. */
export function auditTrail(call: UnauditedCall): AuditTrail | null {
  // Audited are unsafe actions, and every action that an anonymous caller runs in a tenant.
  const { app, trail, principal } = call.request;
  const { operation: { action }, table } = call.plan;
  const isPublic = principal.credential === "none" && (table?.scope.organization ?? null) !== null;
  if (action.unsafe === null && !isPublic && !action.tenantOf) return null;
  let records: readonly AuditRecord[] = [auditRecord(call.id)];
  let current = 0;
  let isWritten = false;
  const insert = async (transaction: Transaction, ended: Ended) => {
    for (const record of records) {
      for (const event of eventsOf(call, { ...record, ended: record.ended ?? ended })) {
        await app.data.insertAudit(transaction, event);
      }
    }
  };
  return {
    reached: (organizationId) => void records[current]?.organizations.add(organizationId),
    concerns: (ids) => void (records = ids.map(auditRecord)),
    turnsTo: (at) => void (current = at),
    refused(ended) {
      const record = records[current];
      if (record) record.ended = ended;
    },
    async succeed(transaction) {
      await insert(transaction, { result: "success", code: null });
      isWritten = true;
    },
    async end(ended) {
      if (isWritten && ended.result === "success") return;
      await trail.write((transaction) => insert(transaction, ended));
    },
  };
}

function auditRecord(id: string): AuditRecord {
  return { id, organizations: new Set(), ended: null };
}

/** Returns how a call ended, read from its response: a refusal by the author's code counts as a refusal. */
export async function endOf(response: Response): Promise<Ended> {
  if (response.status < 400) return { result: "success", code: null };
  // A stream or a file is the handler's own answer, whatever its status.
  if (!/json$/.test(response.headers.get("content-type") ?? "")) {
    return { result: "error", code: null };
  }
  const body: unknown = await response.clone().json();
  const code = typeof body === "object" && body !== null ? Reflect.get(body, "code") : null;
  return { result: "error", code: typeof code === "string" ? code : null };
}

/** Returns the end of a refused call: "denied" if a layer that judges callers and requests refused it, else "error". */
export function refusedEnd(error: unknown): Ended {
  if (!(error instanceof Refusal)) return { result: "error", code: "INTERNAL_ERROR" };
  const { layer } = RUNTIME_CODES[error.code];
  const isFailure = layer === "database" || layer === "action";
  return { result: isFailure ? "error" : "denied", code: error.code };
}

/** Returns the audit rows of a call. Without a named scope the rows belong to the caller's own scope. */
function eventsOf(
  call: UnauditedCall,
  { id, organizations, ended }: AuditRecord & { readonly ended: Ended },
): readonly AuditEvent[] {
  const { action, resource, kind } = call.plan.operation;
  const { principal } = call.request;
  const own = action.tenantOf ? null : namedOrganization(call) ?? principal.organizationId;
  const targets = organizations.size === 0 ? [own] : [...organizations];
  return targets.map((organizationId) => ({
    ...newAudit(call.request),
    actorUserId: actorOf(principal),
    actorOrgId: principal.organizationId,
    actionName: action.key,
    resource: resource?.name ?? null,
    operation: kind,
    targetScope: action.unsafe?.targetScope ?? "organization",
    targetOrgId: auditText(organizationId),
    targetRecordId: auditText(id),
    unsafeReason: action.unsafe?.reason ?? null,
    result: ended.result,
    errorCode: auditText(ended.code),
  }));
}

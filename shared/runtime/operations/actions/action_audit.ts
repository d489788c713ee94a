/**
 * The audit rows of actions (contract 4.4 rule 3, definitions 7). A success is written in the action's own transaction, and is
 * there if and only if what it did is; a denial or an error in one of its own, which no rollback takes.
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
  /** Null: as the call did. */
  ended: Ended | null;
}

/** A call before it has a trail. */
type UnauditedCall = Omit<ActionCall, "audit">;

/** The audit trail of a call; null: it leaves none. It is made before the call is on any transaction. */
export function auditTrail(call: UnauditedCall): AuditTrail | null {
  // Unsafe actions, and whatever somebody without an identity does in a tenant.
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

/** Outcome of a response: an author's own refusal counts as one, too. */
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

/** The end of a refused call: denied by a layer that judges callers and requests, or failed beyond that. */
export function refusedEnd(error: unknown): Ended {
  if (!(error instanceof Refusal)) return { result: "error", code: "INTERNAL_ERROR" };
  const { layer } = RUNTIME_CODES[error.code];
  const isFailure = layer === "database" || layer === "action";
  return { result: isFailure ? "error" : "denied", code: error.code };
}

/** Without a named scope the caller's own is meant. */
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

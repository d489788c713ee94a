/** Writes a row in `audit_events` for each anonymous call into a tenant, whatever its result (definitions 7). */
import { RUNTIME_CODES, type RuntimeCode } from "../../contract/mod.ts";
import { actorOf } from "../../model/mod.ts";
import { SCOPE_PARAMETER } from "../../surface/mod.ts";
import type { Admitted } from "../gate.ts";
import type { AuditEvent } from "../data/types.ts";
import { DatabaseUnavailableError, type Timer } from "../ports.ts";
import { Refusal } from "../refusal.ts";
import type { Call } from "./call.ts";

/** True for a call that reads or writes a tenant's records without an identity. */
export function isPublicTenantCall({ request, plan }: Call): boolean {
  return request.principal.credential === "none" && plan.table.scope.organization !== null;
}

interface PublicCall {
  /** The code of the refusal; null: the call succeeded. */
  readonly code: RuntimeCode | null;
  /** The account that was answered as anonymous; null: none is known. */
  readonly actor: string | null;
  /** Status of the answer; absent: the status of the code. */
  readonly status?: number;
}

export async function auditPublicCall(call: Call, told: PublicCall): Promise<void> {
  const { app, trail, method } = call.request;
  const event = publicEvent(call, told);
  const write = () => trail.write((transaction) => app.data.insertAudit(transaction, event));
  const { copy } = app.ports;
  if (!copy || method !== "GET") return await write();
  // A public answer from a copy does not wait for a primary that is unreachable (docs/decisions/topologies.md).
  try {
    if (!copy.state().reachable) throw new DatabaseUnavailableError("The primary is away", 1);
    await inTime(write(), app.ports.timer);
  } catch (error) {
    if (!(error instanceof DatabaseUnavailableError)) throw error;
    const { resource, operation, targetOrgId, targetRecordId, result, errorCode } = event;
    app.ports.logger.log({
      level: "error",
      message: "An anonymous call left no row in audit_events",
      requestId: call.request.requestId,
      error,
      fields: { resource, operation, targetOrgId, targetRecordId, result, errorCode },
    });
  }
}

const AUDIT_MAX_MS = 2000;

/**
 * Limits the wait for the audit write: a stalled server would delay the answer. A row that is written later is in the log, too.
 */
async function inTime(write: Promise<void>, timer: Timer | undefined): Promise<void> {
  if (timer === undefined) return await write;
  const late = Promise.withResolvers<never>();
  const stop = timer.after(
    AUDIT_MAX_MS,
    () => late.reject(new DatabaseUnavailableError("The primary does not answer in time", 1)),
  );
  try {
    await Promise.race([write, late.promise]);
  } finally {
    stop();
  }
}

function resultOf({ code, status }: PublicCall): AuditEvent["result"] {
  const answered = code === null ? status ?? 200 : RUNTIME_CODES[code].status;
  return answered < 400 ? "success" : answered < 500 ? "denied" : "error";
}

function publicEvent(call: Call, told: PublicCall): AuditEvent {
  return {
    ...newAudit(call.request),
    actorUserId: told.actor,
    actorOrgId: null,
    actionName: null,
    resource: call.plan.resource.name,
    operation: call.plan.operation.kind,
    targetScope: "organization",
    targetOrgId: auditText(new URLSearchParams(call.request.search).get(SCOPE_PARAMETER)),
    targetRecordId: auditText(call.id),
    unsafeReason: null,
    result: resultOf(told),
    errorCode: told.code,
  };
}

const TEXT_KEPT_MAX = 200;

/** Returns the first columns of every row of `audit_events` (definitions 7). */
export function newAudit(
  { app, requestId, now, principal }: Admitted,
): Pick<AuditEvent, "id" | "requestId" | "createdAt" | "impersonatorUserId"> {
  const { impersonatedBy } = principal;
  return {
    id: `aud_${app.ports.random.bytes(16).toHex()}`,
    requestId,
    createdAt: now,
    ...(impersonatedBy === undefined ? {} : { impersonatorUserId: impersonatedBy }),
  };
}

/**
 * Shortens a caller's text for `audit_events`: anybody chooses these texts, so a row keeps only so much of one (definitions 7).
 */
export function auditText(text: string | null): string | null {
  if (text === null || text === "") return null;
  return text.slice(0, TEXT_KEPT_MAX).toWellFormed().replaceAll("\0", "\ufffd");
}

type Read<Of extends Call> = (call: Of) => Promise<Response>;

/**
 * Serves reads of PUBLIC records to callers with a credential (contract 5.4): the read is judged wholly as the caller, else
 * wholly as an anonymous caller, so that a sign-in never hides a record. The two never mix in a row, column or mask. The
 * caller's own refusal is the answer where the anonymous caller is refused, too.
 */
export function asAnybody<Of extends Call>(read: Read<Of>): Read<Of> {
  return (call) =>
    call.plan.gate.who !== "anyone" || call.request.principal.credential === "none"
      ? read(call)
      : readAsCaller(read, call);
}

async function readAsCaller<Of extends Call>(read: Read<Of>, call: Of): Promise<Response> {
  const { request: { principal }, plan } = call;
  try {
    return await read(call);
  } catch (error) {
    if (!isOfCaller(error)) throw error;
    const response = await readAnonymously(read, call);
    if (response === null) throw error;
    // Anonymous reads in a tenant leave an audit row, and a credential does not avoid that.
    if (plan.table.scope.organization !== null) {
      await auditPublicCall(call, { code: null, actor: actorOf(principal) });
    }
    return response;
  }
}

/** Reads as an anonymous caller; null: refused. */
async function readAnonymously<Of extends Call>(
  read: Read<Of>,
  call: Of,
): Promise<Response | null> {
  try {
    return await read({ ...call, request: call.request.asNobody() });
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/** True for a refusal that another caller might not get. */
function isOfCaller(error: unknown): boolean {
  if (!(error instanceof Refusal)) return false;
  const { layer } = RUNTIME_CODES[error.code];
  return layer === "firewall" || layer === "access";
}

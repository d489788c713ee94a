/** Anonymous calls into a tenant leave a row in `audit_events`, whatever became of them (definitions 7). */
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
  /** The code that refused it; null: it succeeded. */
  readonly code: RuntimeCode | null;
  /** The caller who was answered as nobody in particular; null: nobody is known. */
  readonly actor: string | null;
  /** Of its answer; absent: what the code says. */
  readonly status?: number;
}

export async function auditPublicCall(call: Call, told: PublicCall): Promise<void> {
  const { app, trail, method } = call.request;
  const event = publicEvent(call, told);
  const write = () => trail.write((transaction) => app.data.insertAudit(transaction, event));
  const { copy } = app.ports;
  if (!copy || method !== "GET") return await write();
  // An answer to everybody from a copy does not wait for a primary that is away (docs/decisions/topologies.md).
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

/** A server that holds still would hold the answer; what it writes later stands in the log too. */
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

/** First columns of every row of `audit_events`, and the bound on a caller's texts in it (definitions 7). */
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

/** Anybody chooses these texts: a row keeps only so much of one. */
export function auditText(text: string | null): string | null {
  if (text === null || text === "") return null;
  return text.slice(0, TEXT_KEPT_MAX).toWellFormed().replaceAll("\0", "\ufffd");
}

type Read<Of extends Call> = (call: Of) => Promise<Response>;

/**
 * Reads of PUBLIC records by whoever has a credential (contract 5.4): judged wholly as the caller, else wholly as nobody
 * in particular, so that signing in never takes a record out of sight. Never as both: no row, column or mask is a
 * mixture. The caller's own refusal stands where nobody in particular is refused too.
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
    // Anonymous reads in a tenant are told of, and a credential is no way round that.
    if (plan.table.scope.organization !== null) {
      await auditPublicCall(call, { code: null, actor: actorOf(principal) });
    }
    return response;
  }
}

/** Null: refused. */
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

/** A refusal that another caller might not meet. */
function isOfCaller(error: unknown): boolean {
  if (!(error instanceof Refusal)) return false;
  const { layer } = RUNTIME_CODES[error.code];
  return layer === "firewall" || layer === "access";
}

/** First columns of every row of `audit_events`, and the bound on a caller's texts in it (definitions 7). */
import type { RequestContext } from "../context.ts";
import type { AuditEvent } from "../data/types.ts";

const TEXT_KEPT_MAX = 200;

export function newAudit(
  { app, requestId, now }: RequestContext,
): Pick<AuditEvent, "id" | "requestId" | "createdAt"> {
  return { id: `aud_${app.ports.random.bytes(16).toHex()}`, requestId, createdAt: now };
}

/** Anybody chooses these texts: a row keeps only so much of one. */
export function auditText(text: string | null): string | null {
  if (text === null || text === "") return null;
  return text.slice(0, TEXT_KEPT_MAX).toWellFormed().replaceAll("\0", "\ufffd");
}

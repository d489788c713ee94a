/**
 * A write as its headers ask for it (contract 4.1 rule 8): under an `Idempotency-Key`, on the condition of `If-Match`, or plain.
 * Operations do not know: what they read and write is then one transaction, so that a condition still holds when it is acted
 * on. Refuses with `PRECONDITION_UNSUPPORTED` a condition that cannot anchor.
 */
import { HEADERS } from "../../contract/headers.ts";
import { anchorsRevision } from "../../surface/preconditions.ts";
import { databaseWithin } from "../data/within.ts";
import type { Admitted } from "../gate.ts";
import { requireOrganization } from "../layers/3-firewall/scope.ts";
import { requireRole } from "../layers/4-access/require_role.ts";
import { refuse } from "../refusal.ts";
import type { Call } from "./call.ts";
import { type Answered, keyedWrite } from "./keyed_write.ts";

type Handle = (call: Call) => Promise<Response>;

export async function answerWrite(call: Call, handle: Handle): Promise<Answered> {
  const { request, plan } = call;
  const { operation, takesBody } = plan;
  const { headers } = request;
  const isKeyed = headers.has(HEADERS.idempotencyKey);
  const isConditional = headers.has(HEADERS.ifMatch) || headers.has(HEADERS.ifNoneMatch);
  if (operation.method === "GET" || !(isKeyed || isConditional)) {
    return { response: await handle(call), code: null };
  }
  // Nothing foreign is awaited inside a transaction.
  const known = await plan.extras?.foresee(call) ?? request;
  const perform = (inside: Admitted) => {
    requireAnchor(headers, unanchored(call));
    return handle({ ...call, request: inside });
  };
  if (isKeyed) {
    const requireAccess = () => {
      requireOrganization(plan, request.principal);
      requireRole(operation.access, request.principal);
    };
    const { id } = operation;
    return keyedWrite({ request: known, operation: id, takesBody, perform, requireAccess });
  }
  requireAnchor(headers, unanchored(call));
  if (takesBody) await request.body.settle();
  const response = await known.database.write((transaction) =>
    perform(known.on(databaseWithin(transaction)))
  );
  return { response, code: null };
}

/** Without an anchor, `If-Match` means nothing for this reason; null: there is one. */
function unanchored({ plan: { operation, table } }: Call): string | null {
  if (anchorsRevision(operation, table)) return null;
  return table.revision === null
    ? "The record has no revision that 'If-Match' could name"
    : "'If-Match' is for writes of one existing record";
}

/** `If-None-Match` on a write asks that there be no record, which nothing here promises: it is refused, not ignored. */
export function requireAnchor(headers: Headers, unanchored: string | null): void {
  if (headers.has(HEADERS.ifNoneMatch)) refuseCondition("'If-None-Match' is for reads");
  if (headers.has(HEADERS.ifMatch) && unanchored !== null) refuseCondition(unanchored);
}

/** Ends a write whose condition means nothing here. */
export function refuseCondition(detail: string): never {
  return refuse("PRECONDITION_UNSUPPORTED", { detail });
}

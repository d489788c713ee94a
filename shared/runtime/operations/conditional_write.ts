/**
 * A write as its headers ask for it (contract 4.1 rule 8): under an `Idempotency-Key`, on the condition of `If-Match`, or plain.
 * Operations do not know: what they read and write is then one transaction, so that a condition still holds when it is acted
 * on. Refuses with `PRECONDITION_UNSUPPORTED` a condition that cannot anchor.
 */
import { HEADERS } from "../../contract/headers.ts";
import { anchorsRevision } from "../../surface/preconditions.ts";
import type { Call, RequestContext } from "../context.ts";
import { databaseWithin } from "../data/within.ts";
import { authenticate } from "../layers/1-authentication/authenticate.ts";
import { limitRate } from "../layers/2-rate-limit/limit_rate.ts";
import { requireOrganization } from "../layers/3-firewall/scope.ts";
import { requireRole } from "../layers/4-access/require_role.ts";
import type { Database, Transaction } from "../ports.ts";
import { foreseenDestination } from "../push/registration.ts";
import { refuse } from "../refusal.ts";
import { type Answered, keyedWrite } from "./keyed_write.ts";
import { rehearse } from "./rehearsal.ts";

type Handle = (call: Call) => Promise<Response>;

export async function answerWrite(call: Call, handle: Handle): Promise<Answered> {
  const { request, plan: { operation, takesBody } } = call;
  const { headers } = request;
  const isKeyed = headers.has(HEADERS.idempotencyKey);
  const isConditional = headers.has(HEADERS.ifMatch) || headers.has(HEADERS.ifNoneMatch);
  const { rehearses } = request;
  if (operation.method === "GET" || !(isKeyed || isConditional || rehearses)) {
    return { response: await handle(call), code: null };
  }
  // Nothing foreign is awaited inside a transaction: who calls, their limit and their body are known before.
  const principal = await authenticate(call);
  await limitRate(call, principal);
  const foreseen = await foreseenDestination(call);
  const perform = (database: Database) => {
    requireAnchor(call);
    const inside = onDatabase(request, database);
    return handle({ ...call, request: inside, admitted: principal, foreseen });
  };
  if (isKeyed && !rehearses) {
    const requireAccess = () => {
      requireOrganization(call, principal);
      requireRole(call, principal);
    };
    const { id } = operation;
    return keyedWrite({ request, principal, operation: id, takesBody, perform, requireAccess });
  }
  requireAnchor(call);
  if (takesBody) await request.body.settle();
  const { database } = request.app.ports;
  const within = (transaction: Transaction) => perform(databaseWithin(transaction));
  const response = await (rehearses ? rehearse(database, within) : database.write(within));
  return { response, code: null };
}

/** The same request on another database. */
export function onDatabase(request: RequestContext, database: Database): RequestContext {
  return { ...request, app: { ...request.app, ports: { ...request.app.ports, database } } };
}

/** `If-None-Match` on a write asks that there be no record, which nothing here promises: it is refused, not ignored. */
function requireAnchor({ request: { headers }, plan: { operation, table } }: Call): void {
  if (headers.has(HEADERS.ifNoneMatch)) refuseCondition("'If-None-Match' is for reads");
  if (headers.has(HEADERS.ifMatch) && !anchorsRevision(operation, table)) {
    refuseCondition(
      table.revision === null
        ? "The record has no revision that 'If-Match' could name"
        : "'If-Match' is for writes of one existing record",
    );
  }
}

/** Ends a write whose condition means nothing here. */
export function refuseCondition(detail: string): never {
  return refuse("PRECONDITION_UNSUPPORTED", { detail });
}

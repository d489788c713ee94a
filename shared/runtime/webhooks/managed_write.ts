/**
 * A caller's write of a webhook route, once per `Idempotency-Key` (contract 4.1 rule 8; extension answers, 37). Refuses with
 * `PRECONDITION_UNSUPPORTED` a condition: nothing here has a revision.
 */
import { HEADERS } from "../../contract/headers.ts";
import type { WebhookOperation } from "../../surface/webhook_operations.ts";
import { requireAnchor } from "../operations/conditional_write.ts";
import { keyedWrite } from "../operations/keyed_write.ts";
import type { Database } from "../ports.ts";
import { Refusal } from "../refusal.ts";
import {
  judgedCall,
  requireAccess,
  type ScopedCall,
  scopedCall,
  type UnjudgedCall,
  type WebhookCall,
} from "./webhook_call.ts";

/** Writes what was prepared, on this database, and answers. */
export type Effect = (database: Database) => Promise<Response>;

/** All that must not be awaited inside a transaction: the body, and what a resolver says of the destination. */
export type Preparation = (call: WebhookCall) => Promise<Effect>;

export async function answerManagedWrite(
  operation: WebhookOperation,
  unjudged: UnjudgedCall,
  prepare: Preparation,
): Promise<Response> {
  const call = scopedCall(unjudged);
  const { request, ports } = call;
  const effect = await prepared(operation, call, prepare);
  if (!request.headers.has(HEADERS.idempotencyKey)) {
    return await effect(request.database);
  }
  const { response } = await keyedWrite({
    request,
    operation: operation.id,
    takesBody: operation.body !== null,
    perform: ({ database }) => effect(database),
    requireAccess: () => requireAccess(operation, call),
    secrets: ports.secrets,
  });
  return response;
}

/** A refusal waits for its turn: what was answered before under the same key is answered again, whatever holds by now. */
async function prepared(
  operation: WebhookOperation,
  call: ScopedCall,
  prepare: Preparation,
): Promise<Effect> {
  try {
    const judged = judgedCall(operation, call);
    requireAnchor(call.request.headers, UNANCHORED);
    return await prepare(judged);
  } catch (error) {
    if (error instanceof Refusal) return () => Promise.reject(error);
    throw error;
  }
}

const UNANCHORED = "Webhook endpoints and events have no revision that 'If-Match' could name";

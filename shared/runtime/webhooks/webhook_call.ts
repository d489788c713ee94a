/**
 * Runs one call of a webhook route: its gate, its scope and its query, through the layers in their order (contract 1.3, 4.5).
 * Refuses with `ACCESS_ROLE_REQUIRED` and `VALIDATION_INVALID_INPUT`.
 */
import { HEADERS, MASKED_PAYLOAD, MASKED_SECRET, REDACTED } from "../../contract/mod.ts";
import { pointerTo } from "../../lib/json.ts";
import type { JsonValue } from "../../model/mod.ts";
import type { RouteQuery, SystemRoute } from "../../surface/mod.ts";
import type { DeliveryRow, Page, PageRows } from "../data/webhooks/deliveries.ts";
import type { EndpointRow, WebhookScope } from "../data/webhooks/endpoints.ts";
import type { AttributedEvent } from "../data/webhooks/events.ts";
import { type Admitted, type Gate, serviceGate } from "../gate.ts";
import { requireRule, rolesHeldBy } from "../layers/4-access/require_role.ts";
import { type Anchor, refuseCursor, sealedCursors, startOf } from "../operations/cursors.ts";
import { keyedWrite } from "../operations/keyed_write.ts";
import { requireAnchor } from "../operations/write_record.ts";
import type { Database, WebhookPorts } from "../ports.ts";
import { Refusal, refuse, requireQuery } from "../refusal.ts";
import { jsonResponse, linkBaseOf, linkedPage } from "../response/record.ts";

/** One call that access and the validation of its query have admitted. */
export interface WebhookCall extends ScopedCall {
  readonly query: RouteQuery;
}

interface ScopedCall extends UnjudgedCall {
  /** The active organization; without one, the user. */
  readonly scope: WebhookScope;
}

export interface UnjudgedCall {
  readonly request: Admitted;
  readonly ports: WebhookPorts;
  /** The id of the path; empty where the path has none. */
  readonly id: string;
}

/** Returns the call with its scope. Refuses a caller without an organization and without an account. */
export function scopedCall(call: UnjudgedCall): ScopedCall {
  const { principal } = call.request;
  const { organizationId, userId } = principal;
  if (organizationId !== null) {
    return { ...call, scope: { kind: "organization", id: organizationId } };
  }
  if (userId !== null) return { ...call, scope: { kind: "user", id: userId } };
  return refuse("ACCESS_ROLE_REQUIRED", {
    detail: "Webhook endpoints belong to an organization or an account",
    details: { required: ["SESSION"], current: [...rolesHeldBy(principal)] },
  });
}

export function judgedCall(operation: SystemRoute, call: ScopedCall): WebhookCall {
  requireAccess(operation, call.request);
  return { ...call, query: requireQuery(operation, call.request.search) };
}

/** Returns the gate of a route that manages the service's own records. */
export function managedGate(route: SystemRoute, home: Gate["home"] = "either"): Gate {
  return { ...serviceGate(route), hasMiddlewares: true, home };
}

export function requireAccess({ rule }: SystemRoute, { principal }: Admitted): void {
  if (rule !== null) requireRule(rule, principal);
}

/** Refuses a body because of one member. */
export function refuseField(name: string, message: string): never {
  return refuse("VALIDATION_ERROR", {
    detail: message,
    details: { fields: { [name]: message } },
    pointer: pointerTo(name),
  });
}

/** Performs the prepared write on this database, and answers. */
export type Effect = (database: Database) => Promise<Response>;

/**
 * Prepares a write with everything that must not be awaited inside a transaction: the body, and the resolution of the
 * destination.
 */
export type Preparation = (call: WebhookCall) => Promise<Effect>;

/**
 * Answers a caller's write of a webhook route, once per `Idempotency-Key` (contract 4.1 rule 8; extension answers, 37). Refuses
 * a condition with `PRECONDITION_UNSUPPORTED`: these records have no revision.
 */
export async function answerManagedWrite(
  operation: SystemRoute,
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
    requireAccess: () => requireAccess(operation, call.request),
    secrets: ports.secrets,
  });
  return response;
}

/**
 * Prepares the write. A refusal is kept until the key was looked up: an earlier answer under the same key is repeated, whatever
 * is true by now.
 */
async function prepared(
  operation: SystemRoute,
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

type Json = Readonly<Record<string, JsonValue>>;

/** Answers with records and pages of the webhook routes (contract 2.5, 2.8–2.10). */
export function recordAnswer(record: Json, status: 200 | 201 = 200): Response {
  return jsonResponse(JSON.stringify(record), status);
}

/** Returns an endpoint's record; only the answer to the registration contains its secret. */
export function endpointRecord(row: EndpointRow, secret = MASKED_SECRET): Json {
  const { id, name, url, events, enabled, createdAt } = row;
  return { id, name, url, secret, events: [...events], enabled, createdAt };
}

export function deliveryRecord({ payload, ...row }: DeliveryRow): Json {
  const { id, endpointId, eventType, ...rest } = row;
  return { id, endpointId, eventType, payload: JSON.parse(payload), ...rest };
}

/**
 * Returns an event as an organization sees it: the payload where the provider's code named the organization, a handler's
 * message only where it can concern no other organization.
 */
export function attributedRecord({ isNamed, isAlone, ...row }: AttributedEvent): Json {
  return {
    ...row,
    payload: isNamed ? row.payload : MASKED_PAYLOAD,
    error: isAlone || row.error === null ? row.error : REDACTED,
  };
}

/**
 * Answers pages of the webhook lists by cursor (extension answers, 37), and by `offset`. A cursor is valid for its caller's
 * scope and its list; any other is refused with `VALIDATION_INVALID_INPUT`.
 */
export async function answerPage<Row>(
  call: PagedCall,
  { select, recordOf }: {
    readonly select: (page: Page) => Promise<PageRows<Row>>;
    readonly recordOf: (row: Row) => Json;
  },
): Promise<Response> {
  const { request, scope, list = request.path, query: { limit, offset } } = call;
  const binding = JSON.stringify(["webhook cursor 1", scope.kind, scope.id, list]);
  const anchor = await anchorOf(call, binding);
  const { rows, ...found } = await select({ limit, offset, from: anchor?.from ?? null });
  const records = rows.map(recordOf);
  const answered = { page: { ...found, records }, anchor, offset };
  const { next, previous } = await sealedCursors(request.app.cursors, binding, answered);
  const pagination = {
    count: records.length,
    page: Math.floor(startOf(answered) / limit) + 1,
    pageSize: limit,
    hasMore: found.hasMore,
    nextCursor: next,
    prevCursor: previous,
  };
  const answer = jsonResponse(JSON.stringify({ data: records, view: null, pagination }), 200);
  return linkedPage(answer, linkBaseOf(request), {
    next: next === null ? null : ["starting_after", next],
    prev: previous === null ? null : ["ending_before", previous],
  });
}

interface PagedCall extends Pick<WebhookCall, "request" | "scope" | "query"> {
  /** Names the list to which cursors belong; absent: its path does. */
  readonly list?: string;
}

async function anchorOf(
  { request, query: { cursor } }: PagedCall,
  binding: string,
): Promise<Anchor | null> {
  if (cursor === null) return null;
  const { direction, parameter, text } = cursor;
  const position = await request.app.cursors.open(binding, text);
  if (position?.place.kind !== "values") return refuseCursor(parameter);
  return { from: { direction, values: position.place.values }, index: position.index };
}

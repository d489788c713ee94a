/**
 * One call of a webhook route: its gate, within what it is, and its query; the layers in their order (contract 1.3, 4.5).
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

/** One call, once access and validation of its query let it pass. */
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
  /** Of the path; empty where the path has none. */
  readonly id: string;
}

/** Refuses a caller without an organization and without an account. */
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

/** The gate of a route by which the service's own records are managed. */
export function managedGate(route: SystemRoute, home: Gate["home"] = "either"): Gate {
  return { ...serviceGate(route), hasMiddlewares: true, home };
}

export function requireAccess({ rule }: SystemRoute, { principal }: Admitted): void {
  if (rule !== null) requireRule(rule, principal);
}

/** Refuses a member of a body, or the body for it. */
export function refuseField(name: string, message: string): never {
  return refuse("VALIDATION_ERROR", {
    detail: message,
    details: { fields: { [name]: message } },
    pointer: pointerTo(name),
  });
}

/** Writes what was prepared, on this database, and answers. */
export type Effect = (database: Database) => Promise<Response>;

/** All that must not be awaited inside a transaction: the body, and what a resolver says of the destination. */
export type Preparation = (call: WebhookCall) => Promise<Effect>;

/**
 * A caller's write of a webhook route, once per `Idempotency-Key` (contract 4.1 rule 8; extension answers, 37). Refuses
 * with `PRECONDITION_UNSUPPORTED` a condition: nothing here has a revision.
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

/** A refusal waits for its turn: what was answered before under the same key is answered again, whatever holds by now. */
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

/** Records and pages of the webhook routes as answers (contract 2.5, 2.8–2.10). */
export function recordAnswer(record: Json, status: 200 | 201 = 200): Response {
  return jsonResponse(JSON.stringify(record), status);
}

/** With its secret only in the answer to the registration. */
export function endpointRecord(row: EndpointRow, secret = MASKED_SECRET): Json {
  const { id, name, url, events, enabled, createdAt } = row;
  return { id, name, url, secret, events: [...events], enabled, createdAt };
}

export function deliveryRecord({ payload, ...row }: DeliveryRow): Json {
  const { id, endpointId, eventType, ...rest } = row;
  return { id, endpointId, eventType, payload: JSON.parse(payload), ...rest };
}

/**
 * An event as an organization sees it: the payload where the provider's code named it, a handler's message where it can be of
 * nobody else.
 */
export function attributedRecord({ isNamed, isAlone, ...row }: AttributedEvent): Json {
  return {
    ...row,
    payload: isNamed ? row.payload : MASKED_PAYLOAD,
    error: isAlone || row.error === null ? row.error : REDACTED,
  };
}

/**
 * Pages of the webhook lists by cursor (extension answers, 37), and by `offset`. A cursor is good for its caller's scope
 * and its list; any other is refused with `VALIDATION_INVALID_INPUT`.
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

/** Records and pages of the webhook routes as answers (contract 2.5, 2.8–2.10). */
import { MASKED_PAYLOAD, MASKED_SECRET } from "../../contract/webhooks.ts";
import type { JsonValue } from "../../model/table.ts";
import type { Principal } from "../../model/principal.ts";
import type { RequestContext } from "../context.ts";
import type { DeliveryRow } from "../data/webhooks/deliveries.ts";
import type { EndpointRow } from "../data/webhooks/endpoints.ts";
import type { EventRow } from "../data/webhooks/events.ts";
import type { Page, PageRows } from "../data/webhooks/page.ts";
import {
  type Anchor,
  type PageCursors,
  refuseCursor,
  sealedCursors,
  startOf,
} from "../operations/cursors.ts";
import { jsonResponse, linkedPage } from "../response/record.ts";
import type { WebhookCall } from "./webhook_call.ts";

interface PageOptions {
  readonly request: Pick<RequestContext, "path" | "search">;
  readonly limit: number;
  /** Records before the page. */
  readonly start: number;
  readonly hasMore: boolean;
  readonly cursors: PageCursors;
}

export type Json = Readonly<Record<string, JsonValue>>;

export function recordAnswer(record: Json, status: 200 | 201 = 200): Response {
  return jsonResponse(JSON.stringify(record), status);
}

function pageAnswer(
  data: readonly Json[],
  { request, limit, start, hasMore, cursors: { next, previous } }: PageOptions,
): Response {
  const pagination = {
    count: data.length,
    page: Math.floor(start / limit) + 1,
    pageSize: limit,
    hasMore,
    nextCursor: next,
    prevCursor: previous,
  };
  const page = jsonResponse(JSON.stringify({ data, view: null, pagination }), 200);
  return linkedPage(page, request, {
    next: next === null ? null : ["starting_after", next],
    prev: previous === null ? null : ["ending_before", previous],
  });
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

/** Events belong to no tenant: who is admin of one sees that they came, not what they say of others (docs/security.md). */
export function eventRecord(
  row: EventRow,
  { multiTenant, principal: { userRole } }: {
    readonly multiTenant: boolean;
    readonly principal: Principal;
  },
): Json {
  return multiTenant && userRole === null ? { ...row, payload: MASKED_PAYLOAD } : { ...row };
}

/**
 * Pages of the webhook lists by cursor (extension answers, 37), and by `offset`. A cursor is good for its caller's scope
 * and its list; any other is refused with `VALIDATION_INVALID_INPUT`.
 */
export async function answerPage<Row>(
  call: WebhookCall,
  { select, recordOf }: {
    readonly select: (page: Page) => Promise<PageRows<Row>>;
    readonly recordOf: (row: Row) => Json;
  },
): Promise<Response> {
  const { request, scope, query: { limit, offset } } = call;
  const binding = JSON.stringify(["webhook cursor 1", scope.kind, scope.id, request.path]);
  const anchor = await anchorOf(call, binding);
  const { rows, ...found } = await select({ limit, offset, from: anchor?.from ?? null });
  const records = rows.map(recordOf);
  const answered = { page: { ...found, records }, anchor, offset };
  return pageAnswer(records, {
    request,
    limit,
    start: startOf(answered),
    hasMore: found.hasMore,
    cursors: await sealedCursors(request.app.cursors, binding, answered),
  });
}

async function anchorOf(
  { request, query: { cursor } }: WebhookCall,
  binding: string,
): Promise<Anchor | null> {
  if (cursor === null) return null;
  const { direction, parameter, text } = cursor;
  const position = await request.app.cursors.open(binding, text);
  if (position?.place.kind !== "values") return refuseCursor(parameter);
  return { from: { direction, values: position.place.values }, index: position.index };
}

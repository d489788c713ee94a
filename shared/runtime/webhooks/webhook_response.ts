/** Records and pages of the webhook routes as answers (contract 2.5, 2.8–2.10). */
import { MASKED_PAYLOAD, MASKED_SECRET } from "../../contract/webhooks.ts";
import type { JsonValue } from "../../model/column.ts";
import type { Principal } from "../../model/principal.ts";
import type { DeliveryRow } from "../data/webhooks/deliveries.ts";
import type { EndpointRow, Page } from "../data/webhooks/endpoints.ts";
import type { EventRow } from "../data/webhooks/events.ts";
import type { RequestContext } from "../context.ts";
import { linkedPage } from "../response/page_links.ts";
import { jsonResponse } from "../response/record.ts";

interface PageCall {
  readonly request: Pick<RequestContext, "path" | "search">;
  readonly query: Page;
}

type Json = Readonly<Record<string, JsonValue>>;

export function recordAnswer(record: Json, status: 200 | 201 = 200): Response {
  return jsonResponse(JSON.stringify(record), status);
}

/** `records` may hold one more than the page, which tells that there are more. */
export function pageAnswer(
  records: readonly Json[],
  { request, query: { limit, offset } }: PageCall,
): Response {
  const data = records.slice(0, limit);
  const pagination = {
    count: data.length,
    page: Math.floor(offset / limit) + 1,
    pageSize: limit,
    hasMore: records.length > limit,
    nextCursor: null,
    prevCursor: null,
  };
  const page = jsonResponse(JSON.stringify({ data, view: null, pagination }), 200);
  return linkedPage(page, request, {
    next: pagination.hasMore ? ["offset", String(offset + limit)] : null,
    prev: offset > 0 ? ["offset", String(Math.max(0, offset - limit))] : null,
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

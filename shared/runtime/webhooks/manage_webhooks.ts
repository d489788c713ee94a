/** Manages outbound endpoints (contract 4.5, definitions 7): each function answers one route, or prepares its write. */
import { DELIVERY_STATUSES, EVENT_STATUSES, HEADERS, TEST_EVENT } from "../../contract/mod.ts";
import { endpointCreate, endpointUpdate } from "../../surface/mod.ts";
import { newDelivery } from "../authored/emit_event.ts";
import type { Page, PageRows } from "../data/webhooks/deliveries.ts";
import { insertDeliveries, selectDeliveries, selectDelivery } from "../data/webhooks/deliveries.ts";
import * as stored from "../data/webhooks/endpoints.ts";
import { renewEvent, selectEvent, selectEventOf } from "../data/webhooks/events.ts";
import { selectEvents, selectEventsOf } from "../data/webhooks/events.ts";
import { checkDestination } from "../destination/check_destination.ts";
import { refuse } from "../refusal.ts";
import { requireFields } from "../request/body.ts";
import { deletedResponse } from "../response/record.ts";
import * as calls from "./webhook_call.ts";
import { newSecret } from "./outbound/secret.ts";

export async function registerEndpoint(call: calls.WebhookCall): Promise<calls.Effect> {
  const fields = requireFields(endpointCreate, await call.request.body.object());
  requireKnownEvents(call, fields.events);
  await requireDestination(call, fields.url);
  const secret = newSecret(call.request.app.ports.random);
  const id = `wep_${call.request.app.ports.random.bytes(16).toHex()}`;
  const row = {
    ...fields,
    id,
    secret: await call.ports.secrets.seal(id, secret),
    previousSecrets: [],
    enabled: true,
    createdAt: call.request.now,
  };
  const { maxEndpoints } = call.request.app.project.webhooks;
  return async (database) => {
    await database.write(async (transaction) => {
      if (await stored.countEndpoints(transaction, call.scope) >= maxEndpoints) {
        refuse("WEBHOOK_ENDPOINT_LIMIT", { details: { limit: maxEndpoints } });
      }
      const owner = { scope: call.scope, createdBy: call.request.principal.userId };
      await stored.insertEndpoint(transaction, row, owner);
    });
    const response = calls.recordAnswer(calls.endpointRecord(row, secret), 201);
    response.headers.set(HEADERS.location, `${call.request.path}/${row.id}`);
    return response;
  };
}

/** Refuses an exact name that nothing emits, where the project lists its events; a pattern may match later ones. */
function requireKnownEvents(call: calls.WebhookCall, events: readonly string[]): void {
  const { endpointEvents: known } = call.request.app.project.webhooks;
  const unknown = events.find((name) => !name.endsWith("*") && known?.includes(name) === false);
  if (unknown === undefined) return;
  const names = known?.join(", ");
  calls.refuseField("events", `There is no event "${unknown}"; there are ${names}, and <prefix>.*`);
}

export async function listEndpoints(call: calls.WebhookCall): Promise<Response> {
  const { request, scope } = call;
  return await calls.answerPage(call, {
    select: (page) => stored.selectEndpoints(request.database, scope, page),
    recordOf: (row) => calls.endpointRecord(row),
  });
}

export async function getEndpoint(call: calls.WebhookCall): Promise<Response> {
  return calls.recordAnswer(calls.endpointRecord(await requireEndpoint(call)));
}

export async function updateOneEndpoint(call: calls.WebhookCall): Promise<calls.Effect> {
  const { request, scope } = call;
  const endpoint = await requireEndpoint(call);
  const fields = requireFields(endpointUpdate, await request.body.object());
  if (fields.events !== undefined) requireKnownEvents(call, fields.events);
  if (fields.url !== undefined) await requireDestination(call, fields.url);
  const { name, url, events, enabled } = fields;
  const change = {
    id: endpoint.id,
    ...(name === undefined ? {} : { name }),
    ...(url === undefined ? {} : { url }),
    ...(events === undefined ? {} : { events }),
    ...(enabled === undefined ? {} : { enabled }),
  };
  return async (database) => {
    const row = await database.write((transaction) =>
      stored.updateEndpoint(transaction, scope, change)
    );
    return row === null ? refuseMiss() : calls.recordAnswer(calls.endpointRecord(row));
  };
}

export function deleteOneEndpoint({ scope, id }: calls.WebhookCall): Promise<calls.Effect> {
  return Promise.resolve(async (database) => {
    const isDeleted = await database.write((transaction) =>
      stored.deleteEndpoint(transaction, scope, id)
    );
    return isDeleted ? deletedResponse() : refuseMiss();
  });
}

export async function listDeliveries(call: calls.WebhookCall): Promise<Response> {
  const { request, query } = call;
  const { id } = await requireEndpoint(call);
  const status = DELIVERY_STATUSES.find((known) => known === query.values.get("status")) ?? null;
  return await calls.answerPage(call, {
    select: (page) => selectDeliveries(request.database, id, status, page),
    recordOf: calls.deliveryRecord,
  });
}

/** Sends a test event. The delivery uses the queue as any other: a slow endpoint does not delay the caller. */
export async function testEndpoint(call: calls.WebhookCall): Promise<calls.Effect> {
  const endpoint = await requireEndpoint(call);
  await requireDestination(call, endpoint.url);
  const content = { endpointId: endpoint.id, eventType: TEST_EVENT, payload: "{}" };
  const delivery = newDelivery(content, call.request.app.ports);
  return async (database) => {
    const row = await database.write(async (transaction) => {
      await insertDeliveries(transaction, [delivery]);
      return await selectDelivery(transaction, delivery.id);
    });
    if (row === null) throw new Error("The inserted delivery cannot be read");
    return calls.recordAnswer(calls.deliveryRecord(row));
  };
}

export async function rotateSecret(call: calls.WebhookCall): Promise<calls.Effect> {
  const { request: { app: { ports } }, scope, id } = call;
  const secret = newSecret(ports.random);
  const sealed = await call.ports.secrets.seal(id, secret);
  const rotation = { id, secret: sealed, now: ports.clock.now() };
  return async (database) => {
    const isRotated = await database.write((transaction) =>
      stored.rotateEndpointSecret(transaction, scope, rotation)
    );
    return isRotated ? calls.recordAnswer({ id, secret }) : refuseMiss();
  };
}

export async function listEventTypes(call: calls.WebhookCall): Promise<Response> {
  const { events } = call.request.app.project.webhooks;
  return await calls.answerPage(call, {
    select: (page) => Promise.resolve(typesOn(page, events)),
    recordOf: (type) => ({ type }),
  });
}

/** Returns the event types of a page. A cursor at a type that a later release no longer sends points before the first one. */
function typesOn({ limit, offset, from }: Page, all: readonly string[]): PageRows<string> {
  const at = all.indexOf(String(from?.values[0]));
  const isBackward = from?.direction === "before";
  const start = from === null ? offset : isBackward ? Math.max(0, at - limit) : at + 1;
  const end = isBackward ? Math.max(0, at) : start + limit;
  const rows = all.slice(start, end);
  const placeOf = (type: string | undefined) => type === undefined ? null : [type];
  return {
    rows,
    hasMore: isBackward ? start > 0 : end < all.length,
    first: placeOf(rows[0]),
    last: placeOf(rows.at(-1)),
  };
}

async function requireEndpoint(
  { request, scope, id }: calls.WebhookCall,
): Promise<stored.EndpointRow> {
  return await stored.selectEndpoint(request.database, scope, id) ?? refuseMiss();
}

/** Refuses missing and foreign endpoints alike. */
function refuseMiss(): never {
  return refuse("FIREWALL_NOT_FOUND");
}

/**
 * Refuses with `VALIDATION_ERROR` a destination that is not public, and with `WEBHOOK_RESOLVER_UNAVAILABLE` one that cannot be
 * resolved.
 */
async function requireDestination(
  { request, ports }: calls.WebhookCall,
  url: string,
): Promise<void> {
  const allowInsecure = request.app.project.database.webhookAllowInsecure;
  const verdict = await checkDestination(url, { allowInsecure, resolver: ports.resolver });
  if (verdict.kind === "refused") calls.refuseField("url", verdict.reason);
  if (verdict.kind === "unresolved") {
    refuse("WEBHOOK_RESOLVER_UNAVAILABLE", { detail: verdict.reason });
  }
}

/** Lists inbound events, for platform roles and for an organization's own (contract 4.6, definitions 7). */
export async function listInboundEvents(call: calls.WebhookCall): Promise<Response> {
  const { request: { database }, query } = call;
  const status = EVENT_STATUSES.find((known) => known === query.values.get("status")) ?? null;
  const organizationId = onlyOrganizationOf(call);
  if (organizationId === null) {
    return await calls.answerPage(call, {
      select: (page) => selectEvents(database, status, page),
      recordOf: (row) => ({ ...row }),
    });
  }
  return await calls.answerPage(call, {
    select: (page) => selectEventsOf(database, organizationId, { status, page }),
    recordOf: calls.attributedRecord,
  });
}

/** Queues an inbound event again. Refuses with `FIREWALL_NOT_FOUND` and `WEBHOOK_EVENT_NOT_FAILED`. */
export function retryInboundEvent(call: calls.WebhookCall): Promise<calls.Effect> {
  const { id } = call;
  const organizationId = onlyOrganizationOf(call);
  return Promise.resolve(async (database) => {
    const record = await database.write(async (transaction) => {
      const own = organizationId === null
        ? null
        : await selectEventOf(transaction, organizationId, id);
      // A second run of the event would affect other organizations, too.
      if (organizationId !== null && own?.isAlone !== true) refuseMiss();
      const isRenewed = await renewEvent(transaction, id);
      const event = await selectEvent(transaction, id) ?? refuse("FIREWALL_NOT_FOUND");
      if (!isRenewed) refuse("WEBHOOK_EVENT_NOT_FAILED", { details: { status: event.status } });
      return own ? calls.attributedRecord({ ...own, ...event }) : { ...event };
    });
    return calls.recordAnswer(record);
  });
}

/**
 * Returns the only organization whose events the caller may see; null: all events, by a platform role or because there are no
 * organizations.
 */
function onlyOrganizationOf(
  { request: { app: { project }, principal } }: calls.WebhookCall,
): string | null {
  if (!project.multiTenant || principal.userRole !== null) return null;
  if (principal.organizationId !== null) return principal.organizationId;
  throw new Error("Whoever is in no organization needs a platform role");
}

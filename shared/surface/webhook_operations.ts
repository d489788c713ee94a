/** Lists a model's webhook routes (contract 4.5, 4.6). */
import { DELIVERY_STATUSES, EVENT_STATUSES, PLATFORM_ROLES } from "../contract/mod.ts";
import { WEBHOOK_BASE } from "../contract/mod.ts";
import type { RuntimeCode } from "../contract/mod.ts";
import { attributes, isPerOrganization, type ProjectModel } from "../model/mod.ts";
import { JSON_BODY_CODES, RECEIVING_CODES } from "./codes.ts";
import { admitting, type ManagedDeclaration, managedRoute, pageOf } from "./managed_route.ts";
import { pascalCase } from "./names.ts";
import { WEBHOOKS_TAG } from "./route.ts";
import { DELETED } from "./schema/envelopes.ts";
import { closed } from "./schema/json_schema.ts";
import * as schema from "./schema/webhooks.ts";
import { answer, bodyOf, ok, type SystemRoute, systemRoute } from "./system_route.ts";

export type ManagedWebhookKind =
  | "registerEndpoint"
  | "listEndpoints"
  | "getEndpoint"
  | "updateEndpoint"
  | "deleteEndpoint"
  | "listDeliveries"
  | "testEndpoint"
  | "rotateSecret"
  | "listEventTypes"
  | "listInboundEvents"
  | "retryInboundEvent";

export type WebhookOperationKind = ManagedWebhookKind | "receive";

export type WebhookOperation = SystemRoute<WebhookOperationKind>;

/** Roles that manage endpoints in a project with organizations (definitions 7). */
const ENDPOINT_ROLES: readonly string[] = ["owner", "admin"];
/** Roles that read received events (contract 4.6). An organization's owner sees the same as its admin. */
const INBOUND_ROLES: readonly string[] = ["admin", "sysadmin", "appmanager"];

export function webhookOperationsOf(project: ProjectModel): readonly WebhookOperation[] {
  const { outbound, inbound } = project.webhooks;
  return [
    ...(outbound ? endpointRoutes(project) : []),
    ...inbound.map(receiving),
    ...(inbound.length > 0 ? eventRoutes(project) : []),
  ];
}

/** Returns the route that receives a provider's events. */
function receiving(provider: string): WebhookOperation {
  return systemRoute<WebhookOperationKind>({
    kind: "receive",
    id: receivingId(provider),
    tag: WEBHOOKS_TAG,
    listedAs: "webhook",
    method: "POST",
    path: `${WEBHOOK_BASE}/inbound/${provider}`,
    summary: `Receive a webhook from ${provider}`,
    description:
      "The body is the provider's, byte for byte, under its signature. An event that was received before is not processed again.",
    who: "unasked",
    open: "whoever signs with the provider's secret",
    body: bodyOf({ type: "object" }, {}),
    answers: ok(closed({ received: { const: true }, duplicate: { type: "boolean" } }), {
      received: true,
      duplicate: false,
    }),
    codes: [
      "WEBHOOK_SIGNATURE_INVALID",
      ...RECEIVING_CODES,
      "INVALID_JSON",
      "VALIDATION_ERROR",
    ],
  });
}

export function receivingId(provider: string): string {
  return `webhookReceive${pascalCase(provider)}`;
}

type Declaration = ManagedDeclaration<ManagedWebhookKind>;

function webhookRoute(
  declared: Declaration,
  admits: string,
  project: ProjectModel,
): SystemRoute<ManagedWebhookKind> {
  const { path, kind, codes = [] } = declared;
  const gone = isPerOrganization(project) ? ["FIREWALL_ORG_ISOLATION" as const] : [];
  return managedRoute(
    { ...declared, path: WEBHOOK_BASE + path, codes: [...codes, ...gone] },
    {
      id: `webhook${pascalCase(kind)}`,
      tag: WEBHOOKS_TAG,
      listedAs: "webhook",
      bucket: "webhook-endpoints",
      admits,
    },
    project,
  );
}

const BODY_CODES: readonly RuntimeCode[] = [...JSON_BODY_CODES, "VALIDATION_ERROR"];
const DESTINATION_CODES: readonly RuntimeCode[] = [
  "VALIDATION_ERROR",
  "WEBHOOK_RESOLVER_UNAVAILABLE",
];

/** Returns the routes of endpoints. Users manage their own; managers of an organization manage its endpoints. */
function endpointRoutes(project: ProjectModel): readonly WebhookOperation[] {
  const { database, webhooks } = project;
  const known = { allowInsecure: database.webhookAllowInsecure, events: webhooks.endpointEvents };
  const body = (fields: Parameters<typeof schema.webhookBodySchema>[0]) =>
    schema.webhookBodySchema(fields, known);
  const rule = { roles: ENDPOINT_ROLES, outside: "account" } as const;
  const admits = admitting(
    rule.roles,
    " of the active organization; without one, the caller has endpoints of their own",
  );
  const { name, url, events } = schema.ENDPOINT_EXAMPLE;
  const bodies: Partial<Record<ManagedWebhookKind, SystemRoute["body"]>> = {
    registerEndpoint: bodyOf(body(schema.endpointCreate), { name, url, events: [...events] }),
    updateEndpoint: bodyOf(body(schema.endpointUpdate), { enabled: false }),
  };
  return ENDPOINT_ROUTES.map((one) =>
    webhookRoute({ ...one, rule, body: bodies[one.kind] ?? null }, admits, project)
  );
}

const ENDPOINT_ROUTES: readonly Declaration[] = [
  {
    kind: "registerEndpoint",
    method: "POST",
    path: "/endpoints",
    summary: "Register a webhook endpoint",
    description:
      "The only answer that carries the signing secret. The URL must be public, and is resolved before it is accepted.",
    rate: "create",
    answers: {
      201: answer(schema.ENDPOINT, { ...schema.ENDPOINT_EXAMPLE, secret: "whsec_<secret>" }, {
        headers: { Location: "Location" },
      }),
    },
    codes: [...BODY_CODES, ...DESTINATION_CODES, "WEBHOOK_ENDPOINT_LIMIT"],
  },
  {
    kind: "listEndpoints",
    method: "GET",
    path: "/endpoints",
    summary: "List webhook endpoints",
    description: "The newest first.",
    rate: "read",
    page: { statuses: [] },
    answers: pageOf(schema.ENDPOINT, schema.ENDPOINT_EXAMPLE),
  },
  {
    kind: "getEndpoint",
    method: "GET",
    path: "/endpoints/:id",
    summary: "Read a webhook endpoint",
    description: "The secret is masked.",
    rate: "read",
    answers: ok(schema.ENDPOINT, schema.ENDPOINT_EXAMPLE),
  },
  {
    kind: "updateEndpoint",
    method: "PATCH",
    path: "/endpoints/:id",
    summary: "Update a webhook endpoint",
    description:
      "Fields that the body leaves out stay as they are. A new URL is judged as at registration.",
    rate: "update",
    answers: ok(schema.ENDPOINT, { ...schema.ENDPOINT_EXAMPLE, enabled: false }),
    codes: [...BODY_CODES, ...DESTINATION_CODES],
  },
  {
    kind: "deleteEndpoint",
    method: "DELETE",
    path: "/endpoints/:id",
    summary: "Delete a webhook endpoint",
    description: "Deliveries that are still pending fail.",
    rate: "delete",
    answers: ok(DELETED, { success: true }),
  },
  {
    kind: "listDeliveries",
    method: "GET",
    path: "/endpoints/:id/deliveries",
    summary: "List the deliveries of an endpoint",
    description: "The newest first.",
    rate: "read",
    page: { statuses: DELIVERY_STATUSES },
    answers: pageOf(schema.DELIVERY, schema.DELIVERY_EXAMPLE),
  },
  {
    kind: "testEndpoint",
    method: "POST",
    path: "/endpoints/:id/test",
    summary: "Send a test event",
    description: "Queues a delivery of `webhook.test`; its record tells later how it went.",
    rate: "create",
    answers: ok(schema.DELIVERY, {
      ...schema.DELIVERY_EXAMPLE,
      eventType: "webhook.test",
      payload: {},
      status: "pending",
    }),
    codes: [...DESTINATION_CODES],
  },
  {
    kind: "rotateSecret",
    method: "POST",
    path: "/endpoints/:id/rotate-secret",
    summary: "Replace the signing secret",
    description: "The old secret signs beside the new one for 24 hours.",
    rate: "update",
    answers: ok(
      closed({
        id: { type: "string", pattern: "^wep_" },
        secret: { type: "string", pattern: "^whsec_" },
      }),
      { id: schema.ENDPOINT_EXAMPLE.id, secret: "whsec_<secret>" },
    ),
  },
  {
    kind: "listEventTypes",
    method: "GET",
    path: "/events",
    summary: "List event types",
    description: "Names that this API emits or recommends; an endpoint may ask for any other.",
    rate: "read",
    page: { statuses: [] },
    answers: pageOf(closed({ type: { type: "string" } }), { type: "user.created" }),
  },
];

/** Returns the routes of received events. They belong to the service, or to the organization that is named for them. */
function eventRoutes(project: ProjectModel): readonly WebhookOperation[] {
  const roles = attributes(project) ? ["owner", ...INBOUND_ROLES] : INBOUND_ROLES;
  const rule = { roles, outside: project.multiTenant ? PLATFORM_ROLES : roles };
  return EVENT_ROUTES.map((one) => webhookRoute({ ...one, rule }, admitting(roles), project));
}

const EVENT_ROUTES: readonly Declaration[] = [
  {
    kind: "listInboundEvents",
    method: "GET",
    path: "/inbound/events",
    summary: "List inbound events",
    description:
      "The newest first. `sysadmin` and `appmanager` see all; `owner` and `admin` of an organization those that are attributed to it, with the payload where the provider's code named it.",
    rate: "read",
    page: { statuses: EVENT_STATUSES },
    answers: pageOf(schema.INBOUND_EVENT, schema.INBOUND_EVENT_EXAMPLE),
  },
  {
    kind: "retryInboundEvent",
    method: "POST",
    path: "/inbound/events/:id/retry",
    summary: "Process a failed inbound event again",
    description:
      "Puts the event back in the queue with all of its attempts. `owner` and `admin` of an organization may where it is attributed to no other one.",
    rate: "update",
    answers: ok(schema.INBOUND_EVENT, {
      ...schema.INBOUND_EVENT_EXAMPLE,
      status: "received",
      attempts: 0,
      processedAt: null,
    }),
    codes: ["WEBHOOK_EVENT_NOT_FAILED"],
  },
];

/** The webhook routes that a model implies: the one list behind the router, OpenAPI and the manifest (contract 4.5, 4.6). */
import type { RateOperation, RuntimeCode } from "../contract/mod.ts";
import { DELIVERY_STATUSES, EVENT_STATUSES, WEBHOOK_BASE } from "../contract/mod.ts";
import { pageExample } from "./schema/examples.ts";
import { attributes, isPerOrganization, type JsonValue, type ProjectModel } from "../model/mod.ts";
import { authenticationCodes, COMMON_CODES, JSON_BODY_CODES, RECEIVING_CODES } from "./codes.ts";
import { pascalCase } from "./names.ts";
import type { JsonSchema } from "./parameters.ts";
import { preconditionCodes } from "./preconditions.ts";
import { DELETED, PAGINATION } from "./schema/envelopes.ts";
import * as schema from "./schema/webhooks.ts";
import { closed } from "./service_operation.ts";
import type { Who } from "./who.ts";

export type WebhookOperationKind =
  | "registerEndpoint"
  | "listEndpoints"
  | "getEndpoint"
  | "updateEndpoint"
  | "deleteEndpoint"
  | "listDeliveries"
  | "testEndpoint"
  | "rotateSecret"
  | "listEventTypes"
  | "receive"
  | "listInboundEvents"
  | "retryInboundEvent";

const KEYED_KINDS = [
  "registerEndpoint",
  "updateEndpoint",
  "deleteEndpoint",
  "testEndpoint",
  "rotateSecret",
  "retryInboundEvent",
] as const satisfies readonly WebhookOperationKind[];

export type KeyedWebhookKind = typeof KEYED_KINDS[number];

/** True when it obeys an `Idempotency-Key`: every write but a provider's, whose events have ids of their own. */
export function isKeyedWebhook(kind: WebhookOperationKind): kind is KeyedWebhookKind {
  return KEYED_KINDS.some((keyed) => keyed === kind);
}

export interface WebhookOperation {
  readonly kind: WebhookOperationKind;
  /** Unique in the document; begins with `webhook`. */
  readonly id: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** Roles of which the caller needs one in the active organization; empty: the signature decides. */
  readonly roles: readonly string[];
  readonly who: Who;
  readonly rate: RateOperation | null;
  /** Pages with `limit` and `offset` or a cursor, narrowed by one of these values of `status`. */
  readonly page: { readonly statuses: readonly string[] } | null;
  readonly body: JsonSchema | null;
  readonly bodyExample: JsonValue;
  readonly status: 200 | 201;
  readonly success: JsonSchema;
  readonly example: JsonValue;
  readonly codes: readonly RuntimeCode[];
  /** Of `receive`. */
  readonly provider: string | null;
}

/** Roles that manage endpoints where there is an organization (definitions 7). */
const ENDPOINT_ROLES: readonly string[] = ["owner", "admin"];
/** Contract 4.6; an organization's owner sees what its admin sees. */
const INBOUND_ROLES: readonly string[] = ["admin", "sysadmin", "appmanager"];
const ATTRIBUTED_ROLES: readonly string[] = ["owner", ...INBOUND_ROLES];

export function webhookOperationsOf(project: ProjectModel): readonly WebhookOperation[] {
  const { outbound, inbound } = project.webhooks;
  return [
    ...(outbound ? OUTBOUND : []),
    ...(inbound.length > 0
      ? [
        ...inbound.map((provider) =>
          operation({
            kind: "receive",
            id: `webhookReceive${pascalCase(provider)}`,
            provider,
            method: "POST",
            path: `/inbound/${provider}`,
            summary: `Receive a webhook from ${provider}`,
            description:
              "The body is the provider's, byte for byte, under its signature. An event that was received before is not processed again.",
            roles: [],
            who: "unasked",
            body: { type: "object" },
            success: closed({ received: { const: true }, duplicate: { type: "boolean" } }),
            example: { received: true, duplicate: false },
            codes: [
              "WEBHOOK_SIGNATURE_INVALID",
              ...RECEIVING_CODES,
              "INVALID_JSON",
              "VALIDATION_ERROR",
            ],
          })
        ),
        ...INBOUND_ADMIN,
      ]
      : []),
  ].map((operation) => {
    const { method, kind } = operation;
    const callers: readonly RuntimeCode[] = kind === "receive" ? [] : [
      ...authenticationCodes(project, { method, isRequired: true }),
      "ACCESS_ROLE_REQUIRED",
      "VALIDATION_INVALID_INPUT",
    ];
    const preconditions = isKeyedWebhook(kind) ? preconditionCodes(operation, UNREVISED) : [];
    const gone: readonly RuntimeCode[] = isPerOrganization(project)
      ? ["FIREWALL_ORG_ISOLATION"]
      : [];
    const codes = [...COMMON_CODES, ...callers, ...operation.codes, ...gone, ...preconditions];
    const roles = operation.roles === INBOUND_ROLES && attributes(project)
      ? ATTRIBUTED_ROLES
      : operation.roles;
    return { ...operation, roles, body: bodyOf(operation, project), codes: [...new Set(codes)] };
  });
}

type DeclaredOperation =
  & Pick<WebhookOperation, "kind" | "method" | "path" | "summary" | "description" | "success">
  & Partial<WebhookOperation>;

function operation(declared: DeclaredOperation): WebhookOperation {
  return {
    id: `webhook${pascalCase(declared.kind)}`,
    roles: ENDPOINT_ROLES,
    who: "caller",
    rate: null,
    page: null,
    body: null,
    bodyExample: {},
    status: 200,
    example: {},
    codes: [],
    provider: null,
    ...declared,
    path: WEBHOOK_BASE + declared.path,
  };
}

const BODY_CODES: readonly RuntimeCode[] = [...JSON_BODY_CODES, "VALIDATION_ERROR"];
const DESTINATION_CODES: readonly RuntimeCode[] = [
  "VALIDATION_ERROR",
  "WEBHOOK_RESOLVER_UNAVAILABLE",
];
const MISS: RuntimeCode = "FIREWALL_NOT_FOUND";
/** Endpoints and events count no revisions. */
const UNREVISED = { revision: null };

const OUTBOUND: readonly WebhookOperation[] = [
  operation({
    kind: "registerEndpoint",
    method: "POST",
    path: "/endpoints",
    summary: "Register a webhook endpoint",
    description:
      "The only answer that carries the signing secret. The URL must be public, and is resolved before it is accepted.",
    rate: "create",
    bodyExample: {
      name: schema.ENDPOINT_EXAMPLE.name,
      url: schema.ENDPOINT_EXAMPLE.url,
      events: [...schema.ENDPOINT_EXAMPLE.events],
    },
    status: 201,
    success: schema.ENDPOINT,
    example: { ...schema.ENDPOINT_EXAMPLE, secret: "whsec_<secret>" },
    codes: [...BODY_CODES, ...DESTINATION_CODES, "WEBHOOK_ENDPOINT_LIMIT"],
  }),
  operation({
    kind: "listEndpoints",
    method: "GET",
    path: "/endpoints",
    summary: "List webhook endpoints",
    description: "The newest first.",
    rate: "read",
    page: { statuses: [] },
    success: pageOf(schema.ENDPOINT),
    example: pageExample(schema.ENDPOINT_EXAMPLE),
  }),
  operation({
    kind: "getEndpoint",
    method: "GET",
    path: "/endpoints/:id",
    summary: "Read a webhook endpoint",
    description: "The secret is masked.",
    rate: "read",
    success: schema.ENDPOINT,
    example: schema.ENDPOINT_EXAMPLE,
    codes: [MISS],
  }),
  operation({
    kind: "updateEndpoint",
    method: "PATCH",
    path: "/endpoints/:id",
    summary: "Update a webhook endpoint",
    description:
      "Fields that the body leaves out stay as they are. A new URL is judged as at registration.",
    rate: "update",
    bodyExample: { enabled: false },
    success: schema.ENDPOINT,
    example: { ...schema.ENDPOINT_EXAMPLE, enabled: false },
    codes: [...BODY_CODES, ...DESTINATION_CODES, MISS],
  }),
  operation({
    kind: "deleteEndpoint",
    method: "DELETE",
    path: "/endpoints/:id",
    summary: "Delete a webhook endpoint",
    description: "Deliveries that are still pending fail.",
    rate: "delete",
    success: DELETED,
    example: { success: true },
    codes: [MISS],
  }),
  operation({
    kind: "listDeliveries",
    method: "GET",
    path: "/endpoints/:id/deliveries",
    summary: "List the deliveries of an endpoint",
    description: "The newest first.",
    rate: "read",
    page: { statuses: DELIVERY_STATUSES },
    success: pageOf(schema.DELIVERY),
    example: pageExample(schema.DELIVERY_EXAMPLE),
    codes: [MISS],
  }),
  operation({
    kind: "testEndpoint",
    method: "POST",
    path: "/endpoints/:id/test",
    summary: "Send a test event",
    description: "Queues a delivery of `webhook.test`; its record tells later how it went.",
    rate: "create",
    success: schema.DELIVERY,
    example: {
      ...schema.DELIVERY_EXAMPLE,
      eventType: "webhook.test",
      payload: {},
      status: "pending",
    },
    codes: [...DESTINATION_CODES, MISS],
  }),
  operation({
    kind: "rotateSecret",
    method: "POST",
    path: "/endpoints/:id/rotate-secret",
    summary: "Replace the signing secret",
    description: "The old secret signs beside the new one for 24 hours.",
    rate: "update",
    success: closed({
      id: { type: "string", pattern: "^wep_" },
      secret: { type: "string", pattern: "^whsec_" },
    }),
    example: { id: schema.ENDPOINT_EXAMPLE.id, secret: "whsec_<secret>" },
    codes: [MISS],
  }),
  operation({
    kind: "listEventTypes",
    method: "GET",
    path: "/events",
    summary: "List event types",
    description: "Names that this API emits or recommends; an endpoint may ask for any other.",
    rate: "read",
    page: { statuses: [] },
    success: pageOf(closed({ type: { type: "string" } })),
    example: pageExample({ type: "user.created" }),
  }),
];

const INBOUND_ADMIN: readonly WebhookOperation[] = [
  operation({
    kind: "listInboundEvents",
    method: "GET",
    path: "/inbound/events",
    summary: "List inbound events",
    description:
      "The newest first. `sysadmin` and `appmanager` see all; `owner` and `admin` of an organization those that are attributed to it, with the payload where the provider's code named it.",
    roles: INBOUND_ROLES,
    rate: "read",
    page: { statuses: EVENT_STATUSES },
    success: pageOf(schema.INBOUND_EVENT),
    example: pageExample(schema.INBOUND_EVENT_EXAMPLE),
  }),
  operation({
    kind: "retryInboundEvent",
    method: "POST",
    path: "/inbound/events/:id/retry",
    summary: "Process a failed inbound event again",
    description:
      "Puts the event back in the queue with all of its attempts. `owner` and `admin` of an organization may where it is attributed to no other one.",
    roles: INBOUND_ROLES,
    rate: "update",
    success: schema.INBOUND_EVENT,
    example: {
      ...schema.INBOUND_EVENT_EXAMPLE,
      status: "received",
      attempts: 0,
      processedAt: null,
    },
    codes: [MISS, "WEBHOOK_EVENT_NOT_FAILED"],
  }),
];

function bodyOf(
  { kind, body }: WebhookOperation,
  { database, webhooks }: ProjectModel,
): JsonSchema | null {
  const known = {
    allowInsecure: database.webhookAllowInsecure,
    events: webhooks.endpointEvents,
  };
  if (kind === "registerEndpoint") {
    return schema.webhookBodySchema(schema.endpointCreate, known);
  }
  if (kind === "updateEndpoint") {
    return schema.webhookBodySchema(schema.endpointUpdate, known);
  }
  return body;
}

function pageOf(record: JsonSchema): JsonSchema {
  return closed({
    data: { type: "array", items: record },
    view: { type: "null" },
    pagination: PAGINATION,
  });
}

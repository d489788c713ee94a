/** Bodies and records of the webhook routes (contract 2.8–2.10, 4.5, 4.6): one source for validation and for OpenAPI. */
import { z } from "zod";
import {
  ENDPOINT_NAME_MAX,
  ENDPOINT_PATTERNS_MAX,
  EVENT_PATTERN,
} from "../../contract/webhooks.ts";
import type { JsonSchema } from "../parameters.ts";
import { closed } from "../service_operation.ts";

const URL_MAX_LENGTH = 2048;

const endpointFields = {
  name: z.string().min(1).max(ENDPOINT_NAME_MAX),
  url: z.string().min(1).max(URL_MAX_LENGTH).meta({ format: "uri" }),
  events: z.array(z.string().max(200).regex(new RegExp(EVENT_PATTERN))).min(1)
    .max(ENDPOINT_PATTERNS_MAX),
};

/** Of a registration. */
export const endpointCreate = z.strictObject(endpointFields);

/** Of an update. */
export const endpointUpdate = z.strictObject({ ...endpointFields, enabled: z.boolean() }).partial();

export type EndpointCreate = z.infer<typeof endpointCreate>;
export type EndpointUpdate = z.infer<typeof endpointUpdate>;

export function webhookBodySchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, "~standard": _standard, ...json } = z.toJSONSchema(schema, { io: "input" });
  return JSON.parse(JSON.stringify(json));
}

const TEXT: JsonSchema = { type: "string" };
const TIME: JsonSchema = { type: "string", format: "date-time" };
const COUNT: JsonSchema = { type: "integer", minimum: 0 };

function orNull({ type, ...rest }: JsonSchema): JsonSchema {
  return { ...rest, type: [String(type), "null"] };
}

export const ENDPOINT: JsonSchema = closed({
  id: { type: "string", pattern: "^wep_" },
  name: TEXT,
  url: { type: "string", format: "uri" },
  secret: {
    type: "string",
    pattern: "^whsec_",
    description: "Whole at registration, masked ever after.",
  },
  events: { type: "array", items: TEXT },
  enabled: { type: "boolean" },
  createdAt: TIME,
});

export const DELIVERY: JsonSchema = closed({
  id: { type: "string", pattern: "^whd_", description: "The `webhook-id` of every attempt." },
  endpointId: TEXT,
  eventType: TEXT,
  payload: { description: "The event's data." },
  status: { type: "string", enum: ["pending", "delivered", "failed"] },
  attempts: COUNT,
  responseStatus: orNull({ type: "integer" }),
  responseBody: orNull({
    type: "string",
    maxLength: 1000,
    description: "What the endpoint answered, cut; a redirect's target; or why there is no answer.",
  }),
  lastAttemptAt: orNull(TIME),
  nextRetryAt: orNull(TIME),
  createdAt: TIME,
});

export const INBOUND_EVENT: JsonSchema = closed({
  id: { type: "string", pattern: "^whe_" },
  provider: TEXT,
  eventType: { type: "string", description: "`<provider>:<type>`." },
  externalId: orNull(TEXT),
  payload: { type: "string", description: "The body as it arrived." },
  status: { type: "string", enum: ["received", "processing", "processed", "failed"] },
  attempts: COUNT,
  processedAt: orNull(TIME),
  error: orNull(TEXT),
  createdAt: TIME,
});

export const ENDPOINT_EXAMPLE = {
  id: "wep_0f8fad5bd9cb469fa16570867728950e",
  name: "Billing",
  url: "https://hooks.example.com/billing",
  secret: "whsec_***",
  events: ["subscription.*"],
  enabled: true,
  createdAt: "2026-01-31T10:20:30.000Z",
} as const;

export const DELIVERY_EXAMPLE = {
  id: "whd_7c9e6679f2ab4d8d9f3c5b1a0e2d4c6b",
  endpointId: ENDPOINT_EXAMPLE.id,
  eventType: "subscription.renewed",
  payload: { id: "sub_1" },
  status: "delivered",
  attempts: 1,
  responseStatus: 200,
  responseBody: "ok",
  lastAttemptAt: "2026-01-31T10:20:31.000Z",
  nextRetryAt: null,
  createdAt: "2026-01-31T10:20:30.000Z",
} as const;

export const INBOUND_EVENT_EXAMPLE = {
  id: "whe_7c9e6679-f2ab-4d8d-9f3c-5b1a0e2d4c6b",
  provider: "stripe",
  eventType: "stripe:invoice.paid",
  externalId: "evt_1",
  payload: '{"id":"evt_1","type":"invoice.paid","data":{}}',
  status: "processed",
  attempts: 1,
  processedAt: "2026-01-31T10:20:31.000Z",
  error: null,
  createdAt: "2026-01-31T10:20:30.000Z",
} as const;

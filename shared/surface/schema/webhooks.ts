/** Defines bodies and records of the webhook routes (contract 2.8–2.10, 4.5, 4.6). Validation and OpenAPI share them. */
import { z } from "zod";
import * as webhooks from "../../contract/webhooks.ts";
import { isJsonObject } from "../../lib/json.ts";
import type { JsonSchema } from "../parameters.ts";
import { closed, described, TEXT, TIME } from "./json_schema.ts";
import { HTTP_URL_PATTERN, HTTPS_URL_PATTERN, TEXT_PATTERN } from "../../contract/mod.ts";
import { orNull, zodJson } from "./zod_json.ts";

/** Limit of an event's name or pattern, in characters. */
const EVENT_MAX = 200;

const endpointFields = {
  name: z.string().min(1).max(webhooks.ENDPOINT_NAME_MAX).regex(new RegExp(TEXT_PATTERN), {
    error: "Must be text without NUL characters",
  }).describe("What people call the endpoint."),
  url: z.string().min(1).max(webhooks.ENDPOINT_URL_MAX)
    .meta({ format: "uri", description: "Where deliveries go: https, at a public address." }),
  events: z.array(z.string().max(EVENT_MAX).regex(new RegExp(webhooks.EVENT_PATTERN, "u"))).min(1)
    .max(webhooks.ENDPOINT_PATTERNS_MAX)
    .describe("Events that it takes: names, `<prefix>.*`, or `*` for all."),
};

/** Body of a registration. */
export const endpointCreate = z.strictObject(endpointFields);

/** Body of an update. */
export const endpointUpdate = z.strictObject({
  ...endpointFields,
  enabled: z.boolean().describe("Whether deliveries are made."),
}).partial();

/**
 * Adds the other rules of the URL, as far as its text shows (contract 8.2.1), and the names of events that the project lists. A
 * pattern may match further events.
 */
export function webhookBodySchema(
  schema: z.ZodType,
  { allowInsecure, events }: {
    readonly allowInsecure: boolean;
    /** Names of the project's events; absent: any name is accepted. */
    readonly events: readonly string[] | undefined;
  },
): JsonSchema {
  const json = zodJson(schema, "input");
  const { properties } = json;
  if (!isJsonObject(properties) || !isJsonObject(properties["url"])) return json;
  const pattern = allowInsecure ? HTTP_URL_PATTERN : HTTPS_URL_PATTERN;
  const named = events === undefined || !isJsonObject(properties["events"]) ? {} : {
    events: {
      ...properties["events"],
      items: {
        anyOf: [
          { type: "string", enum: events },
          { type: "string", maxLength: EVENT_MAX, pattern: webhooks.EVENT_WILDCARD_PATTERN },
        ],
      },
    },
  };
  return JSON.parse(
    JSON.stringify({
      ...json,
      properties: { ...properties, url: { ...properties["url"], pattern }, ...named },
    }),
  );
}

const COUNT: JsonSchema = { type: "integer", minimum: 0 };

export const ENDPOINT: JsonSchema = closed({
  id: described("Id of the endpoint.", { type: "string", pattern: "^wep_" }),
  name: described("What people call the endpoint.", TEXT),
  url: described("Where deliveries go.", { type: "string", format: "uri" }),
  secret: described("Whole at registration, masked ever after.", {
    type: "string",
    pattern: "^whsec_",
  }),
  events: described("Events that it takes: names, `<prefix>.*`, or `*` for all.", {
    type: "array",
    items: TEXT,
    minItems: 1,
  }),
  enabled: described("Whether deliveries are made.", { type: "boolean" }),
  createdAt: described("When it was registered.", TIME),
});

export const DELIVERY: JsonSchema = closed({
  id: described("The `webhook-id` of every attempt.", { type: "string", pattern: "^whd_" }),
  endpointId: described("Endpoint that it goes to.", TEXT),
  eventType: described("Name of the event.", TEXT),
  payload: { description: "The event's data." },
  status: described("Whether it is still tried.", {
    type: "string",
    enum: ["pending", "delivered", "failed"],
  }),
  attempts: described("Attempts so far.", COUNT),
  responseStatus: described("HTTP status of the last attempt.", orNull({ type: "integer" })),
  responseBody: described(
    "What the endpoint answered, cut; a redirect's target; or why there is no answer.",
    orNull({ type: "string", maxLength: 1000 }),
  ),
  lastAttemptAt: described("When it was last tried.", orNull(TIME)),
  nextRetryAt: described("When it is tried next.", orNull(TIME)),
  createdAt: described("When the event was emitted.", TIME),
});

export const INBOUND_EVENT: JsonSchema = closed({
  id: described("Id of the stored event.", { type: "string", pattern: "^whe_" }),
  provider: described("Who sent it.", TEXT),
  eventType: described("`<provider>:<type>`.", TEXT),
  externalId: described("The provider's own id, by which repeats are known.", orNull(TEXT)),
  payload: described(
    'The body as it arrived; `"[REDACTED]"` for an organization that the provider\'s code did not name.',
    { type: "string" },
  ),
  status: described("How far its handlers are.", {
    type: "string",
    enum: ["received", "processing", "processed", "failed"],
  }),
  attempts: described("Times that its handlers were run.", COUNT),
  processedAt: described("When all handlers had succeeded.", orNull(TIME)),
  error: described(
    "Why it failed; `[REDACTED]` for one of several organizations.",
    orNull({ type: "string" }),
  ),
  createdAt: described("When it arrived.", TIME),
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

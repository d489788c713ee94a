/** Describes events that are sent to registered endpoints, as `webhooks` of the document (contract 3.4, 5.7, 6.1). */
import type { ProjectModel } from "../../../../model/mod.ts";
import { type JsonSchema, WEBHOOKS_TAG } from "../../../../surface/mod.ts";
import { outboundEvents, SIGNATURE_HEADERS } from "../outbound_events.ts";
import { jsonContent } from "./responses.ts";

/** Returns `webhooks` of the document; none for a project that sends no events. */
export function eventWebhooks(project: ProjectModel): JsonSchema {
  const events = outboundEvents(project);
  if (events.length === 0) return {};
  return {
    webhooks: Object.fromEntries(events.map((event) => [event.type, {
      post: {
        operationId: event.key,
        tags: [WEBHOOKS_TAG],
        summary: event.title,
        description:
          "Sent to each endpoint that asked for it, signed in the Standard Webhooks format, and again under the same `webhook-id` when the answer is lost or says no.",
        security: [],
        parameters: PARAMETERS,
        requestBody: {
          required: true,
          content: jsonContent(event.body, { example: event.example }),
        },
        responses: {
          "200": { description: "Taken, as with any status from 200 to 299." },
          "default": {
            description: "Tried again; a redirect is not followed and ends the delivery.",
          },
        },
      },
    }])),
  };
}

const PARAMETERS: readonly JsonSchema[] = Object.entries(SIGNATURE_HEADERS).map(
  ([name, { description, ...schema }]) => ({
    name,
    in: "header",
    required: true,
    description,
    schema,
  }),
);

/** `webhooks` of the document: what registered endpoints are sent, and what their answers mean (contract 3.4, 5.7, 6.1). */
import type { ProjectModel } from "../../../../model/project.ts";
import type { JsonSchema } from "../../../../surface/parameters.ts";
import { type OutboundEvent, outboundEvents, SIGNATURE_HEADERS } from "../outbound_events.ts";
import { jsonContent } from "./json_content.ts";
import { WEBHOOKS_TAG } from "./tags.ts";

/** A member of the document; none for a project that sends nothing. */
export function eventWebhooks(project: ProjectModel): JsonSchema {
  const events = outboundEvents(project);
  if (events.length === 0) return {};
  return {
    webhooks: Object.fromEntries(events.map((event) => [event.type, { post: operationOf(event) }])),
  };
}

function operationOf({ key, title, body, example }: OutboundEvent): JsonSchema {
  return {
    operationId: key,
    tags: [WEBHOOKS_TAG],
    summary: title,
    description:
      "Sent to each endpoint that asked for it, signed in the Standard Webhooks format, and again under the same `webhook-id` when the answer is lost or says no.",
    security: [],
    parameters: PARAMETERS,
    requestBody: { required: true, content: jsonContent(body, example) },
    responses: {
      "200": { description: "Taken, as with any status from 200 to 299." },
      "default": { description: "Tried again; a redirect is not followed and ends the delivery." },
    },
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

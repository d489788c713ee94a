/** What an API delivers to registered endpoints (contract 5.7, 6.1). */
import { TEST_EVENT } from "../../../../contract/webhooks.ts";
import type { ProjectModel } from "../../../../model/project.ts";
import type { JsonSchema } from "../../../../surface/parameters.ts";
import { type AsyncMessage, payloadOf, TIME } from "./message.ts";

export function webhookMessages({ webhooks }: ProjectModel): readonly AsyncMessage[] {
  if (!webhooks.outbound) return [];
  return [...new Set([...webhooks.events, TEST_EVENT])].map((type) => ({
    key: `event.${keyOf(type)}`,
    title: `The event ${type}`,
    summary: "Signed in the Standard Webhooks format.",
    headers: SIGNATURE_HEADERS,
    payload: payloadOf({ type: { const: type }, data: {}, createdAt: TIME }),
  }));
}

/** AsyncAPI's keys hold letters, digits, `_`, `-` and dots; names of events may hold anything but two dots in a row. */
function keyOf(type: string): string {
  return type.replace(/[^\w.-]/g, (letter) => `..${letter.charCodeAt(0).toString(16)}.`);
}

const SIGNATURE_HEADERS: JsonSchema = {
  type: "object",
  properties: {
    "webhook-id": { type: "string", pattern: "^whd_", description: "Unique per delivery." },
    "webhook-timestamp": { type: "string", pattern: "^\\d+$", description: "Unix seconds." },
    "webhook-signature": {
      type: "string",
      pattern: "^v1,",
      description:
        "`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; one for each secret that is valid, parted by spaces.",
    },
  },
  required: ["webhook-id", "webhook-timestamp", "webhook-signature"],
};

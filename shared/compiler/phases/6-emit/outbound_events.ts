/** Lists outbound events of an API, for its descriptions (contract 5.7, 6.1). */
import { TEST_EVENT } from "../../../contract/mod.ts";
import type { JsonValue, ProjectModel } from "../../../model/mod.ts";
import type { JsonSchema } from "../../../surface/mod.ts";

export interface OutboundEvent {
  readonly type: string;
  /** Key of the event, unique among them: letters, digits, `.`, `-` and `_`. */
  readonly key: string;
  readonly title: string;
  readonly body: JsonSchema;
  readonly example: JsonValue;
}

/** Returns the events that a project names, and the test event. Code may emit others, too. */
export function outboundEvents({ webhooks }: ProjectModel): readonly OutboundEvent[] {
  if (!webhooks.outbound) return [];
  return [...new Set([...webhooks.events, TEST_EVENT])].map((type) => ({
    type,
    // An event's name may contain anything but two dots in a row. A character that a key may not contain becomes its
    // hexadecimal code after two dots.
    key: `event.${type.replace(/[^\w.-]/g, (letter) => `..${letter.charCodeAt(0).toString(16)}.`)}`,
    title: `The event ${type}`,
    body: {
      type: "object",
      properties: {
        type: { const: type },
        data: {},
        createdAt: { type: "string", format: "date-time" },
      },
      required: ["type", "data", "createdAt"],
      additionalProperties: false,
    },
    example: { type, data: {}, createdAt: "2026-01-31T10:20:30.000Z" },
  }));
}

/** Headers that are sent with every delivery. */
export const SIGNATURE_HEADERS: Readonly<Record<string, JsonSchema & { description: string }>> = {
  "webhook-id": { type: "string", pattern: "^whd_", description: "Unique per delivery." },
  "webhook-timestamp": { type: "string", pattern: "^\\d+$", description: "Unix seconds." },
  "webhook-signature": {
    type: "string",
    pattern: "^v1,",
    description:
      "`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; one for each secret that is valid, parted by spaces.",
  },
};

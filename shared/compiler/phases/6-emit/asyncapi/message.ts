/** One message of a channel, and how others refer to it. */
import type { JsonSchema } from "../../../../surface/parameters.ts";

export interface AsyncMessage {
  /** Unique in the document: letters, digits, `.`, `-` and `_`. */
  readonly key: string;
  readonly title: string;
  readonly summary: string;
  readonly payload: JsonSchema;
  readonly headers?: JsonSchema;
}

export function messageObject({ key, title, summary, payload, headers }: AsyncMessage): JsonSchema {
  return {
    name: key,
    title,
    summary,
    contentType: "application/json",
    ...(headers ? { headers } : {}),
    payload,
  };
}

export function componentRefs(messages: readonly AsyncMessage[]): JsonSchema {
  return Object.fromEntries(
    messages.map(({ key }) => [key, { $ref: `#/components/messages/${key}` }]),
  );
}

export function channelRefs(channel: string, messages: readonly AsyncMessage[]) {
  return messages.map(({ key }) => ({ $ref: `#/channels/${channel}/messages/${key}` }));
}

/** An object with exactly these members. */
export function payloadOf(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = Object.keys(properties),
): JsonSchema {
  return { type: "object", properties, required, additionalProperties: false };
}

export const TIME: JsonSchema = { type: "string", format: "date-time" };

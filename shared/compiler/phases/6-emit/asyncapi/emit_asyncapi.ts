/** `asyncapi.json`: what the API sends by itself, as an AsyncAPI 3.0 document (contract 4.7). Without any of it, a document without channels. */
import type { ProjectModel } from "../../../../model/project.ts";
import type { JsonSchema } from "../../../../surface/parameters.ts";
import { EVENTS_PARAMETERS, eventsPath } from "../../../../surface/realtime.ts";
import { broadcastMessages } from "./broadcast_messages.ts";
import { type AsyncMessage, channelRefs, componentRefs, messageObject } from "./message.ts";
import { webhookMessages } from "./webhook_messages.ts";

/** Indented by two spaces, with a line break at the end. */
export function emitAsyncApi(model: ProjectModel): string {
  return `${JSON.stringify(asyncApiDocument(model), null, 2)}\n`;
}

interface Channel {
  readonly key: string;
  readonly messages: readonly AsyncMessage[];
  readonly channel: JsonSchema;
  readonly operation: JsonSchema;
}

function asyncApiDocument(model: ProjectModel): JsonSchema {
  const channels = [broadcast(model), webhooks(model)]
    .filter(({ messages }) => messages.length > 0);
  return {
    asyncapi: "3.0.0",
    info: {
      title: model.name,
      version: model.contract,
      description:
        "What this API sends by itself: frames of realtime, judged and masked for each subscriber, and signed webhooks. `openapi.json` describes its requests.",
    },
    defaultContentType: "application/json",
    servers: { eventStream: server("https", model), webSocket: server("wss", model) },
    channels: Object.fromEntries(channels.map(({ key, messages, channel }) => [
      key,
      { ...channel, messages: componentRefs(messages) },
    ])),
    operations: Object.fromEntries(channels.map(({ key, messages, operation }) => [
      key,
      {
        action: "send",
        channel: { $ref: `#/channels/${key}` },
        ...operation,
        messages: channelRefs(key, messages),
      },
    ])),
    components: {
      securitySchemes: securitySchemes(model),
      messages: Object.fromEntries(
        channels.flatMap(({ messages }) => messages).map((message) => [
          message.key,
          messageObject(message),
        ]),
      ),
    },
  };
}

function server(protocol: "https" | "wss", { auth }: ProjectModel): JsonSchema {
  const schemes = [...(auth.jwt === null ? [] : ["bearer"]), "session", "apiKey"];
  return {
    host: "{host}",
    protocol,
    variables: { host: { default: "localhost:8000", description: "The host of `BASE_URL`." } },
    security: schemes.map((name) => ({ $ref: `#/components/securitySchemes/${name}` })),
  };
}

/** In the terms of AsyncAPI. */
function securitySchemes({ auth }: ProjectModel): JsonSchema {
  return {
    session: {
      type: "httpApiKey",
      in: "cookie",
      name: "better-auth.session_token",
      description:
        "The session that signing in sets. A page opens a WebSocket with it only from a trusted origin.",
    },
    apiKey: { type: "httpApiKey", in: "header", name: "x-api-key" },
    ...(auth.jwt === null
      ? {}
      : { bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" } }),
  };
}

function broadcast(model: ProjectModel): Channel {
  const text = { type: "string" };
  return {
    key: "broadcast",
    messages: broadcastMessages(model),
    channel: {
      address: eventsPath(model),
      title: "Changes and signals",
      description:
        "Server-Sent Events, or a WebSocket on the same path. Each subscriber is shown what their own reads would show.",
      bindings: {
        ws: {
          method: "GET",
          query: {
            type: "object",
            properties: {
              [EVENTS_PARAMETERS.resources]: {
                ...text,
                description: "Comma-separated names of resources and signals; without it, all.",
              },
              [EVENTS_PARAMETERS.lastEventId]: {
                ...text,
                description: "The event after which to go on.",
              },
            },
          },
          bindingVersion: "0.1.0",
        },
      },
    },
    operation: {
      title: "Tell subscribers",
      bindings: { http: { method: "GET", bindingVersion: "0.3.0" } },
    },
  };
}

function webhooks(model: ProjectModel): Channel {
  return {
    key: "webhooks",
    messages: webhookMessages(model),
    channel: {
      address: null,
      title: "Outbound webhooks",
      description:
        "Events go to the endpoints that are registered at `/webhooks/v1/endpoints` and ask for them. Code of the project emits them; it may emit others than those listed.",
      servers: [],
    },
    operation: {
      title: "Deliver events",
      bindings: { http: { method: "POST", bindingVersion: "0.3.0" } },
    },
  };
}

/**
 * Writes `asyncapi.json`: the messages that the API sends by itself, as an AsyncAPI 3.0 document (contract 4.7). Without such
 * messages the document has no channels.
 */
import type { ProjectModel } from "../../../model/mod.ts";
import { type JsonSchema, recordSchema } from "../../../surface/mod.ts";
import * as surface from "../../../surface/realtime.ts";
import { outboundEvents, SIGNATURE_HEADERS } from "./outbound_events.ts";

const TIME: JsonSchema = { type: "string", format: "date-time" };

/** Returns the document's text as it is served, without indentation. */
export function emitAsyncApi(model: ProjectModel): string {
  return `${JSON.stringify(asyncApiDocument(model))}\n`;
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
      {
        ...channel,
        messages: Object.fromEntries(
          messages.map(({ key }) => [key, { $ref: `#/components/messages/${key}` }]),
        ),
      },
    ])),
    operations: Object.fromEntries(channels.map(({ key, messages, operation }) => [
      key,
      {
        action: "send",
        channel: { $ref: `#/channels/${key}` },
        ...operation,
        messages: messages.map((message) => ({
          $ref: `#/channels/${key}/messages/${message.key}`,
        })),
      },
    ])),
    components: {
      securitySchemes: {
        session: {
          type: "httpApiKey",
          in: "cookie",
          name: "better-auth.session_token",
          description:
            "The session that signing in sets. A page opens a WebSocket with it only from a trusted origin.",
        },
        apiKey: { type: "httpApiKey", in: "header", name: "x-api-key" },
        ...(model.auth.jwt === null
          ? {}
          : { bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" } }),
      },
      messages: Object.fromEntries(
        channels.flatMap(({ messages }) => messages).map((message) => [
          message.key,
          {
            name: message.key,
            title: message.title,
            summary: message.summary,
            contentType: "application/json",
            ...(message.headers ? { headers: message.headers } : {}),
            payload: message.payload,
          },
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

function broadcast(model: ProjectModel): Channel {
  const text = { type: "string" };
  return {
    key: "broadcast",
    messages: broadcastMessages(model),
    channel: {
      address: surface.eventsPath(model),
      title: "Changes and signals",
      description:
        "Server-Sent Events, or a WebSocket on the same path. Each subscriber is shown what their own reads would show.",
      bindings: {
        ws: {
          method: "GET",
          query: {
            type: "object",
            properties: {
              [surface.EVENTS_PARAMETERS.resources]: {
                ...text,
                description: "Comma-separated names of resources and signals; without it, all.",
              },
              [surface.EVENTS_PARAMETERS.lastEventId]: {
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
    messages: outboundEvents(model).map(({ key, title, body }) => ({
      key,
      title,
      summary: "Signed in the Standard Webhooks format.",
      headers: HEADERS,
      payload: body,
    })),
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

const HEADERS: JsonSchema = {
  type: "object",
  properties: SIGNATURE_HEADERS,
  required: Object.keys(SIGNATURE_HEADERS),
};

/** Returns the messages of the realtime stream (contract 6.3, definitions 7 "realtime"). */
export function broadcastMessages(project: ProjectModel): readonly AsyncMessage[] {
  if (!project.realtime.enabled) return [];
  return [
    ...surface.realtimeResourcesOf(project).flatMap((told) => recordMessages(told, project)),
    ...project.realtime.signals.map(({ name, keys }) => ({
      key: `invalidate.${name}`,
      title: `The signal ${name}`,
      summary: "Sent by an action, after its commit.",
      payload: frame({
        type: { const: surface.FRAME_TYPES.signal },
        resource: { const: name },
        data: payloadOf(Object.fromEntries(keys.map((key) => [key, {}])), []),
        at: TIME,
      }),
    })),
    RESYNC,
    CLOSING,
    OPEN,
  ];
}

/** Schema of an event's id. In an event stream it is the event's field `id`. */
const EVENT_ID: JsonSchema = {
  type: "string",
  pattern: "^\\d{1,15}-\\d{1,20}$",
  description: "Over WebSockets only: where to go on after this frame.",
};

/** Returns the schema of a frame, with the event's id for a WebSocket. */
function frame(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return payloadOf({ eventId: EVENT_ID, ...properties }, Object.keys(properties));
}

function recordMessages(
  { resource, table, realtime }: surface.RealtimeResource,
  project: ProjectModel,
): readonly AsyncMessage[] {
  const { name } = resource;
  const id = table.idStrategy === "serial" ? { type: "integer" } : { type: "string" };
  const told = (change: "insert" | "update") => ({
    type: { const: surface.FRAME_TYPES[change] },
    resource: { const: name },
    id,
    data: recordSchema({ ...resource, labels: [] }, realtime.fields, project),
    at: TIME,
  });
  const messages = {
    insert: {
      key: `record.${name}.created`,
      title: `A record of ${name} was created`,
      summary: "Carries the record as a read would show it to this subscriber, without labels.",
      payload: frame(told("insert")),
    },
    update: {
      key: `record.${name}.updated`,
      title: `A record of ${name} was updated`,
      summary: "Carries the record as a read would show it to this subscriber, without labels.",
      payload: frame(told("update")),
    },
    delete: {
      key: `record.${name}.deleted`,
      title: `A record of ${name} is gone`,
      summary: "Deleted, or changed so that this subscriber may no longer see it.",
      payload: frame({
        type: { const: surface.FRAME_TYPES.delete },
        resource: { const: name },
        id,
        at: TIME,
      }),
    },
  };
  const kinds = (["insert", "update"] as const).filter((kind) =>
    surface.makesFrames(kind, realtime)
  );
  const isGone = surface.makesFrames("delete", realtime) || surface.makesFrames("update", realtime);
  return [...kinds.map((kind) => messages[kind]), ...(isGone ? [messages.delete] : [])];
}

const RESYNC: AsyncMessage = {
  key: "stream.resync",
  title: "Frames were missed",
  summary:
    "What is shown is to be read again: of one resource, or, without `resource`, all of it. In an event stream, an event of this name.",
  payload: payloadOf(
    {
      eventId: EVENT_ID,
      type: { const: surface.FRAME_TYPES.resync },
      resource: { type: "string" },
      at: TIME,
    },
    ["type", "at"],
  ),
};

const CLOSING: AsyncMessage = {
  key: "stream.closing",
  title: "The stream ends",
  summary:
    "The last event of an event stream. A WebSocket is closed with the code of the reason instead: " +
    `${
      Object.entries(surface.CLOSING_REASONS).map(([name, code]) => `${code} ${name}`).join(", ")
    }.`,
  payload: payloadOf({
    type: { const: surface.FRAME_TYPES.closing },
    reason: { type: "string", enum: Object.keys(surface.CLOSING_REASONS) },
    at: TIME,
  }),
};

const OPEN: AsyncMessage = {
  key: "stream.open",
  title: "The stream begins",
  summary: "The first message of a WebSocket; an event stream says the same by a bare `id`.",
  payload: payloadOf({ type: { const: surface.FRAME_TYPES.open }, eventId: EVENT_ID }),
};

/** Message of a channel, and its name in references. */
interface AsyncMessage {
  /** Key of the message, unique in the document: letters, digits, `.`, `-` and `_`. */
  readonly key: string;
  readonly title: string;
  readonly summary: string;
  readonly payload: JsonSchema;
  readonly headers?: JsonSchema;
}

/** Returns the schema of an object with exactly these members. */
function payloadOf(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = Object.keys(properties),
): JsonSchema {
  return { type: "object", properties, required, additionalProperties: false };
}

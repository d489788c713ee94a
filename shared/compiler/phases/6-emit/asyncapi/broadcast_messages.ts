/** Messages of the realtime stream (contract 6.3, definitions 7 "realtime"). */
import type { ProjectModel } from "../../../../model/project.ts";
import type { SignalModel } from "../../../../model/realtime.ts";
import {
  CLOSING_REASONS,
  FRAME_TYPES,
  makesFrames,
  type RealtimeResource,
  realtimeResourcesOf,
} from "../../../../surface/realtime.ts";
import type { JsonSchema } from "../../../../surface/parameters.ts";
import { recordSchema } from "../../../../surface/schema/record.ts";
import { type AsyncMessage, payloadOf, TIME } from "./message.ts";

export function broadcastMessages(project: ProjectModel): readonly AsyncMessage[] {
  if (!project.realtime.enabled) return [];
  return [
    ...realtimeResourcesOf(project).flatMap((told) => recordMessages(told, project)),
    ...project.realtime.signals.map(signalMessage),
    RESYNC,
    CLOSING,
    OPEN,
  ];
}

/** Event streams carry it as the event's `id`. */
const EVENT_ID: JsonSchema = {
  type: "string",
  pattern: "^\\d{1,15}-\\d{1,20}$",
  description: "Over WebSockets only: where to go on after this frame.",
};

/** Every frame, with the event's id where a WebSocket carries it. */
function frame(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return payloadOf({ eventId: EVENT_ID, ...properties }, Object.keys(properties));
}

function recordMessages(
  { resource, table, realtime }: RealtimeResource,
  project: ProjectModel,
): readonly AsyncMessage[] {
  const { name } = resource;
  const id = table.idStrategy === "serial" ? { type: "integer" } : { type: "string" };
  const told = (change: "insert" | "update") => ({
    type: { const: FRAME_TYPES[change] },
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
        type: { const: FRAME_TYPES.delete },
        resource: { const: name },
        id,
        at: TIME,
      }),
    },
  };
  const kinds = (["insert", "update"] as const).filter((kind) => makesFrames(kind, realtime));
  const isGone = makesFrames("delete", realtime) || makesFrames("update", realtime);
  return [...kinds.map((kind) => messages[kind]), ...(isGone ? [messages.delete] : [])];
}

function signalMessage({ name, keys }: SignalModel): AsyncMessage {
  return {
    key: `invalidate.${name}`,
    title: `The signal ${name}`,
    summary: "Sent by an action, after its commit.",
    payload: frame({
      type: { const: FRAME_TYPES.signal },
      resource: { const: name },
      data: payloadOf(Object.fromEntries(keys.map((key) => [key, {}])), []),
      at: TIME,
    }),
  };
}

const RESYNC: AsyncMessage = {
  key: "stream.resync",
  title: "Frames were missed",
  summary:
    "What is shown is to be read again: of one resource, or, without `resource`, all of it. In an event stream, an event of this name.",
  payload: payloadOf(
    {
      eventId: EVENT_ID,
      type: { const: FRAME_TYPES.resync },
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
    `${Object.entries(CLOSING_REASONS).map(([name, code]) => `${code} ${name}`).join(", ")}.`,
  payload: payloadOf({
    type: { const: FRAME_TYPES.closing },
    reason: { type: "string", enum: Object.keys(CLOSING_REASONS) },
    at: TIME,
  }),
};

const OPEN: AsyncMessage = {
  key: "stream.open",
  title: "The stream begins",
  summary: "The first message of a WebSocket; an event stream says the same by a bare `id`.",
  payload: payloadOf({ type: { const: FRAME_TYPES.open }, eventId: EVENT_ID }),
};

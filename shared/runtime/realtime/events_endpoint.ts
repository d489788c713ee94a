/**
 * Serves `GET {broadcastBase}/events` (definitions 7, "realtime"): Server-Sent Events, or a WebSocket on the same path. Refuses
 * with `VALIDATION_INVALID_INPUT` and `REALTIME_UNAVAILABLE`.
 */
import { isEventId } from "../../lib/ids.ts";
import { actorOf, type ProjectModel } from "../../model/mod.ts";
import { callerKey, nameMeant } from "../../surface/mod.ts";
import * as surface from "../../surface/mod.ts";
import type { RequestContext } from "../context.ts";
import type { RealtimePorts, ServerSocket, Timer } from "../ports.ts";
import { refuse, refuseQuery } from "../refusal.ts";
import { asksForWebSocket } from "../request/read_request.ts";
import type { Handlers } from "../route_endpoints.ts";
import type { FrameBuffer, Item } from "./frame_buffer.ts";
import type { Hub } from "./stream_hub.ts";

export function eventsHandlers(
  project: ProjectModel,
  hub: Hub,
  realtime: RealtimePorts,
): Handlers<"serviceEvents"> {
  const names = surface.broadcastNames(project);
  return {
    async serviceEvents(request, _, { values }) {
      const lastEventId = request.headers.get(surface.LAST_EVENT_ID) ??
        values.get(surface.EVENTS_PARAMETERS.lastEventId) ?? null;
      if (lastEventId !== null && !isEventId(lastEventId)) {
        refuseQuery("The last event's id must be one that a frame carried");
      }
      const asked = {
        wanted: readNames(values.get(surface.EVENTS_PARAMETERS.resources) ?? null, names),
        lastEventId,
      };
      // The body is an empty stream, since null would be answered with a length.
      if (request.method === "HEAD") return streamResponse(new Blob().stream());
      const upgrade = asksForWebSocket(request.headers) ? request.upgrade : undefined;
      if (upgrade === null) refuse("REALTIME_UNAVAILABLE", { detail: "No WebSockets here" });
      const caller = callerKey(actorOf(request.principal), request.clientIp);
      const { subscription: { buffer }, leave } = await hub.join({
        request,
        caller,
        ...asked,
      });
      if (!upgrade) {
        const closingText = hub.closingText;
        return streamResponse(eventStream(buffer, closingText, leave));
      }
      const { socket, response } = upgraded(upgrade, leave);
      feedSocket(socket, buffer, realtime.timer, leave);
      return response;
    },
  };
}

/** Answers with the platform's WebSocket. A handshake that the platform refuses takes no place. */
function upgraded(upgrade: NonNullable<RequestContext["upgrade"]>, leave: () => void) {
  try {
    return upgrade();
  } catch {
    leave();
    return refuseQuery("This is no WebSocket handshake");
  }
}

function streamResponse(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Response {
  // The header keeps proxies that buffer answers from delaying the frames.
  return new Response(stream, {
    headers: { "content-type": EVENT_STREAM, "x-accel-buffering": "no" },
  });
}

function readNames(text: string | null, names: readonly string[]): ReadonlySet<string> | null {
  if (text === null) return null;
  return new Set(
    text.split(",").map((written) =>
      nameMeant(written.trim(), names) ??
        refuseQuery(`Nothing realtime is called "${written.trim().slice(0, 64)}"`)
    ),
  );
}

const EVENT_STREAM = "text/event-stream";

/** Milliseconds after which a browser reconnects. */
const RETRY_MS = 2000;

/** Serves a subscriber over Server-Sent Events: `id` is the event's, for `Last-Event-ID` (definitions 7, "realtime"). */
function eventStream(
  buffer: FrameBuffer,
  closingText: (reason: string) => string,
  onGone: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(`retry: ${RETRY_MS}\n\n`));
      buffer.onClosed((reason) => {
        if (reason === "slow") controller.error(new Error("The subscriber is too slow"));
      });
    },
    async pull(controller) {
      const item = await buffer.next();
      if (item) return controller.enqueue(encoder.encode(eventText(item)));
      // The subscriber was cut off: the stream has failed already.
      if (buffer.closed === "slow") return;
      if (buffer.closed !== null && buffer.closed !== "gone") {
        const text = closingText(buffer.closed);
        controller.enqueue(
          encoder.encode(`event: ${surface.FRAME_TYPES.closing}\ndata: ${text}\n\n`),
        );
      }
      controller.close();
      onGone();
    },
    cancel: onGone,
    // A queue here would send its frames even after the reader lost its rights.
  }, { highWaterMark: 0 });
}

/** Formats a frame as an event of one line: JSON has no line breaks of its own. */
function eventText(item: Item): string {
  switch (item.kind) {
    case "frame":
      return `${idLine(item.id)}data: ${item.text}\n\n`;
    case "resync":
      return `event: ${surface.FRAME_TYPES.resync}\n${idLine(item.id)}data: ${item.text}\n\n`;
    case "open":
      // A browser dispatches no event without data, but remembers the id.
      return `${idLine(item.id)}: open\n\n`;
    case "beat":
      return ": keep-alive\n\n";
  }
}

function idLine(id: string | null): string {
  return id === null ? "" : `id: ${id}\n`;
}

/** Maximum bytes that a socket may buffer before the next frame waits. */
const BUFFERED_MAX = 64 * 1024;
const LOOK_AGAIN_MS = 100;

/**
 * Serves a subscriber over a WebSocket: one JSON text per frame, the event's id in `eventId` (docs/decisions/realtime.md).
 * Sends frames until either side ends the connection.
 */
function feedSocket(
  socket: ServerSocket,
  buffer: FrameBuffer,
  timer: Timer,
  onGone: () => void,
): void {
  let isOpen = true;
  const end = (reason: surface.ClosingReason) => {
    if (isOpen) socket.close(surface.CLOSING_REASONS[reason], reason);
    isOpen = false;
    onGone();
  };
  const gone = () => {
    isOpen = false;
    onGone();
  };
  socket.addEventListener("close", gone);
  socket.addEventListener("error", gone);
  socket.addEventListener("message", () => {
    buffer.close("message");
    end("message");
  });
  buffer.onClosed((reason) => {
    if (reason === "slow" || reason === "credentials") end(reason);
  });
  const feed = async () => {
    for (let item = await buffer.next(); item && isOpen; item = await buffer.next()) {
      const text = socketText(item);
      if (text !== null) socket.send(text);
      while (isOpen && buffer.closed === null && socket.bufferedAmount > BUFFERED_MAX) {
        await new Promise<void>((resolve) => void timer.after(LOOK_AGAIN_MS, resolve));
      }
    }
    const reason = buffer.closed;
    if (reason !== null && reason !== "gone") end(reason);
  };
  // A socket that fails during a send is closed as well.
  socket.addEventListener("open", () => void feed().catch(gone));
}

/** Formats a frame as an object whose first member is the event's id. */
function socketText(item: Item): string | null {
  switch (item.kind) {
    case "frame":
    case "resync":
      return item.id === null
        ? item.text
        : `{"eventId":${JSON.stringify(item.id)},${item.text.slice(1)}`;
    case "open":
      return JSON.stringify({ type: surface.FRAME_TYPES.open, eventId: item.id });
    case "beat":
      return null;
  }
}

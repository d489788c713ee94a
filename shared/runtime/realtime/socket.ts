/** A subscriber over a WebSocket: one JSON text per frame, the event's id in `eventId` (docs/decisions/realtime.md). */
import { CLOSING_REASONS, type ClosingReason, FRAME_TYPES } from "../../surface/realtime.ts";
import type { ServerSocket, Timer } from "../ports.ts";
import type { FrameBuffer, Item } from "./frame_buffer.ts";

/** Bytes that the network may hold back before nothing more is given to it. */
const BUFFERED_MAX = 64 * 1024;
const LOOK_AGAIN_MS = 100;

interface SocketOptions {
  readonly timer: Timer;
  readonly onGone: () => void;
}

/** Sends what comes until one of both sides ends it. */
export function feedSocket(
  socket: ServerSocket,
  buffer: FrameBuffer,
  { timer, onGone }: SocketOptions,
): void {
  let isOpen = true;
  const end = (reason: ClosingReason) => {
    if (isOpen) socket.close(CLOSING_REASONS[reason], reason);
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
  buffer.onCut(() => end("slow"));
  const feed = async () => {
    for (let item = await buffer.next(); item && isOpen; item = await buffer.next()) {
      const text = socketText(item);
      if (text !== null) socket.send(text);
      while (isOpen && socket.bufferedAmount > BUFFERED_MAX) await pause(timer);
    }
    const reason = buffer.closed;
    if (reason !== null && reason !== "gone") end(reason);
  };
  // A socket that fails while it is sent to is gone as well.
  socket.addEventListener("open", () => void feed().catch(gone));
}

function pause(timer: Timer): Promise<void> {
  return new Promise((resolve) => void timer.after(LOOK_AGAIN_MS, resolve));
}

/** Frames are objects: the event's id becomes their first member. */
function socketText(item: Item): string | null {
  switch (item.kind) {
    case "frame":
    case "resync":
      return item.id === null
        ? item.text
        : `{"eventId":${JSON.stringify(item.id)},${item.text.slice(1)}`;
    case "open":
      return JSON.stringify({ type: FRAME_TYPES.open, eventId: item.id });
    case "beat":
      return null;
  }
}

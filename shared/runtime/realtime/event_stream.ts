/** A subscriber over Server-Sent Events: `id` is the event's, for `Last-Event-ID` (definitions 7, "realtime"). */
import { FRAME_TYPES } from "../../surface/realtime.ts";
import type { FrameBuffer, Item } from "./frame_buffer.ts";

export const EVENT_STREAM = "text/event-stream";

/** Milliseconds after which a browser comes back. */
const RETRY_MS = 2000;

interface StreamOptions {
  /** The last frame, for whoever is still there. */
  readonly closingText: (reason: string) => string;
  /** The subscriber is gone. */
  readonly onGone: () => void;
}

export function eventStream(
  buffer: FrameBuffer,
  { closingText, onGone }: StreamOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(`retry: ${RETRY_MS}\n\n`));
      buffer.onCut(() => controller.error(new Error("The subscriber is too slow")));
    },
    async pull(controller) {
      const item = await buffer.next();
      if (item) return controller.enqueue(encoder.encode(eventText(item)));
      // Cut off: the stream has failed already.
      if (buffer.closed === "slow") return;
      if (buffer.closed !== null && buffer.closed !== "gone") {
        const text = closingText(buffer.closed);
        controller.enqueue(encoder.encode(`event: ${FRAME_TYPES.closing}\ndata: ${text}\n\n`));
      }
      controller.close();
      onGone();
    },
    cancel: onGone,
  });
}

/** JSON has no line breaks of its own, so a frame is one line. */
function eventText(item: Item): string {
  switch (item.kind) {
    case "frame":
      return `${idLine(item.id)}data: ${item.text}\n\n`;
    case "resync":
      return `event: ${FRAME_TYPES.resync}\n${idLine(item.id)}data: ${item.text}\n\n`;
    case "open":
      // Without data nothing is dispatched, and the browser remembers the place.
      return `${idLine(item.id)}: open\n\n`;
    case "beat":
      return ": keep-alive\n\n";
  }
}

function idLine(id: string | null): string {
  return id === null ? "" : `id: ${id}\n`;
}

/** Frames as a response body: pulled one by one, kept alive, and ended when the client leaves. */
import { HEADERS } from "../../contract/headers.ts";
import { KEEP_ALIVE_MS } from "../limits.ts";
import type { ServiceTimers } from "../ports.ts";
import type { StreamProtocol } from "../request/compile_options.ts";
import { KEEP_ALIVE } from "./sse.ts";

export function eventStreamResponse(
  frames: AsyncGenerator<string, void, void>,
  { protocol, timers, onCancel }: {
    readonly protocol: StreamProtocol;
    readonly timers: ServiceTimers;
    readonly onCancel: () => void;
  },
): Response {
  const kept = keptAlive(frames, timers);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await kept.next();
      if (next.done) controller.close();
      else controller.enqueue(encoder.encode(next.value));
    },
    cancel: onCancel,
  });
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream",
      [HEADERS.streamProtocol]: protocol,
      // Proxies that buffer would hold the progress back.
      "x-accel-buffering": "no",
    },
  });
}

/** The frames, with a comment after every silence that is too long. */
async function* keptAlive(
  frames: AsyncGenerator<string, void, void>,
  timers: ServiceTimers,
): AsyncGenerator<string, void, void> {
  for (let next = frames.next();;) {
    const spoken = new AbortController();
    const silence = timers.wait(KEEP_ALIVE_MS, spoken.signal).then(() => null);
    const first = await Promise.race([next, silence]);
    spoken.abort();
    if (first === null) {
      yield KEEP_ALIVE;
      continue;
    }
    if (first.done) return;
    yield first.value;
    next = frames.next();
  }
}

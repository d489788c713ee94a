/** A backend behind the router: in this process, or at an origin. */
import type { ServiceTimers } from "../shared/service/mod.ts";
import type { Fetch } from "./edge_service.ts";

/** Forwards a request. Aborting its signal ends it. */
export type Upstream = Fetch;

/** Headers that are not forwarded: hop-by-hop ones (RFC 9110, 7.6.1), and those that `fetch` sets. */
const NOT_SENT_ON = ["connection", "content-length", "host", "keep-alive", "transfer-encoding"];

/** Makes a backend at an origin. It answers uncompressed, so that streams pass unchanged. */
export function remote(origin: string): Upstream {
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const headers = new Headers(request.headers);
    for (const name of NOT_SENT_ON) headers.delete(name);
    headers.set("accept-encoding", "identity");
    const { method, body, signal } = request;
    const response = await fetch(origin + pathname + search, {
      method,
      headers,
      signal,
      redirect: "manual",
      ...(body === null ? {} : { body, duplex: "half" }),
    });
    return new Response(response.body, response);
  };
}

/**
 * A backend's stream on its way through the router (contract 4.8). Each frame is passed when it is complete. If the backend
 * breaks off, the client gets a regular end.
 */

type Bytes = Uint8Array<ArrayBuffer>;

const LINE_FEED = 0x0a;

/**
 * Passes whole frames only. An incomplete frame at the end is dropped. `onBroken` makes the last frame of a stream that breaks
 * off.
 */
export function wholeFrames(
  body: ReadableStream<Bytes>,
  onBroken: (error: unknown) => string,
): ReadableStream<Bytes> {
  const reader = body.getReader();
  const held = new HeldFrame();
  let isLeft = false;
  return new ReadableStream<Bytes>({
    async pull(controller) {
      const last = await passFrames(reader, held, controller).catch(onBroken);
      if (last === null || isLeft) return;
      if (last !== "") controller.enqueue(new TextEncoder().encode(last));
      controller.close();
    },
    cancel: (reason) => {
      isLeft = true;
      return reader.cancel(reason);
    },
  });
}

/** Returns null when more frames may come, and "" at the end of the stream. */
async function passFrames(
  reader: ReadableStreamDefaultReader<Bytes>,
  held: HeldFrame,
  controller: ReadableStreamDefaultController<Bytes>,
): Promise<"" | null> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return "";
    const whole = held.take(value);
    if (whole.length === 0) continue;
    for (const piece of whole) controller.enqueue(piece);
    return null;
  }
}

/** The received part of an incomplete frame. */
class HeldFrame {
  #pieces: Bytes[] = [];

  /** Returns the bytes up to the end of the last complete frame, preceded by the held ones. */
  take(chunk: Bytes): readonly Bytes[] {
    const end = this.#endIn(chunk);
    if (end === 0) {
      if (chunk.byteLength > 0) this.#pieces.push(chunk);
      return [];
    }
    const whole = [...this.#pieces, chunk.subarray(0, end)];
    this.#pieces = end === chunk.byteLength ? [] : [chunk.subarray(end)];
    return whole;
  }

  /** Returns the offset after the last empty line of a chunk; 0: there is none. */
  #endIn(chunk: Bytes): number {
    for (let at = chunk.byteLength - 1; at >= 0; at--) {
      if (chunk[at] !== LINE_FEED) continue;
      const before = at === 0 ? this.#pieces.at(-1)?.at(-1) : chunk[at - 1];
      if (before === LINE_FEED) return at + 1;
    }
    return 0;
  }
}

/** A circuit breaker for a backend that keeps failing: closed → open → one probe → closed. */
const FAILURES_MAX = 3;
const OPEN_MS = 10_000;

export class CircuitBreaker {
  readonly #timers: Pick<ServiceTimers, "now">;
  #failures = 0;
  #closedAgainAt = 0;

  constructor(timers: Pick<ServiceTimers, "now">) {
    this.#timers = timers;
  }

  /** True when the backend may be asked. While the breaker is open, one caller may try after each pause. */
  mayTry(): boolean {
    if (this.#failures < FAILURES_MAX) return true;
    const now = this.#timers.now();
    if (now < this.#closedAgainAt) return false;
    this.#closedAgainAt = now + OPEN_MS;
    return true;
  }

  succeeded(): void {
    this.#failures = 0;
  }

  failed(): void {
    this.#spareAfter(this.#failures + 1);
  }

  /** Records a timeout, which opens the breaker at once. */
  timedOut(): void {
    this.#spareAfter(FAILURES_MAX);
  }

  #spareAfter(failures: number): void {
    this.#failures = failures;
    this.#closedAgainAt = this.#timers.now() + OPEN_MS;
  }
}

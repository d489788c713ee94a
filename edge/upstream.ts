/** A backend behind the router: in this process, or at an origin. */
import type { ServiceTimers } from "../shared/service/mod.ts";
import type { Fetch } from "./edge_service.ts";

/** Sends a request on; aborting its signal ends it. */
export type Upstream = Fetch;

/** Hop-by-hop (RFC 9110, 7.6.1), and what `fetch` sets by itself. */
const NOT_SENT_ON = ["connection", "content-length", "host", "keep-alive", "transfer-encoding"];

/** A backend at an origin. Answers come uncompressed, so that streams pass as they are. */
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
 * A backend's stream on its way through the router (contract 4.8): each frame as soon as it is whole, and an end that
 * clients understand when the backend is lost in the middle.
 */

type Bytes = Uint8Array<ArrayBuffer>;

const LINE_FEED = 0x0a;

/**
 * Half a frame is held back until the rest is there, and dropped when it never comes. `onBroken` gives the last frame
 * of a stream that breaks off.
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

/** Null when frames were passed and more may come, "" when the stream has ended. */
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

/** The received part of a frame whose end is missing. */
class HeldFrame {
  #pieces: Bytes[] = [];

  /** The bytes up to the end of the last whole frame, after those that were held. */
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

  /** Offset after the last empty line of a chunk; 0: it has none. */
  #endIn(chunk: Bytes): number {
    for (let at = chunk.byteLength - 1; at >= 0; at--) {
      if (chunk[at] !== LINE_FEED) continue;
      const before = at === 0 ? this.#pieces.at(-1)?.at(-1) : chunk[at - 1];
      if (before === LINE_FEED) return at + 1;
    }
    return 0;
  }
}

/** Spares a backend that keeps failing, so that a dead one costs nothing: closed → open → one probe → closed. */
const FAILURES_MAX = 3;
const OPEN_MS = 10_000;

export class CircuitBreaker {
  readonly #timers: Pick<ServiceTimers, "now">;
  #failures = 0;
  #closedAgainAt = 0;

  constructor(timers: Pick<ServiceTimers, "now">) {
    this.#timers = timers;
  }

  /** True when the backend may be asked; while it is spared, one caller after each pause may try. */
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

  /** One that is waited for in vain costs too much to be tried again at once. */
  timedOut(): void {
    this.#spareAfter(FAILURES_MAX);
  }

  #spareAfter(failures: number): void {
    this.#failures = failures;
    this.#closedAgainAt = this.#timers.now() + OPEN_MS;
  }
}

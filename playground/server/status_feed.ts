/** Sends news to open pages, as one event stream for each. */
import { frame, KEEP_ALIVE } from "../../shared/service/mod.ts";
import type { Delivery, Status } from "../protocol.ts";

const KEEP_ALIVE_MILLISECONDS = 15_000;

type Listener = ReadableStreamDefaultController<Uint8Array>;

/** Reports to every open page the state of `dev`, and changes of files on disk. */
export class StatusFeed {
  readonly #listeners = new Map<Listener, ReturnType<typeof setInterval>>();
  readonly #encoder = new TextEncoder();
  #status: Status;

  readonly #deliveries: readonly Delivery[];

  constructor(status: Status, deliveries: readonly Delivery[]) {
    this.#status = status;
    this.#deliveries = deliveries;
  }

  get status(): Status {
    return this.#status;
  }

  /** Sends the status to open pages; a page that opens later receives it first. */
  tell(status: Status): void {
    this.#status = status;
    this.#send(frame("status", status));
  }

  tellDelivery(delivery: Delivery): void {
    this.#send(frame("delivery", delivery));
  }

  /** Makes the page read the project again. */
  tellFilesChanged(): void {
    this.#send(frame("files", {}));
  }

  /** Streams `status`, `files` and `delivery` events until the page closes the connection. */
  response(): Response {
    let own: Listener | null = null;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        own = controller;
        const known = [
          frame("status", this.#status),
          ...this.#deliveries.map((one) => frame("delivery", one)),
        ];
        controller.enqueue(this.#encoder.encode(known.join("")));
        const alive = () => controller.enqueue(this.#encoder.encode(KEEP_ALIVE));
        this.#listeners.set(controller, setInterval(alive, KEEP_ALIVE_MILLISECONDS));
      },
      cancel: () => this.#forget(own),
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  }

  close(): void {
    for (const listener of [...this.#listeners.keys()]) {
      this.#forget(listener);
      listener.close();
    }
  }

  #forget(listener: Listener | null): void {
    if (listener === null) return;
    clearInterval(this.#listeners.get(listener));
    this.#listeners.delete(listener);
  }

  #send(text: string): void {
    for (const listener of this.#listeners.keys()) listener.enqueue(this.#encoder.encode(text));
  }
}

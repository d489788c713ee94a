/** Tells every open page what `dev` is doing, and that files have changed on disk. */
import { frame, KEEP_ALIVE } from "../../shared/service/mod.ts";
import type { Status } from "../protocol.ts";

const KEEP_ALIVE_MILLISECONDS = 15_000;

type Listener = ReadableStreamDefaultController<Uint8Array>;

export class StatusFeed {
  readonly #listeners = new Map<Listener, ReturnType<typeof setInterval>>();
  readonly #encoder = new TextEncoder();
  #status: Status;

  constructor(status: Status) {
    this.#status = status;
  }

  get status(): Status {
    return this.#status;
  }

  /** To pages that are open, and first of all to those that open later. */
  tell(status: Status): void {
    this.#status = status;
    this.#send(frame("status", status));
  }

  /** The page reads the project again. */
  tellFilesChanged(): void {
    this.#send(frame("files", {}));
  }

  /** `status` and `files` events until the page leaves. */
  response(): Response {
    let own: Listener | null = null;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        own = controller;
        controller.enqueue(this.#encoder.encode(frame("status", this.#status)));
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

/** The handlers that an edge platform calls: `fetch` for requests, `scheduled` and `queue` for the work between them. */
import type { Connection } from "../../shared/runtime/ports.ts";
import type { BindingQueue, MessageBatch } from "./binding_queue.ts";

export interface WorkerApi {
  fetch(request: Request, connection: Connection): Promise<Response>;
  /** Does what is due, until nothing is. */
  readonly work: () => Promise<void>;
  /** Null: the worker has no queue bound. */
  readonly queue: BindingQueue | null;
  readonly scoped: <T>(run: () => Promise<T>) => Promise<T>;
}

/** The platform's handle that comes with each event. */
export interface Background {
  waitUntil(promise: Promise<unknown>): void;
}

/** The platform's own header; it overwrites what a caller sends (contract 8.1.4). */
const CLIENT_IP_HEADER = "cf-connecting-ip";

/** The API is made by the first event: only then are the settings known. */
export function serveWorker<Bindings extends object>(create: (bindings: Bindings) => WorkerApi) {
  const made = new WeakMap<Bindings, WorkerApi>();
  const apiFor = (bindings: Bindings) => {
    const api = made.get(bindings) ?? create(bindings);
    made.set(bindings, api);
    return api;
  };
  return {
    async fetch(request: Request, bindings: Bindings, background: Background): Promise<Response> {
      const { work, scoped, ...api } = apiFor(bindings);
      const clientIp = request.headers.get(CLIENT_IP_HEADER);
      const response = await scoped(() => api.fetch(request, { clientIp }));
      if (request.method !== "GET") background.waitUntil(scoped(work));
      return response;
    },
    async scheduled(_event: unknown, bindings: Bindings): Promise<void> {
      const { work, scoped } = apiFor(bindings);
      await scoped(work);
    },
    async queue(batch: MessageBatch, bindings: Bindings): Promise<void> {
      const { work, queue, scoped } = apiFor(bindings);
      if (queue === null) throw new Error("A queue calls this worker, and none is bound to it");
      await scoped(() => queue.consume(batch, work));
    },
  };
}

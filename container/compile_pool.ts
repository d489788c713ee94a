/** Threads that compile: one compile at a time in each, and a compile that nobody waits for ends with its thread. */
import type { CompileEvent, CompileJob, Compiler } from "../shared/service/mod.ts";
import type { HostFiles, WorkerMessage, WorkerOrder } from "./worker_messages.ts";

export interface PoolOptions {
  /** Threads kept ready. */
  readonly size: number;
  readonly start: () => Worker;
}

export class CompilePool implements Compiler, Disposable {
  readonly #options: PoolOptions;
  readonly #idle: Worker[];
  readonly #busy = new Set<Worker>();

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#idle = Array.from({ length: options.size }, options.start);
  }

  async *compile(job: CompileJob): AsyncGenerator<CompileEvent, void, void> {
    job.signal.throwIfAborted();
    const worker = this.#idle.pop() ?? this.#options.start();
    this.#busy.add(worker);
    let isDone = false;
    try {
      for await (const message of conversation(worker, job)) {
        if (message.kind === "event") yield message.event;
        else if (message.kind === "crash") throw new Error(`Compile crashed: ${message.stack}`);
      }
      isDone = true;
    } finally {
      this.#giveBack(worker, isDone);
    }
  }

  /** A thread that has not ended its compile may be anywhere in it: a new one takes its place. */
  #giveBack(worker: Worker, isDone: boolean): void {
    if (!this.#busy.delete(worker)) return;
    if (!isDone) worker.terminate();
    if (this.#idle.length < this.#options.size) {
      this.#idle.push(isDone ? worker : this.#options.start());
    } else if (isDone) worker.terminate();
  }

  [Symbol.dispose](): void {
    for (const worker of [...this.#idle.splice(0), ...this.#busy]) worker.terminate();
    this.#busy.clear();
  }
}

/** Gives the order and listens until the worker has said its last. */
function conversation(
  worker: Worker,
  { input, complete, signal }: CompileJob,
): ReadableStream<WorkerMessage> {
  const over = new AbortController();
  return new ReadableStream({
    start(controller) {
      const listen = { signal: over.signal };
      const fail = (reason: unknown) => {
        over.abort();
        controller.error(reason);
      };
      signal.addEventListener("abort", () => fail(signal.reason), listen);
      worker.addEventListener("error", (event) => {
        event.preventDefault();
        fail(new Error(`Compile thread ended: ${event.message}`));
      }, listen);
      worker.addEventListener("message", ({ data }: MessageEvent<WorkerMessage>) => {
        controller.enqueue(data);
        if (data.kind === "event") return;
        over.abort();
        controller.close();
      }, listen);
      const order: WorkerOrder = { kind: "compile", input, complete };
      worker.postMessage(order);
    },
    cancel: () => over.abort(),
  });
}

export function startCompileWorker(
  host: HostFiles,
  { checks }: Pick<Extract<WorkerOrder, { kind: "host" }>, "checks"> = { checks: false },
): Worker {
  const worker = new Worker(new URL("./compile_worker.ts", import.meta.url), { type: "module" });
  const order: WorkerOrder = { kind: "host", host, checks };
  worker.postMessage(order);
  return worker;
}

/**
 * Threads that compile, each one project at a time. If nobody waits for a compile, or if it exceeds its memory, its thread is
 * ended; the process and the other threads go on.
 */
import { Worker } from "node:worker_threads";
import type { CompileEvent, CompileJob, Compiler, ServiceTimers } from "../shared/service/mod.ts";
import { ServiceRefusal } from "../shared/service/mod.ts";
import type { HostFiles, WorkerMessage, WorkerOrder } from "./worker_messages.ts";

interface PoolOptions {
  /** Most threads that are kept after they were needed at the same time. */
  readonly size: number;
  readonly start: () => Worker;
  readonly timers: Pick<ServiceTimers, "wait">;
}

/** Time after a compile for which its threads are kept, with their optimized code and parsed files. */
export const REST_MS = 5 * 60 * 1000;

export class CompilePool implements Compiler, Disposable {
  readonly #options: PoolOptions;
  readonly #idle: Worker[];
  readonly #busy = new Set<Worker>();
  readonly #waiting: (() => void)[] = [];
  /** Threads that have compiled, and still hold what they compiled last. */
  readonly #used = new WeakSet<Worker>();
  /** Aborts when somebody compiles again. */
  #resting = new AbortController();

  constructor(options: PoolOptions) {
    this.#options = options;
    // Most services compile one project at a time, so further threads of 100 MiB each start on demand.
    this.#idle = [this.#start()];
    void this.#rest();
  }

  async *compile(job: CompileJob): AsyncGenerator<CompileEvent, void, void> {
    job.signal.throwIfAborted();
    const worker = this.#idle.pop() ?? this.#start();
    this.#resting.abort();
    this.#busy.add(worker);
    this.#used.add(worker);
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

  /** Resolves when nobody compiles. */
  quiet(): Promise<void> {
    if (this.#busy.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** After a while without compiles, keeps one unused thread and ends the others to free their memory. */
  async #rest(): Promise<void> {
    this.#resting = new AbortController();
    const { signal } = this.#resting;
    await this.#options.timers.wait(REST_MS, signal);
    if (signal.aborted) return;
    const unused = this.#idle.find((worker) => !this.#used.has(worker));
    for (const worker of this.#idle.splice(0)) if (worker !== unused) void worker.terminate();
    this.#idle.push(unused ?? this.#start());
  }

  #start(): Worker {
    const worker = this.#options.start();
    // A running compile gets the error that ends its thread. An idle thread that ends is replaced by the next compile.
    worker.on("error", () => {});
    worker.on("exit", () => this.#forget(worker));
    return worker;
  }

  #forget(worker: Worker): void {
    const at = this.#idle.indexOf(worker);
    if (at >= 0) this.#idle.splice(at, 1);
  }

  /** Takes a thread back. One that has not finished its compile is replaced. */
  #giveBack(worker: Worker, isDone: boolean): void {
    if (!this.#busy.delete(worker)) return;
    if (this.#busy.size === 0) { for (const resolve of this.#waiting.splice(0)) resolve(); }
    if (!isDone) void worker.terminate();
    if (this.#idle.length < this.#options.size) {
      this.#idle.push(isDone ? worker : this.#start());
    } else if (isDone) void worker.terminate();
    if (this.#busy.size === 0) void this.#rest();
  }

  [Symbol.dispose](): void {
    this.#resting.abort();
    for (const worker of [...this.#idle.splice(0), ...this.#busy]) void worker.terminate();
    this.#busy.clear();
  }
}

/** Sends the order and yields messages until the last one. */
function conversation(
  worker: Worker,
  { input, complete, caller = "", signal }: CompileJob,
): ReadableStream<WorkerMessage> {
  const over = new AbortController();
  return new ReadableStream({
    start(controller) {
      const fail = (reason: unknown) => {
        over.abort();
        controller.error(reason);
      };
      const listeners = {
        // Exceeding the memory limit is a refusal; any other error is a fault of this program.
        error: (error: unknown) =>
          fail(
            error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"
              ? new ServiceRefusal("PAYLOAD_TOO_LARGE", {
                detail: `The compile needs more than ${MEMORY_MAX_MIB} MiB of memory`,
              })
              : new Error("Compile thread ended", { cause: error }),
          ),
        exit: () => fail(new Error("Compile thread ended by itself")),
        message: (message: WorkerMessage) => {
          controller.enqueue(message);
          if (message.kind === "event") return;
          over.abort();
          controller.close();
        },
      };
      for (const [name, listener] of Object.entries(listeners)) {
        worker.on(name, listener);
        over.signal.addEventListener("abort", () => worker.off(name, listener));
      }
      signal.addEventListener("abort", () => fail(signal.reason), { signal: over.signal });
      const order: WorkerOrder = { kind: "compile", input, complete, caller };
      worker.postMessage(order);
    },
    cancel: () => over.abort(),
  });
}

/** Limit of a thread's JavaScript memory. A compile of a hundred resources takes a tenth of it. */
const MEMORY_MAX_MIB = 1024;

export function startCompileWorker(
  host: HostFiles,
  { checks }: Pick<Extract<WorkerOrder, { kind: "host" }>, "checks"> = { checks: false },
): Worker {
  const worker = new Worker(new URL("./compile_worker.ts", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MAX_MIB },
  });
  const order: WorkerOrder = { kind: "host", host, checks };
  worker.postMessage(order);
  return worker;
}

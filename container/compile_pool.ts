/**
 * Threads that compile: one compile at a time in each, and a compile that nobody waits for ends with its thread. So does one
 * that fills its memory: the process and the other threads live on.
 */
import { Worker } from "node:worker_threads";
import type { CompileEvent, CompileJob, Compiler, ServiceTimers } from "../shared/service/mod.ts";
import { ServiceRefusal } from "../shared/service/mod.ts";
import type { HostFiles, WorkerMessage, WorkerOrder } from "./worker_messages.ts";

interface PoolOptions {
  /** Threads that are kept once that many were needed at one time. */
  readonly size: number;
  readonly start: () => Worker;
  readonly timers: Pick<ServiceTimers, "wait">;
}

/** For so long after a compile its threads are kept as they are: with optimized code, parsed files and the memory of both. */
export const REST_MS = 5 * 60 * 1000;

export class CompilePool implements Compiler, Disposable {
  readonly #options: PoolOptions;
  readonly #idle: Worker[];
  readonly #busy = new Set<Worker>();
  readonly #waiting: (() => void)[] = [];
  /** Have compiled: what they compiled last is still theirs. */
  readonly #used = new WeakSet<Worker>();
  /** Aborts when somebody compiles again. */
  #resting = new AbortController();

  constructor(options: PoolOptions) {
    this.#options = options;
    // Most services compile one project at a time: further threads, of 100 MiB each, start with the compiles that need them.
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

  /** Keeps one unused thread after a while without compiles, and ends the others: that gives their memory back. */
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
    // Whoever compiles in it hears what ends it. Between two compiles nobody does, and a later one takes another thread.
    worker.on("error", () => {});
    worker.on("exit", () => this.#forget(worker));
    return worker;
  }

  #forget(worker: Worker): void {
    const at = this.#idle.indexOf(worker);
    if (at >= 0) this.#idle.splice(at, 1);
  }

  /** A thread that has not ended its compile may be anywhere in it: a new one takes its place. */
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

/** Gives the order and listens until the worker has said its last. */
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
        // A refusal when the compile needs more memory than it may take, else our own mistake.
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

/** Bound on the memory of a thread's JavaScript; a compile of a hundred resources takes a tenth of it. */
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

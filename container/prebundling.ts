/** Prebundles in a thread of its own while the service starts, and hands the results to every thread that compiles. */
import type { Prebundled } from "./bundle/bundle_checks.ts";
import type { HostFiles } from "./worker_messages.ts";

type Listener = (one: Prebundled) => void;

export class Prebundling implements Disposable {
  readonly #worker: Worker;
  readonly #done: Prebundled[] = [];
  readonly #listeners: Listener[] = [];
  #isOver = false;

  constructor(host: HostFiles) {
    const script = new URL("./prebundle_worker.ts", import.meta.url);
    this.#worker = new Worker(script, { type: "module" });
    this.#worker.addEventListener("message", ({ data }: MessageEvent<Prebundled | null>) => {
      if (data === null) return this.#end();
      this.#done.push(data);
      for (const listener of this.#listeners) listener(data);
    });
    this.#worker.postMessage(host);
  }

  /** Told of those that are done already, too. */
  onPrebundled(listener: Listener): void {
    for (const one of this.#done) listener(one);
    if (!this.#isOver) this.#listeners.push(listener);
  }

  #end(): void {
    this.#isOver = true;
    this.#listeners.length = 0;
    this.#worker.terminate();
  }

  [Symbol.dispose](): void {
    this.#end();
  }
}

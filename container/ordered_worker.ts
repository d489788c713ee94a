/** A thread that answers orders in the order in which they were given. */

export class OrderedWorker<Order, Answer> implements Disposable {
  readonly #worker: Worker;
  readonly #name: string;
  #last: Promise<unknown> = Promise.resolve();

  /** Starts the thread at once. `name` describes its work in errors. */
  constructor(script: URL, name: string) {
    this.#worker = new Worker(script, { type: "module" });
    this.#name = name;
  }

  /** Sends a message that gets no answer. */
  tell(order: Order): void {
    this.#worker.postMessage(order);
  }

  /** Resolves with the answer. Rejects if the thread has ended. */
  ask(order: Order): Promise<Answer> {
    const answer = this.#last.then(() => this.#answer(order));
    this.#last = answer;
    return answer;
  }

  #answer(order: Order): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const over = new AbortController();
    const listen = { signal: over.signal };
    this.#worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => {
      over.abort();
      resolve(data);
    }, listen);
    this.#worker.addEventListener("error", (event) => {
      event.preventDefault();
      over.abort();
      reject(new Error(`The ${this.#name} ended: ${event.message}`));
    }, listen);
    this.tell(order);
    return promise;
  }

  [Symbol.dispose](): void {
    this.#worker.terminate();
  }
}

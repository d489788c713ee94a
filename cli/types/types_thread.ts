/** The type checker in a thread of its own, beside a process that serves (definitions 8, answers P11). */
import type { Diagnostic } from "../../shared/compiler/diagnostics/diagnostic.ts";
import type { TypeCheck } from "./type_checker.ts";

export class TypesThread implements Disposable {
  readonly #worker = new Worker(new URL("./types_worker.ts", import.meta.url), { type: "module" });
  #last: Promise<unknown> = Promise.resolve();

  /** One after the other. */
  check(order: TypeCheck): Promise<readonly Diagnostic[]> {
    const found = this.#last.then(() => this.#ask(order));
    this.#last = found;
    return found;
  }

  #ask(order: TypeCheck): Promise<readonly Diagnostic[]> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly Diagnostic[]>();
    const over = new AbortController();
    const listen = { signal: over.signal };
    this.#worker.addEventListener("message", ({ data }: MessageEvent<readonly Diagnostic[]>) => {
      over.abort();
      resolve(data);
    }, listen);
    this.#worker.addEventListener("error", (event) => {
      event.preventDefault();
      over.abort();
      reject(new Error(`The type check ended: ${event.message}`));
    }, listen);
    this.#worker.postMessage(order);
    return promise;
  }

  [Symbol.dispose](): void {
    this.#worker.terminate();
  }
}

/** The bundle check in a thread of its own, beside a process that serves or compiles (definitions 8). */
import type { CheckFindings } from "../shared/compiler/mod.ts";
import type { BundledCompilation } from "./bundle/bundle_check.ts";
import { CARRIED_FOLDER } from "./bundle/paths.ts";
import type { BundleOrder } from "./worker_messages.ts";
import type { HostFiles } from "./worker_messages.ts";

export class BundleThread implements Disposable {
  readonly #worker: Worker;
  #last: Promise<unknown> = Promise.resolve();

  /** Begins to prepare at once. */
  constructor(host: HostFiles) {
    const script = new URL("./bundle_worker.ts", import.meta.url);
    this.#worker = new Worker(script, { type: "module" });
    const { version, template, vendored, platforms = {}, imports, lock } = host;
    this.#order({
      kind: "host",
      host: { version, template, vendored, platforms, imports, lock },
    });
  }

  /** One after the other. */
  check(compilation: BundledCompilation): Promise<CheckFindings> {
    const order: BundleOrder = { kind: "check", ...ownPart(compilation) };
    const findings = this.#last.then(() => this.#ask(order));
    this.#last = findings;
    return findings;
  }

  #ask(order: BundleOrder): Promise<CheckFindings> {
    const { promise, resolve, reject } = Promise.withResolvers<CheckFindings>();
    const over = new AbortController();
    const listen = { signal: over.signal };
    this.#worker.addEventListener("message", ({ data }: MessageEvent<CheckFindings>) => {
      over.abort();
      resolve(data);
    }, listen);
    this.#worker.addEventListener("error", (event) => {
      event.preventDefault();
      over.abort();
      reject(new Error(`The bundle check ended: ${event.message}`));
    }, listen);
    this.#order(order);
    return promise;
  }

  #order(order: BundleOrder): void {
    this.#worker.postMessage(order);
  }

  [Symbol.dispose](): void {
    this.#worker.terminate();
  }
}

/** The thread has what outputs carry: most of their files, and of their bytes. */
function ownPart({ model, files }: BundledCompilation): BundledCompilation {
  const { runtime, dependencies } = model;
  return {
    model: { runtime, dependencies },
    files: files.filter(({ path }) => !path.startsWith(CARRIED_FOLDER)),
  };
}

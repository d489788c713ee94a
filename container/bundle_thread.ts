/** The bundle check in a thread of its own, beside a process that serves or compiles (definitions 8). */
import type { CheckFindings } from "../shared/compiler/mod.ts";
import type { BundledCompilation } from "./bundle/bundle_check.ts";
import { CARRIED_FOLDER } from "./bundle/paths.ts";
import { OrderedWorker } from "./ordered_worker.ts";
import type { BundleOrder, HostFiles } from "./worker_messages.ts";

export class BundleThread implements Disposable {
  readonly #worker = new OrderedWorker<BundleOrder, CheckFindings>(
    new URL("./bundle_worker.ts", import.meta.url),
    "bundle check",
  );

  /** Starts the thread, which prepares itself at once. */
  constructor(host: HostFiles) {
    const { version, template, vendored, platforms = {}, imports, lock } = host;
    this.#worker.tell({
      kind: "host",
      host: { version, template, vendored, platforms, imports, lock },
    });
  }

  /** Checks compilations in turn. */
  check(compilation: BundledCompilation): Promise<CheckFindings> {
    // The thread already has the carried files, which are most of an output.
    const { model, files } = compilation;
    const { runtime, dependencies } = model;
    return this.#worker.ask({
      kind: "check",
      model: { runtime, dependencies },
      files: files.filter(({ path }) => !path.startsWith(CARRIED_FOLDER)),
    });
  }

  [Symbol.dispose](): void {
    this.#worker[Symbol.dispose]();
  }
}

/** Warms the bundlers of a process up in a thread of its own: the engine keeps optimized code once for all threads. */
import type { RawFiles } from "../shared/compiler/mod.ts";
import { warmUpGroups } from "./bundle/warm_up.ts";

interface WarmBundlerOptions {
  /** Files that outputs carry. */
  readonly files: RawFiles;
  /** Resolves when nobody compiles: until then the machine is theirs. */
  readonly quiet: () => Promise<void>;
  readonly onFailure: (error: Error) => void;
}

/** Begins at once, and ends by itself. */
export function warmBundler({ files, quiet, onFailure }: WarmBundlerOptions): Disposable {
  const script = new URL("./warm_up_worker.ts", import.meta.url);
  const worker = new Worker(script, { type: "module" });
  const groups = warmUpGroups(files).values();
  const next = async () => {
    await quiet();
    const { done, value } = groups.next();
    if (done) worker.terminate();
    else worker.postMessage(value);
  };
  worker.addEventListener("message", () => void next());
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    onFailure(new Error(`The bundler's warm-up ended: ${event.message}`));
  });
  void next();
  return { [Symbol.dispose]: () => worker.terminate() };
}

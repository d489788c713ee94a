/** Checks a compiled output for leaks: runs it in two threads, over two databases. */
import { join } from "node:path";
import * as leaks from "../../../proof/leakcheck/leakcheck.ts";
import type { SeedRow } from "../../../proof/rows/mod.ts";
import type { ProjectModel } from "../../../shared/model/mod.ts";
import type { TwinAnswers, TwinOrder, TwinReply } from "./twin_messages.ts";

export function checkOutput(
  folder: string,
  options: leaks.LeakcheckOptions = {},
): Promise<leaks.LeakReport> {
  return withTwins(folder, (model, host) => leaks.leakcheck(model, host, options));
}

/** Calls `body` with the output's model and a function that opens pairs of databases; they are closed afterwards. */
export async function withTwins<T>(
  folder: string,
  body: (model: ProjectModel, host: leaks.LeakHost) => Promise<T>,
): Promise<T> {
  const databases = await Deno.makeTempDir({ prefix: "quickback-leakcheck-" });
  using one = new TwinThread();
  using other = new TwinThread();
  try {
    const [model] = await Promise.all([
      one.load(folder, join(databases, "one")),
      other.load(folder, join(databases, "other")),
    ]);
    return await body(model, {
      open: (rows, others) => Promise.all([one.open(rows), other.open(others)]),
    });
  } finally {
    await Deno.remove(databases, { recursive: true });
  }
}

class TwinThread implements Disposable {
  readonly #worker = new Worker(new URL("./twin_worker.ts", import.meta.url), { type: "module" });

  /** Loads the output. `databases`: folder for this thread's own databases. */
  load(folder: string, databases: string): Promise<ProjectModel> {
    return this.#tell({ kind: "load", folder, databases });
  }

  async open(rows: readonly SeedRow[]): Promise<leaks.TwinApi> {
    await this.#tell({ kind: "open", rows });
    return {
      ask: ({ channel, method, path, headers = {}, body }, caller) => {
        // The expected answer is left out, because the thread does not use it.
        const question = {
          channel,
          method,
          path,
          headers,
          ...(body === undefined ? {} : { body }),
        };
        return this.#tell({ kind: "ask", question, caller });
      },
      listen: async (caller) => {
        if (!await this.#tell({ kind: "listen", caller })) return null;
        return {
          heard: async () => {
            const frames = await this.#tell({ kind: "frames" });
            if (frames === null) throw new Error("Nobody listens any more");
            return frames;
          },
        };
      },
      deliveries: () => this.#tell({ kind: "deliveries" }),
      close: async () => void await this.#tell({ kind: "close" }),
    };
  }

  /** Sends an order to the thread, one at a time: the next message is its reply. */
  #tell<Order extends TwinOrder>(order: Order): Promise<TwinAnswers[Order["kind"]]> {
    const { promise, resolve, reject } = Promise.withResolvers<TwinAnswers[Order["kind"]]>();
    const over = new AbortController();
    const listen = { signal: over.signal };
    this.#worker.addEventListener("message", ({ data }: MessageEvent<TwinReply<Order["kind"]>>) => {
      over.abort();
      if (data.kind === "done") resolve(data.answer);
      else reject(new Error(data.message));
    }, listen);
    this.#worker.addEventListener("error", (event) => {
      event.preventDefault();
      over.abort();
      reject(new Error(event.message));
    }, listen);
    this.#worker.postMessage(order);
    return promise;
  }

  [Symbol.dispose](): void {
    this.#worker.terminate();
  }
}

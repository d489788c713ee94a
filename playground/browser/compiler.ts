/** Runs compiles of one kind, one at a time: a newer compile cancels the one before. */
import { begunRun, type CompileRun, continued } from "./compile_run.ts";
import { compileStream } from "./compile_stream.ts";
import { type Connection, Disconnected, Refused } from "./connection.ts";

interface CompilerOptions {
  readonly connection: Connection;
  /** True for a full compile; false: validate only. */
  readonly complete: boolean;
  /** Returns the current body of the request. */
  readonly body: () => string;
  /** Called after every step of the newest compile. */
  readonly onNews: (run: CompileRun) => void;
}

const TYPING_MILLISECONDS = 40;

export class Compiler {
  readonly #options: CompilerOptions;
  #current = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: CompilerOptions) {
    this.#options = options;
  }

  /** Compiles after a pause in typing. */
  runSoon(): void {
    this.stop();
    this.#timer = setTimeout(() => void this.run(), TYPING_MILLISECONDS);
  }

  stop(): void {
    this.#current.abort();
    clearTimeout(this.#timer);
  }

  async run(): Promise<void> {
    this.stop();
    const { signal } = this.#current = new AbortController();
    const { connection, complete, body, onNews } = this.#options;
    const since = performance.now();
    let run = begunRun(complete);
    onNews(run);
    try {
      for await (const news of compileStream(connection, { body: body(), complete, signal })) {
        if (signal.aborted) return;
        run = continued(run, news, performance.now() - since);
        onNews(run);
      }
      if (run.outcome === "running") throw new Disconnected("The compile ended without a result");
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Disconnected || error instanceof Refused)) throw error;
      onNews({ ...run, outcome: "failed", message: error.message });
    }
  }
}

/** The time that all hooks of one request have together (definitions 8, `HOOK_TIMEOUT_MS`): they hold the database's only writer. */
import type { Clock, Timer } from "../ports.ts";
import { Refusal } from "../refusal.ts";

interface HookTimeOptions {
  readonly clock: Clock;
  /** Absent: the host has none, and hooks have any time. */
  readonly timer?: Timer | undefined;
  /** Null or absent: any time. */
  readonly limitMs?: number | null | undefined;
}

export class HookTime {
  readonly #options: HookTimeOptions;
  #left: number;
  /** Of the outermost hook that runs; null: none does. */
  #late: Promise<never> | null = null;

  constructor(options: HookTimeOptions) {
    this.#options = options;
    this.#left = options.limitMs ?? Infinity;
  }

  /** Refuses with `ACTION_TIMEOUT` what has not come by then; what was begun goes on by itself. */
  async race<T>(run: () => Promise<T>): Promise<T> {
    const { clock, timer } = this.#options;
    if (!timer || this.#left === Infinity) return await run();
    // The time of a hook that another one's write has called is that one's.
    if (this.#late !== null) return await firstOf(run(), this.#late);
    if (this.#left <= 0) throw new Refusal("ACTION_TIMEOUT");
    const late = Promise.withResolvers<never>();
    late.promise.catch(() => {});
    const begun = clock.now();
    const stop = timer.after(this.#left, () => late.reject(new Refusal("ACTION_TIMEOUT")));
    this.#late = late.promise;
    try {
      return await firstOf(run(), late.promise);
    } finally {
      stop();
      this.#late = null;
      this.#left -= clock.now() - begun;
    }
  }
}

function firstOf<T>(done: Promise<T>, late: Promise<never>): Promise<T> {
  // One that ends badly after its time must not end the process.
  done.catch(() => {});
  return Promise.race([done, late]);
}

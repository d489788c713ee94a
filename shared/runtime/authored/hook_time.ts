/**
 * Limits the time of all hooks of one request together (definitions 8, `HOOK_TIMEOUT_MS`), because they occupy the database's
 * only writer.
 */
import type { Clock, Timer } from "../ports.ts";
import { Refusal } from "../refusal.ts";

interface HookTimeOptions {
  readonly clock: Clock;
  /** Absent: the host has no timer, and hooks have no time limit. */
  readonly timer?: Timer | undefined;
  /** Null or absent: no limit. */
  readonly limitMs?: number | null | undefined;
}

export class HookTime {
  readonly #options: HookTimeOptions;
  #left: number;
  /** Rejects when the time of the outermost running hook is over; null: no hook runs. */
  #late: Promise<never> | null = null;

  constructor(options: HookTimeOptions) {
    this.#options = options;
    this.#left = options.limitMs ?? Infinity;
  }

  /** Refuses with `ACTION_TIMEOUT` a call that takes too long; work that it began continues by itself. */
  async race<T>(run: () => Promise<T>): Promise<T> {
    const { clock, timer } = this.#options;
    if (!timer || this.#left === Infinity) return await run();
    // A hook that another hook's write calls shares that hook's time.
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
  // A hook that fails after its time must not end the process.
  done.catch(() => {});
  return Promise.race([done, late]);
}

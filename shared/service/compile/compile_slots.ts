/** Limits concurrent and waiting compiles (definitions 7, `COMPILE_BUSY`). */
import { QUEUE_WAIT_MAX_MS, RETRY_AFTER_SECONDS } from "../limits.ts";
import type { ServiceTimers } from "../ports.ts";
import { ServiceRefusal } from "../refusal.ts";

interface SlotLimits {
  readonly running: number;
  readonly waiting: number;
}

/** Permission to compile. Disposing it passes it to the next in line. */
export type Slot = Disposable;

export class CompileSlots {
  readonly #limits: SlotLimits;
  readonly #timers: ServiceTimers;
  readonly #ending: AbortSignal;
  readonly #queue = new Set<() => void>();
  #running = 0;

  /** When `ending` aborts, waiting compiles are refused, no new one starts, and the running ones finish. */
  constructor(
    limits: SlotLimits,
    { timers, ending }: { readonly timers: ServiceTimers; readonly ending: AbortSignal },
  ) {
    this.#limits = limits;
    this.#timers = timers;
    this.#ending = ending;
  }

  /** Waits for a slot in the order of arrival. Refuses when too many wait, or after too long a wait. */
  async take(signal: AbortSignal): Promise<Slot> {
    signal.throwIfAborted();
    if (this.#running >= this.#limits.running) await this.#turn(signal);
    else this.#running += 1;
    return this.#slot();
  }

  /** Resolves when a slot is passed on. The slot stays counted as running. */
  async #turn(signal: AbortSignal): Promise<void> {
    if (this.#ending.aborted) throw busy(ENDING);
    if (this.#queue.size >= this.#limits.waiting) throw busy("Too many compiles are waiting");
    const given = Promise.withResolvers<void>();
    const over = new AbortController();
    this.#queue.add(given.resolve);
    const patience = this.#timers.wait(
      QUEUE_WAIT_MAX_MS,
      AbortSignal.any([signal, over.signal, this.#ending]),
    );
    let isGiven = false;
    await Promise.race([given.promise.then(() => isGiven = true), patience]);
    over.abort();
    if (isGiven) return;
    if (!this.#queue.delete(given.resolve)) this.#release();
    signal.throwIfAborted();
    throw busy(this.#ending.aborted ? ENDING : "No compile ended in time to let this one begin");
  }

  #slot(): Slot {
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (isHeld) this.#release();
        isHeld = false;
      },
    };
  }

  #release(): void {
    const [next] = this.#queue;
    if (next === undefined) {
      this.#running -= 1;
      return;
    }
    this.#queue.delete(next);
    next();
  }
}

const ENDING = "The service is ending: compiles that have not begun are not begun";

function busy(detail: string): ServiceRefusal {
  return new ServiceRefusal("COMPILE_BUSY", {
    detail,
    headers: { "retry-after": String(RETRY_AFTER_SECONDS) },
  });
}

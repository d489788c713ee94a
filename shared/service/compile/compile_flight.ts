/** One compile and its subscribers: each receives all of its events, and it ends early only when all of them have left. */
import type { CompileEvent } from "./compile_event.ts";

export type CompileEvents = AsyncGenerator<CompileEvent, void, void>;

type Ending = { readonly kind: "ended" } | { readonly kind: "failed"; readonly error: unknown };

export class CompileFlight {
  readonly #events: CompileEvent[] = [];
  readonly #abandoned = new AbortController();
  #ending: Ending | null = null;
  #told = Promise.withResolvers<void>();
  #passengers = 0;

  /** Aborts when nobody waits any more. */
  get signal(): AbortSignal {
    return this.#abandoned.signal;
  }

  /** Somebody waits, until the signal aborts or what is returned is disposed. */
  board(signal: AbortSignal): Disposable {
    this.#passengers += 1;
    let isAboard = true;
    const leave = () => {
      if (!isAboard) return;
      isAboard = false;
      signal.removeEventListener("abort", leave);
      this.#passengers -= 1;
      if (this.#passengers === 0 && !this.#isOver()) this.#abandoned.abort(signal.reason);
    };
    signal.addEventListener("abort", leave, { once: true });
    if (signal.aborted) leave();
    return { [Symbol.dispose]: leave };
  }

  /** Takes the source at its own speed, whoever listens; null when it failed. */
  async run(begin: () => CompileEvents): Promise<readonly CompileEvent[] | null> {
    try {
      for await (const event of begin()) {
        this.#events.push(event);
        this.#tell();
      }
      this.#ending = { kind: "ended" };
      return this.#events;
    } catch (error) {
      this.#ending = { kind: "failed", error };
      return null;
    } finally {
      this.#tell();
    }
  }

  /** From the first event on; throws what the compile failed with, or the signal's reason. Ends the seat's wait. */
  async *events(seat: Disposable, signal: AbortSignal): CompileEvents {
    using _seat = seat;
    const left = abortOf(signal);
    for (let at = 0;; at++) {
      while (at >= this.#events.length && this.#ending === null) {
        await Promise.race([this.#told.promise, left]);
      }
      signal.throwIfAborted();
      const event = this.#events[at];
      if (event !== undefined) yield event;
      else if (this.#ending?.kind === "failed") throw this.#ending.error;
      else return;
    }
  }

  /** True after the last event: subscribers may leave then, before the source has ended. */
  #isOver(): boolean {
    const last = this.#events.at(-1)?.kind;
    return this.#ending !== null || last === "finished" || last === "failed";
  }

  #tell(): void {
    this.#told.resolve();
    this.#told = Promise.withResolvers<void>();
  }
}

/** Rejects when the signal aborts. */
function abortOf(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => {});
  if (signal.aborted) reject(signal.reason);
  signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  return promise;
}

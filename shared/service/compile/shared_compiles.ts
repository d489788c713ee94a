/**
 * Shares compiles of equal input. An earlier result is repeated, a running compile is joined, and only new input takes a slot.
 * All three give the same bytes (docs/decisions/build_service.md).
 */
import { sha256 } from "../../lib/bytes.ts";
import { hex } from "../../lib/hexadecimal.ts";
import type { Compiler, CompileStore, ServiceTimers } from "../ports.ts";
import type { CompileEvent, CompileInput } from "./compile_event.ts";
import type { CompileSlots, Slot } from "./compile_slots.ts";
import { deadline, until } from "./deadline.ts";

interface SharedCompilesOptions {
  readonly compiler: Compiler;
  readonly slots: CompileSlots;
  readonly timers: ServiceTimers;
  /** Null: results are neither kept nor shared. */
  readonly store: CompileStore | null;
}

interface StartedCompile {
  /** `hit`: an earlier result. `joined`: another request of the same caller was compiling the same input. */
  readonly from: "hit" | "joined" | "miss";
  readonly events: CompileEvents;
}

interface Begun {
  readonly flight: CompileFlight;
  /** Resolves when the compile has a slot, and rejects if it gets none. */
  readonly turn: Promise<void>;
}

export class SharedCompiles {
  readonly #options: SharedCompilesOptions;
  readonly #running = new Map<string, Begun>();

  constructor(options: SharedCompilesOptions) {
    this.#options = options;
  }

  /** Returns when the compile has a slot. Refuses if it gets none. */
  async start(order: CompileOrder, signal: AbortSignal): Promise<StartedCompile> {
    const { store } = this.#options;
    if (store === null) return await this.#await(this.#begin(order, null), "miss", signal);
    const key = await compileKey(order);
    const joined = this.#running.get(key);
    if (joined !== undefined) return await this.#await(joined, "joined", signal);
    const kept = await store.get(key);
    if (kept !== null) return { from: "hit", events: replayed(kept) };
    // Another request may have started the compile while the store was read.
    const begun = this.#running.get(key);
    if (begun !== undefined) return await this.#await(begun, "joined", signal);
    return await this.#await(this.#begin(order, key), "miss", signal);
  }

  async #await(
    { flight, turn }: Begun,
    from: StartedCompile["from"],
    signal: AbortSignal,
  ): Promise<StartedCompile> {
    const seat = flight.board(signal);
    await turn;
    return { from, events: flight.events(seat, signal) };
  }

  #begin(order: CompileOrder, key: string | null): Begun {
    const { slots } = this.#options;
    const flight = new CompileFlight();
    const turn = slots.take(flight.signal)
      .then((slot) => void this.#fly(order, flight, slot, key));
    const begun = { flight, turn };
    if (key === null) return begun;
    const forget = () => this.#forget(key, flight);
    this.#running.set(key, begun);
    turn.catch(forget);
    // A later request starts anew.
    flight.signal.addEventListener("abort", forget, { once: true });
    return begun;
  }

  async #fly(
    { input, complete, caller }: CompileOrder,
    flight: CompileFlight,
    slot: Slot,
    key: string | null,
  ): Promise<void> {
    const { compiler, timers, store } = this.#options;
    using limit = deadline(timers, flight.signal);
    const { signal } = limit;
    const events = await flight.run(() =>
      until(compiler.compile({ input, complete, caller, signal }), signal)
    );
    slot[Symbol.dispose]();
    if (key === null || store === null) return;
    if (events !== null) await store.set(key, events);
    this.#forget(key, flight);
  }

  #forget(key: string, flight: CompileFlight): void {
    if (this.#running.get(key)?.flight === flight) this.#running.delete(key);
  }
}

async function* replayed(events: readonly CompileEvent[]): CompileEvents {
  yield* events;
}

/** The input of a compile, from which its key is made. */
export interface CompileOrder {
  readonly input: CompileInput;
  readonly complete: boolean;
  /** Owner of the compile. It is part of the key, so that an answer never reveals that somebody else compiled the same. */
  readonly caller: string;
}

/** Returns a SHA-256 in hexadecimal. Members keep their order, so another order is another request. */
async function compileKey({ input, complete, caller }: CompileOrder): Promise<string> {
  const { files, actionInputSchemas, vendor = true, parsed = null } = input;
  const text = JSON.stringify([caller, complete, files, actionInputSchemas, vendor, parsed]);
  return hex(await sha256(text));
}

/** One compile with its subscribers. Each receives all events. The compile ends early only if all of them have left. */
export type CompileEvents = AsyncGenerator<CompileEvent, void, void>;

type Ending = { readonly kind: "ended" } | { readonly kind: "failed"; readonly error: unknown };

class CompileFlight {
  readonly #events: CompileEvent[] = [];
  readonly #abandoned = new AbortController();
  #ending: Ending | null = null;
  #told = Promise.withResolvers<void>();
  #passengers = 0;

  /** Aborts when no subscriber is left. */
  get signal(): AbortSignal {
    return this.#abandoned.signal;
  }

  /** Adds a subscriber until the signal aborts or the result is disposed. */
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

  /** Reads the source at its own speed, independent of subscribers. Returns null if it failed. */
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

  /**
   * Yields all events from the first on. Throws the compile's failure or the signal's reason, and releases the seat at the end.
   */
  async *events(seat: Disposable, signal: AbortSignal): CompileEvents {
    using _seat = seat;
    // This rejects when the signal aborts.
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => {});
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    const left = promise;
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

  /** True after the last event. Subscribers may leave then, before the source has ended. */
  #isOver(): boolean {
    const last = this.#events.at(-1)?.kind;
    return this.#ending !== null || last === "finished" || last === "failed";
  }

  #tell(): void {
    this.#told.resolve();
    this.#told = Promise.withResolvers<void>();
  }
}

/**
 * Shares compiles of equal input: an earlier result is repeated, a running compile is joined, and only new input takes a
 * turn. The same input gives the same bytes whichever way it went (docs/decisions/build_service.md).
 */
import type { Compiler, CompileStore, ServiceTimers } from "../ports.ts";
import type { CompileEvent } from "./compile_event.ts";
import { type CompileEvents, CompileFlight } from "./compile_flight.ts";
import { compileKey, type KeyedCompile } from "./compile_key.ts";
import type { CompileSlots, Slot } from "./compile_slots.ts";
import { deadline, until } from "./deadline.ts";

interface SharedCompilesOptions {
  readonly compiler: Compiler;
  readonly slots: CompileSlots;
  readonly timers: ServiceTimers;
  /** Null: nothing is kept and nothing is shared. */
  readonly store: CompileStore | null;
}

interface StartedCompile {
  /** `hit`: an earlier result; `joined`: another request of the caller's asked for the same at the same time. */
  readonly from: "hit" | "joined" | "miss";
  readonly events: CompileEvents;
}

interface Begun {
  readonly flight: CompileFlight;
  /** Resolves when it has its turn, rejects when it gets none. */
  readonly turn: Promise<void>;
}

export class SharedCompiles {
  readonly #options: SharedCompilesOptions;
  readonly #running = new Map<string, Begun>();

  constructor(options: SharedCompilesOptions) {
    this.#options = options;
  }

  /** Returns when the compile has its turn; refuses when it gets none. */
  async start(order: KeyedCompile, signal: AbortSignal): Promise<StartedCompile> {
    const { store } = this.#options;
    if (store === null) return await this.#await(this.#begin(order, null), "miss", signal);
    const key = await compileKey(order);
    const joined = this.#running.get(key);
    if (joined !== undefined) return await this.#await(joined, "joined", signal);
    const kept = await store.get(key);
    if (kept !== null) return { from: "hit", events: replayed(kept) };
    // Another may have begun while the store was asked.
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

  #begin(order: KeyedCompile, key: string | null): Begun {
    const { slots } = this.#options;
    const flight = new CompileFlight();
    const turn = slots.take(flight.signal)
      .then((slot) => void this.#fly(order, { flight, slot, key }));
    const begun = { flight, turn };
    if (key === null) return begun;
    const forget = () => this.#forget(key, flight);
    this.#running.set(key, begun);
    turn.catch(forget);
    // Who comes later begins anew.
    flight.signal.addEventListener("abort", forget, { once: true });
    return begun;
  }

  async #fly(
    { input, complete, caller }: KeyedCompile,
    { flight, slot, key }: Turn,
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

interface Turn {
  readonly flight: CompileFlight;
  readonly slot: Slot;
  readonly key: string | null;
}

async function* replayed(events: readonly CompileEvent[]): CompileEvents {
  yield* events;
}

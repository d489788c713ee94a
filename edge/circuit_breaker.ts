/** Spares a backend that keeps failing, so that a dead one costs nothing: closed → open → one probe → closed. */
import type { ServiceTimers } from "../shared/service/mod.ts";

const FAILURES_MAX = 3;
const OPEN_MS = 10_000;

export class CircuitBreaker {
  readonly #timers: Pick<ServiceTimers, "now">;
  #failures = 0;
  #closedAgainAt = 0;

  constructor(timers: Pick<ServiceTimers, "now">) {
    this.#timers = timers;
  }

  /** True when the backend may be asked; while it is spared, one caller after each pause may try. */
  mayTry(): boolean {
    if (this.#failures < FAILURES_MAX) return true;
    const now = this.#timers.now();
    if (now < this.#closedAgainAt) return false;
    this.#closedAgainAt = now + OPEN_MS;
    return true;
  }

  succeeded(): void {
    this.#failures = 0;
  }

  failed(): void {
    this.#spareAfter(this.#failures + 1);
  }

  /** One that is waited for in vain costs too much to be tried again at once. */
  timedOut(): void {
    this.#spareAfter(FAILURES_MAX);
  }

  #spareAfter(failures: number): void {
    this.#failures = failures;
    this.#closedAgainAt = this.#timers.now() + OPEN_MS;
  }
}

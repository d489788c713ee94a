/** Durations of a request's parts, for its `Server-Timing` header: times never stand in a body (definitions 7). */
import type { ServiceTimers } from "../ports.ts";

export class ServerTiming {
  readonly #timers: Pick<ServiceTimers, "now">;
  readonly #parts: string[] = [];
  #current: { readonly name: string; readonly since: number } | null = null;

  constructor(timers: Pick<ServiceTimers, "now">) {
    this.#timers = timers;
  }

  /** The part before it ends. */
  begin(name: string): void {
    this.end();
    this.#current = { name, since: this.#timers.now() };
  }

  /** A fact beside the times. */
  note(name: string, description: string): void {
    this.#parts.push(`${name};desc="${description}"`);
  }

  end(): void {
    if (this.#current === null) return;
    const { name, since } = this.#current;
    this.#parts.push(`${name};dur=${(this.#timers.now() - since).toFixed(1)}`);
    this.#current = null;
  }

  /** W3C Server Timing. */
  header(): string {
    return this.#parts.join(", ");
  }
}

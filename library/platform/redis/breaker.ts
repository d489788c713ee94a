/** A circuit breaker for a service that may hang. After a failure nobody waits for it for some seconds. */
import type { Clock } from "../../../shared/runtime/ports.ts";

export interface Breaker {
  /** Asks, and throws the question's error. While the breaker is open it throws `OpenBreakerError` at once. */
  ask<T>(question: () => Promise<T>): Promise<T>;
  /** Closes the breaker, because the service is known to be back. */
  close(): void;
}

/** The service failed a moment ago and was not asked. */
export class OpenBreakerError extends Error {
  override readonly name = "OpenBreakerError";
}

/** Milliseconds for which the breaker stays open. */
const OPEN_MS = 5000;

/** Makes a breaker. After the wait one question tries, while the others still fail. */
export function breakerOf(clock: Clock): Breaker {
  /** Milliseconds since the epoch; null: the service answers. */
  let failedAt: number | null = null;
  let isTried = false;
  const isOpen = () => failedAt !== null && (isTried || Math.abs(clock.now() - failedAt) < OPEN_MS);
  return {
    async ask(question) {
      if (isOpen()) throw new OpenBreakerError("The service failed a moment ago");
      const isTrial = failedAt !== null;
      if (isTrial) isTried = true;
      try {
        const answer = await question();
        failedAt = null;
        return answer;
      } catch (error) {
        failedAt = clock.now();
        throw error;
      } finally {
        if (isTrial) isTried = false;
      }
    },
    close: () => void (failedAt = null),
  };
}

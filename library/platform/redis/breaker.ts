/** A breaker between requests and a service that may hang: after one failure nobody waits for it for some seconds. */
import type { Clock } from "../../../shared/runtime/ports.ts";

export interface Breaker {
  /** Asks, and throws what that throws; throws `OpenBreakerError` at once while the service is left alone. */
  ask<T>(question: () => Promise<T>): Promise<T>;
  /** Has the next question asked, because the service is known to be back. */
  close(): void;
}

/** The service failed a moment ago, and was not asked. */
export class OpenBreakerError extends Error {
  override readonly name = "OpenBreakerError";
}

/** Milliseconds for which a service that failed is left alone. */
const OPEN_MS = 5000;

/** After the wait one question tries, and the others go on without until it is answered. */
export function breakerOf(clock: Clock): Breaker {
  /** Milliseconds since the epoch; null: it answers. */
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

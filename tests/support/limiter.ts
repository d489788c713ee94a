/** A rate limiter that decides by itself, for tests that look at what is counted. */
import type { RateLimiter } from "../../shared/runtime/ports.ts";

/** Lends what it would let pass; what comes back is counted all the same. */
export function limiterOf(take: RateLimiter["take"]): RateLimiter {
  return {
    take,
    async lend(key, limit, period) {
      return await take(key, limit, period) ? { giveBack: () => Promise.resolve() } : null;
    },
  };
}

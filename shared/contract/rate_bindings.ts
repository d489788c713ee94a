/** The edge platform counts each rate limit in a binding of its own (contract 8.1). */
import type { RateLimit } from "./rate_limits.ts";

/** `RATE_LIMIT_200_60`: 200 hits in 60 seconds. */
export function rateBindingName({ limit, period }: RateLimit): string {
  return `RATE_LIMIT_${limit}_${period}`;
}

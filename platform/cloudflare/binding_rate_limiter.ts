/** Rate limits counted by the edge platform, in one binding for each limit of the project (contract 8.1). */
import { rateBindingName } from "../../shared/contract/limits.ts";
import type { RateLimiter } from "../../shared/runtime/ports.ts";
import { memoryRateLimiter, type MemoryRateLimiterOptions } from "../memory_rate_limiter.ts";

/** The platform's rate limiting binding. */
interface RateLimitBinding {
  limit(options: { readonly key: string }): Promise<{ readonly success: boolean }>;
}

/** A limit without a binding is counted by this isolate alone. */
export function bindingRateLimiter(
  bindings: object,
  options: MemoryRateLimiterOptions,
): RateLimiter {
  const known = new Map<string, unknown>(Object.entries(bindings));
  const fallback = memoryRateLimiter(options);
  return {
    async take(key, limit, period) {
      const name = period === 10 || period === 60 ? rateBindingName({ limit, period }) : "";
      const binding = known.get(name);
      if (!isBinding(binding)) return await fallback.take(key, limit, period);
      return (await binding.limit({ key })).success;
    },
    // A binding takes no hit back.
    lend: fallback.lend,
  };
}

function isBinding(value: unknown): value is RateLimitBinding {
  return typeof value === "object" && value !== null && "limit" in value &&
    typeof value.limit === "function";
}

/** Rate limits counted in this process's memory, in fixed windows (contract 8.1). */
import type { Clock, RateLimiter } from "../shared/runtime/ports.ts";

/** Keys kept at most; beyond, the windows that began first make room. */
const KEYS_MAX = 100_000;

interface Window {
  readonly endsAt: number;
  hits: number;
}

export interface MemoryRateLimiterOptions {
  readonly clock: Clock;
  readonly maxKeys?: number;
}

/** A window begins with a key's first hit and lasts one period. */
export function memoryRateLimiter(options: MemoryRateLimiterOptions): RateLimiter {
  const { clock, maxKeys = KEYS_MAX } = options;
  const windows = new Map<string, Window>();
  return {
    take(key, limit, period) {
      const now = clock.now();
      const name = `${period}:${key}`;
      const known = windows.get(name);
      const window = known && known.endsAt > now ? known : { endsAt: now + period * 1000, hits: 0 };
      if (window !== known) {
        windows.delete(name);
        windows.set(name, window);
        if (windows.size > maxKeys) forgetOldest(windows);
      }
      window.hits += 1;
      return Promise.resolve(window.hits <= limit);
    },
  };
}

/** Windows stand in the order in which they began, so the first one has the least left. */
function forgetOldest(windows: Map<string, Window>): void {
  const [oldest] = windows.keys();
  if (oldest !== undefined) windows.delete(oldest);
}

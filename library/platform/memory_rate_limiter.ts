/** Rate limits counted in this process's memory, in fixed windows (contract 8.1). */
import type { Clock, RateLimiter } from "../../shared/runtime/ports.ts";

/** Most keys. Beyond it the oldest windows are dropped. */
const KEYS_MAX = 100_000;

interface Window {
  endsAt: number;
  hits: number;
}

export interface MemoryRateLimiterOptions {
  readonly clock: Clock;
  readonly maxKeys?: number;
}

/** Makes the limiter. A window begins with a key's first hit and lasts one period, or less if the clock goes back. */
export function memoryRateLimiter(options: MemoryRateLimiterOptions): RateLimiter {
  const { clock, maxKeys = KEYS_MAX } = options;
  const windows = new Map<string, Window>();
  const windowFor = (name: string, period: number): Window => {
    const now = clock.now();
    const known = windows.get(name);
    if (known && known.endsAt > now) {
      known.endsAt = Math.min(known.endsAt, now + period * 1000);
      return known;
    }
    const window = { endsAt: now + period * 1000, hits: 0 };
    windows.delete(name);
    windows.set(name, window);
    if (windows.size > maxKeys) {
      // Windows are in the order of their beginning, so the first one ends first.
      const [oldest] = windows.keys();
      if (oldest !== undefined) windows.delete(oldest);
    }
    return window;
  };
  /** Returns the window in which the hit was counted; null: the limit is reached. */
  const counted = (key: string, limit: number, period: number): Window | null => {
    const window = windowFor(`${period}:${key}`, period);
    if (window.hits >= limit) return null;
    window.hits += 1;
    return window;
  };
  return {
    take: (key, limit, period) => counted(key, limit, period) !== null,
    lend(key, limit, period) {
      const window = counted(key, limit, period);
      if (window === null) return Promise.resolve(null);
      const giveBack = () => {
        window.hits -= 1;
        return Promise.resolve();
      };
      return Promise.resolve({ giveBack });
    },
  };
}

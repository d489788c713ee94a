/** Queue, counters and revoked tokens: in Redis when there is one, else in this process's memory and the database. */
import type { Clock, KeyValues, Logger, Queue, RateLimiter } from "../shared/runtime/ports.ts";
import { memoryRateLimiter } from "./memory_rate_limiter.ts";
import { openRedis } from "./redis/open_redis.ts";

export interface SharedState {
  /** As members of `Ports`: without Redis the runtime keeps key values in the database. */
  readonly ports: { readonly limiter: RateLimiter; readonly keyValues?: KeyValues };
  /** Of webhooks; null: without Redis it is in the database. */
  readonly queue: Queue | null;
  close(): Promise<void>;
}

export interface SharedStateOptions {
  readonly redisUrl: string | null;
  readonly clock: Clock;
  readonly logger: Logger;
}

export async function openSharedState(options: SharedStateOptions): Promise<SharedState> {
  const { redisUrl, clock, logger } = options;
  const inMemory = memoryRateLimiter({ clock });
  if (redisUrl === null) {
    return { ports: { limiter: inMemory }, queue: null, close: () => Promise.resolve() };
  }
  const { limiter, keyValues, queue, close } = await openRedis({
    url: redisUrl,
    clock,
    logger,
    fallback: inMemory,
  });
  return { ports: { limiter, keyValues }, queue, close };
}

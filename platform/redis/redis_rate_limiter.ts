/** Rate limits counted in Redis, in fixed windows, for all instances together (contract 8.1). */
import type { Logger, RateLimiter } from "../../shared/runtime/ports.ts";
import type { RedisCommands } from "./open_redis.ts";

/** Counts and dates in one step: a key that was counted but never expired would refuse for ever. */
const COUNT = `
local hits = redis.call("INCR", KEYS[1])
if hits == 1 then redis.call("EXPIRE", KEYS[1], ARGV[1]) end
return hits`;

interface RedisRateLimiterOptions {
  readonly redis: Pick<RedisCommands, "eval">;
  readonly fallback: RateLimiter;
  readonly logger: Logger;
}

/** While Redis does not answer the fallback counts: a limit is held more loosely, no request is refused for it. */
export function redisRateLimiter(options: RedisRateLimiterOptions): RateLimiter {
  const { redis, fallback, logger } = options;
  return {
    async take(key, limit, period) {
      try {
        const name = `quickback:rate:${period}:${key}`;
        const hits = await redis.eval(COUNT, { keys: [name], arguments: [String(period)] });
        return Number(hits) <= limit;
      } catch (error) {
        logger.log({ level: "error", message: "Rate limit counted in memory", error });
        return await fallback.take(key, limit, period);
      }
    },
  };
}

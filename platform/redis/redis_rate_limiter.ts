/** Rate limits counted in Redis, in fixed windows, for all instances together (contract 8.1). */
import type { Logger, RateLimiter } from "../../shared/runtime/ports.ts";
import type { RedisCommands } from "./open_redis.ts";

/**
 * Counts and dates in one step: a key that was counted but never expired would refuse for ever, and one that was dated
 * before Redis' clock went back, for as long as that.
 */
const DATE = `
local left = redis.call("TTL", KEYS[1])
if left < 0 or left > tonumber(ARGV[1]) then redis.call("EXPIRE", KEYS[1], ARGV[1]) end
`;
const COUNT = `
local hits = redis.call("INCR", KEYS[1])
${DATE}
return hits`;
/** Answers the name of the window: the one that its first hit gave it. */
const LEND = `
if tonumber(redis.call("HGET", KEYS[1], "hits") or 0) >= tonumber(ARGV[2]) then return false end
redis.call("HINCRBY", KEYS[1], "hits", 1)
redis.call("HSETNX", KEYS[1], "window", ARGV[3])
${DATE}
return redis.call("HGET", KEYS[1], "window")`;
const GIVE_BACK = `
if redis.call("HGET", KEYS[1], "window") == ARGV[1] then redis.call("HINCRBY", KEYS[1], "hits", -1) end`;

interface RedisRateLimiterOptions {
  readonly redis: Pick<RedisCommands, "eval">;
  readonly fallback: RateLimiter;
  readonly logger: Logger;
}

/** While Redis does not answer the fallback counts: a limit is held more loosely, no request is refused for it. */
export function redisRateLimiter(options: RedisRateLimiterOptions): RateLimiter {
  const { redis, fallback, logger } = options;
  let isAway = false;
  // One line for an outage, not one for each request in it.
  const failed = (error: unknown) => {
    if (!isAway) {
      logger.log({ level: "error", message: "Rate limits are counted in memory", error });
    }
    isAway = true;
  };
  const evaluated: typeof redis.eval = async (script, options) => {
    const result = await redis.eval(script, options);
    isAway = false;
    return result;
  };
  return {
    async take(key, limit, period) {
      try {
        const name = `quickback:rate:${period}:${key}`;
        const hits = await evaluated(COUNT, { keys: [name], arguments: [String(period)] });
        return Number(hits) <= limit;
      } catch (error) {
        failed(error);
        return await fallback.take(key, limit, period);
      }
    },
    async lend(key, limit, period) {
      const name = `quickback:lent:${period}:${key}`;
      const given = [String(period), String(limit), crypto.randomUUID()];
      try {
        const window = await evaluated(LEND, { keys: [name], arguments: given });
        if (window === null) return null;
        return {
          async giveBack() {
            const own = { keys: [name], arguments: [String(window)] };
            await evaluated(GIVE_BACK, own).catch(failed);
          },
        };
      } catch (error) {
        failed(error);
        return await fallback.lend(key, limit, period);
      }
    },
  };
}

/** The key-value port over Redis: a value that cannot be read is an error, never an absent one (contract 5.2). */
import type { KeyValues } from "../../shared/runtime/ports.ts";
import type { RedisCommands } from "./open_redis.ts";

const nameOf = (key: string) => `quickback:kv:${key}`;

export function redisKeyValues(redis: Pick<RedisCommands, "get" | "set">): KeyValues {
  return {
    get: (key) => redis.get(nameOf(key)),
    async set(key, value, expiresAt) {
      await redis.set(nameOf(key), value, { PXAT: Math.ceil(expiresAt) });
    },
  };
}

/** Events, counters and news of revoked tokens: in Redis when there is one, else in this process's memory and the database. The queue is in the database in any case. */
import { sha256 } from "../../shared/lib/bytes.ts";
import type {
  Clock,
  Database,
  Logger,
  PubSub,
  RateLimiter,
  RevocationFeed,
  Settings,
} from "../../shared/runtime/ports.ts";
import { memoryRateLimiter } from "./memory_rate_limiter.ts";
import { openRedis } from "./redis/open_redis.ts";

export interface SharedState {
  /** As members of `Ports`: without Redis each process reads revocations from the database. */
  readonly ports: { readonly limiter: RateLimiter; readonly revocations?: RevocationFeed };
  /** Of realtime; null: without Redis it is in memory. */
  readonly pubSub: PubSub | null;
  close(): Promise<void>;
}

export interface SharedStateOptions {
  readonly redisUrl: string | null;
  /** The project's. */
  readonly name: string;
  readonly settings: Pick<Settings, "authSecret">;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Tells when another process writes there, too. */
  readonly database: Pick<Database, "watchOthers">;
  /** Milliseconds after which Redis does not answer any more. */
  readonly commandTimeout?: number;
}

/** Names what degrades, once, when it does. */
const ALONE_NO_MORE =
  "Another process writes to this database, and REDIS_URL is not set: each counts rate limits for itself, realtime reaches " +
  "the subscribers of its own process, and deliveries of others are found by a look each second";

export async function openSharedState(options: SharedStateOptions): Promise<SharedState> {
  const { redisUrl, name, settings, clock, logger, database } = options;
  const inMemory = memoryRateLimiter({ clock });
  if (redisUrl === null) {
    database.watchOthers?.(() => logger.log({ level: "warn", message: ALONE_NO_MORE }));
    return {
      ports: { limiter: inMemory },
      pubSub: null,
      close: () => Promise.resolve(),
    };
  }
  // Instances of one API have one secret; those of its staging have another, and must not hear each other.
  const digest = await sha256(new Uint8Array([...settings.authSecret, ...TAG]));
  const { limiter, revocations, pubSub, close } = await openRedis({
    url: redisUrl,
    name: `${name}:${digest.slice(0, 8).toHex()}`,
    logger,
    clock,
    fallback: inMemory,
    ...(options.commandTimeout === undefined ? {} : { commandTimeout: options.commandTimeout }),
  });
  return { ports: { limiter, revocations }, pubSub, close };
}

const TAG = new TextEncoder().encode("events");

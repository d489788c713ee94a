/**
 * Events, counters and revoked tokens: in Redis if there is one, else in memory and in the database. The queue is always in the
 * database.
 */
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
  /** Members of `Ports`. Without Redis each process reads revocations from the database. */
  readonly ports: { readonly limiter: RateLimiter; readonly revocations?: RevocationFeed };
  /** Channel of realtime; null: it is in memory. */
  readonly pubSub: PubSub | null;
  close(): Promise<void>;
}

export interface SharedStateOptions {
  readonly redisUrl: string | null;
  /** Name of the project. */
  readonly name: string;
  readonly settings: Pick<Settings, "authSecret">;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Reports that another process writes to the database. */
  readonly database: Pick<Database, "watchOthers">;
  /** Milliseconds after which an answer of Redis counts as missing. */
  readonly commandTimeout?: number;
}

/** Warning that is logged once when instances degrade each other. */
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
  // Instances of one API share a secret. Those of its staging have another one, and must not receive each other's events.
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

/** State that several instances share through one Redis (definitions 8, `REDIS_URL`): queue, events, rate counters, news of revoked tokens. */
import type { Clock, Logger, PubSub, RateLimiter } from "../../shared/runtime/ports.ts";
import { redisPubSub } from "./redis_pub_sub.ts";
import { type RedisQueue, redisQueue } from "./redis_queue.ts";
import { redisRateLimiter } from "./redis_rate_limiter.ts";
import { redisRevocations } from "./redis_revocations.ts";

/** The commands that this project uses; a client of the `redis` package satisfies it. */
export interface RedisCommands {
  /** One atomic script. */
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

export interface Redis {
  readonly limiter: RateLimiter;
  readonly revocations: ReturnType<typeof redisRevocations>;
  readonly queue: RedisQueue;
  readonly pubSub: PubSub;
  close(): Promise<void>;
}

interface OpenRedisOptions {
  /** `redis://…` or `rediss://…`. */
  readonly url: string;
  /** Tells the events of this API from those of every other in the same Redis. */
  readonly name: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Counts while Redis does not answer, so that limits hold for each instance alone. */
  readonly fallback: RateLimiter;
}

const CONNECT_TIMEOUT_MS = 2000;
const COMMAND_TIMEOUT_MS = 1000;
const RECONNECT_MAX_MS = 5000;

/** Connects, or throws: an operator who names a Redis wants it. Later losses are bridged while it reconnects. */
export async function openRedis(options: OpenRedisOptions): Promise<Redis> {
  const { url, name, clock, logger, fallback } = options;
  const { createClient } = await import("redis");
  let isReady = false;
  const client = createClient({
    url,
    // A command that cannot be sent fails at once instead of holding its request.
    disableOfflineQueue: true,
    commandOptions: { timeout: COMMAND_TIMEOUT_MS },
    socket: {
      connectTimeout: CONNECT_TIMEOUT_MS,
      reconnectStrategy: (attempts, cause) =>
        isReady ? Math.min(100 * 2 ** attempts, RECONNECT_MAX_MS) : cause,
    },
  });
  // Of the first attempt the start itself tells.
  client.on("error", (error: unknown) => {
    if (isReady) logger.log({ level: "error", message: "Redis", error });
  });
  await connected(client, url);
  isReady = true;
  const queue = redisQueue({ client, name, clock, logger });
  const openWaiting = async () => {
    // What waits for events may not be timed out, and nothing else may wait behind it.
    const connection = client.duplicate({ commandOptions: {} });
    connection.on("error", (error: unknown) => {
      logger.log({ level: "error", message: "Redis", error });
    });
    await connection.connect();
    return connection;
  };
  const subscribers: Awaited<ReturnType<typeof openWaiting>>[] = [];
  const openSubscriber = async () => {
    const subscriber = await openWaiting();
    subscribers.push(subscriber);
    return subscriber;
  };
  return {
    limiter: redisRateLimiter({ redis: client, fallback, logger }),
    revocations: redisRevocations({ client, openSubscriber, name, logger }),
    queue,
    pubSub: redisPubSub({ client, openWaiting, name, logger }),
    async close() {
      await queue.close();
      for (const subscriber of subscribers) subscriber.destroy();
      // One that waits for Redis to come back has nothing to finish.
      if (client.isReady) await client.close();
      else client.destroy();
    },
  };
}

/** Connects, and fails the start when Redis is not there; its password is not repeated. */
async function connected(
  client: { connect(): Promise<unknown> },
  url: string,
): Promise<void> {
  try {
    await client.connect();
  } catch (cause) {
    const { protocol = "", host = "" } = URL.parse(url) ?? {};
    const said = cause instanceof Error ? cause.message : "";
    throw new Error(`Cannot start: REDIS_URL '${protocol}//${host}' cannot be reached: ${said}`, {
      cause,
    });
  }
}

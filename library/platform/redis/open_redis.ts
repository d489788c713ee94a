/** State that several instances share through Redis (definitions 8, `REDIS_URL`): events, rate counters, revoked tokens. */
import { parsedJson } from "../../../shared/lib/json.ts";
import type {
  Clock,
  Logger,
  PubSub,
  RateLimiter,
  Revocation,
  RevocationFeed,
} from "../../../shared/runtime/ports.ts";
import { breakerOf } from "./breaker.ts";
import { RedisCommands } from "./redis_commands.ts";
import { redisPubSub } from "./redis_pub_sub.ts";

export interface Redis {
  readonly limiter: RateLimiter;
  readonly revocations: ReturnType<typeof redisRevocations>;
  readonly pubSub: PubSub;
  close(): Promise<void>;
}

interface OpenRedisOptions {
  /** `redis://…` or `rediss://…`. */
  readonly url: string;
  /** Separates the events of this API from others in the same Redis. */
  readonly name: string;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Counts while Redis does not answer, so that limits apply to each instance. */
  readonly fallback: RateLimiter;
  /** Milliseconds after which an answer counts as missing. */
  readonly commandTimeout?: number;
}

const CONNECT_TIMEOUT_MS = 2000;
const COMMAND_TIMEOUT_MS = 1000;
const RECONNECT_MAX_MS = 2000;

/**
 * Connects. Redis may be down, now or later. Throws if it refuses this client, because waiting does not help against a wrong
 * password.
 */
export async function openRedis(options: OpenRedisOptions): Promise<Redis> {
  const { url, name, logger, clock, fallback, commandTimeout = COMMAND_TIMEOUT_MS } = options;
  const { createClient, ErrorReply } = await import("redis");
  const firstTry = Promise.withResolvers<void>();
  const socket = { connectTimeout: CONNECT_TIMEOUT_MS, reconnectStrategy: reconnectWait };
  const commandOptions = { timeout: commandTimeout };
  // A command that cannot be sent fails at once instead of delaying its request.
  const client = createClient({ url, disableOfflineQueue: true, commandOptions, socket });
  let isStarted = false;
  let isAway = false;
  const away = (error: unknown) => {
    // An outage is logged once, and not at each attempt.
    if (!isAway) logger.log({ level: "error", message: AWAY, error });
    isAway = true;
  };
  client.on("error", (error: unknown) => {
    if (!isStarted && error instanceof ErrorReply) return firstTry.reject(error);
    firstTry.resolve();
    away(error);
  });
  const commands: Publisher & Pick<RedisCommands, "eval"> = {
    eval: (script, given) => inTime(client.eval(script, given), commandTimeout),
    publish: (channel, message) => inTime(client.publish(channel, message), commandTimeout),
  };
  const limiter = redisRateLimiter({ redis: commands, fallback, logger, clock });
  client.on("ready", () => {
    limiter.isBack();
    if (isAway) logger.log({ level: "info", message: "Redis is back" });
    isAway = false;
  });
  const connecting = client.connect();
  connecting.catch(() => {});
  const isAnswered = inTime(connecting, CONNECT_TIMEOUT_MS + commandTimeout)
    .catch((error: unknown) => {
      if (!(error instanceof LateAnswerError)) throw error;
      away(error);
    });
  await Promise.race([isAnswered, firstTry.promise]).catch((cause: unknown) => {
    client.destroy();
    throw refusedStart(url, cause);
  });
  isStarted = true;
  /** A connection that waits for events has no timeout, and no other command may wait behind it. */
  const duplicate = (reconnectStrategy: (tries: number, cause: Error) => number | Error) => {
    const socket = { connectTimeout: CONNECT_TIMEOUT_MS, reconnectStrategy };
    const connection = client.duplicate({ commandOptions: {}, socket });
    // The other connection reports an outage, and the subscriber learns what it missed.
    connection.on("error", () => {});
    return connection;
  };
  const { openSubscriber, openWaiting, end } = waitingConnections(duplicate);
  return {
    limiter,
    revocations: redisRevocations({ client: commands, name, logger, openSubscriber }),
    pubSub: redisPubSub({ client: commands, name, logger, openWaiting }),
    async close() {
      end();
      // A connection without Redis has nothing to finish.
      if (client.isReady) await inTime(client.close(), commandTimeout).catch(() => {});
      if (client.isOpen) client.destroy();
    },
  };
}

/** Opens the connections that wait for events; `end` ends those of subscribers. */
function waitingConnections<Connected extends { destroy(): void; connect(): Promise<unknown> }>(
  duplicate: (reconnectStrategy: (tries: number, cause: Error) => number | Error) => Connected,
) {
  const opened = new Set<Connected>();
  return {
    async openSubscriber() {
      const subscriber = duplicate(reconnectWait);
      opened.add(subscriber);
      await subscriber.connect();
      return subscriber;
    },
    async openWaiting() {
      let hasConnected = false;
      // The first attempt reports at once that Redis is down.
      const connection = duplicate((tries, cause) => hasConnected ? reconnectWait(tries) : cause);
      await connection.connect();
      hasConnected = true;
      return connection;
    },
    end() {
      for (const connection of opened) connection.destroy();
    },
  };
}

/** The message names protocol and host only, because the rest of the URL may contain a password. */
function refusedStart(url: string, cause: unknown): Error {
  const { protocol = "", host = "" } = URL.parse(url) ?? {};
  const said = cause instanceof Error ? cause.message : "";
  const message = `Cannot start: REDIS_URL '${protocol}//${host}' refuses this API: ${said}`;
  return new Error(message, { cause });
}

/** Redis received the command and has not answered in time. */
class LateAnswerError extends Error {
  override readonly name = "LateAnswerError";
}

/** Throws `LateAnswerError` after these milliseconds. The library only cancels commands that it has not sent. */
async function inTime<T>(answer: Promise<T>, milliseconds: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new LateAnswerError(`Redis did not answer for ${milliseconds} ms`)),
    milliseconds,
  );
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
    answer.catch(() => {});
  }
}

const AWAY =
  "Redis is away: each instance counts limits for itself and tells its own streams alone until it is back";

/** Returns the milliseconds until the next attempt. */
function reconnectWait(tries: number): number {
  return Math.min(100 * 2 ** tries, RECONNECT_MAX_MS);
}

/**
 * Script that counts and sets the expiry in one step. Otherwise a key without expiry, or one set before Redis' clock went back,
 * would refuse for ever.
 */
const DATE = `
local left = redis.call("TTL", KEYS[1])
if left < 0 or left > tonumber(ARGV[1]) then redis.call("EXPIRE", KEYS[1], ARGV[1]) end
`;
const COUNT = `
local hits = redis.call("INCR", KEYS[1])
${DATE}
return hits`;
/** Returns the name of the window that its first hit set. */
const LEND = `
if tonumber(redis.call("HGET", KEYS[1], "hits") or 0) >= tonumber(ARGV[2]) then return false end
redis.call("HINCRBY", KEYS[1], "hits", 1)
redis.call("HSETNX", KEYS[1], "window", ARGV[3])
${DATE}
return redis.call("HGET", KEYS[1], "window")`;
const GIVE_BACK = `
if redis.call("HGET", KEYS[1], "window") == ARGV[1] then redis.call("HINCRBY", KEYS[1], "hits", -1) end`;

interface RedisRateLimiter extends RateLimiter {
  /** Counts in Redis again at once. */
  isBack(): void;
}

/**
 * Makes the limiter. While Redis does not answer, the fallback counts: no request is refused for it, and every few seconds one
 * request waits for it.
 */
export function redisRateLimiter(options: {
  readonly redis: Pick<RedisCommands, "eval">;
  readonly fallback: RateLimiter;
  readonly logger: Logger;
  readonly clock: Clock;
}): RedisRateLimiter {
  const { redis, fallback, logger, clock } = options;
  const breaker = breakerOf(clock);
  let isAway = false;
  // An outage is logged once, and not for each request.
  const failed = (error: unknown) => {
    if (!isAway) {
      logger.log({ level: "error", message: "Rate limits are counted in memory", error });
    }
    isAway = true;
  };
  const evaluated: typeof redis.eval = async (script, options) => {
    const result = await breaker.ask(() => redis.eval(script, options));
    isAway = false;
    return result;
  };
  return {
    isBack: () => breaker.close(),
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

/** Tells other processes of an API which token was revoked (contract 5.2). A missed message is still in the database. */
interface Publisher {
  publish(channel: string, message: string): Promise<unknown>;
}

/** A connection for subscriptions only. */
interface Subscriber {
  subscribe(channel: string, heard: (message: string) => void): Promise<unknown>;
}

function redisRevocations(options: {
  readonly client: Publisher;
  readonly openSubscriber: () => Promise<Subscriber>;
  /** Separates this API from others in the same Redis. */
  readonly name: string;
  readonly logger: Logger;
}): RevocationFeed {
  const { client, openSubscriber, name, logger } = options;
  const channel = `quickback:revoked:${name}`;
  const failed = (error: unknown) =>
    logger.log({ level: "warn", message: "Revocations go by the database alone", error });
  return {
    async tell(revocation) {
      await client.publish(channel, JSON.stringify(revocation)).catch(failed);
    },
    listen(heard) {
      openSubscriber()
        .then((subscriber) =>
          subscriber.subscribe(channel, (text) => {
            const { tokenId, expiresAt } = Object(parsedJson(text));
            const revocation: Revocation | null =
              typeof tokenId === "string" && Number.isFinite(expiresAt)
                ? { tokenId, expiresAt }
                : null;
            if (revocation) heard(revocation);
          })
        )
        .catch(failed);
    },
  };
}

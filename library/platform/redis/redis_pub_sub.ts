/**
 * The log of events of several instances: one Redis stream, whose ids are those of the events (contract 6.3;
 * docs/decisions/realtime.md). The last events are kept for subscribers that reconnect at any instance.
 */
import { setTimeout as pause } from "node:timers/promises";
import { EVENTS_KEPT_MAX } from "../../../shared/contract/mod.ts";
import { compareEventIds, timeOfEvent } from "../../../shared/lib/ids.ts";
import type {
  EventListener,
  Logger,
  PublishedEvent,
  PubSub,
} from "../../../shared/runtime/ports.ts";
import type { RedisCommands } from "./redis_commands.ts";

/** A connection that may block. */
interface WaitingConnection {
  sendCommand(args: readonly string[]): Promise<unknown>;
  destroy(): void;
}

const FIELD = "event";
const WAIT_MS = 5000;
const PAGE = 200;
const AFTER_FAILURE_MS = 500;

/** Script that marks the beginning of a lost log. A subscriber from before the mark has missed something. */
const BEGUN = `
if redis.call("EXISTS", KEYS[1]) == 0 then redis.call("XADD", KEYS[1], "*", "begun", "1") end
`;
const PUBLISH = `${BEGUN}
for at = 2, #ARGV do
  redis.call("XADD", KEYS[1], "MAXLEN", "~", ARGV[1], "*", "${FIELD}", ARGV[at])
end`;
const POSITION = `${BEGUN}
return { redis.call("TIME"), redis.call("XREVRANGE", KEYS[1], "+", "-", "COUNT", 1) }`;
const AFTER = `
return {
  redis.call("TIME"),
  redis.call("XRANGE", KEYS[1], "-", "+", "COUNT", 1),
  redis.call("XRANGE", KEYS[1], "(" .. ARGV[1], "+", "COUNT", ARGV[2])
}`;

export function redisPubSub(options: {
  readonly client: RedisCommands;
  readonly openWaiting: () => Promise<WaitingConnection>;
  /** Separates this API from others in the same Redis. */
  readonly name: string;
  readonly logger: Logger;
  readonly eventsMax?: number;
}): PubSub {
  const { client, name, eventsMax = EVENTS_KEPT_MAX } = options;
  const key = `quickback:events:${name}`;
  const ask = (script: string, ...given: string[]) =>
    client.eval(script, { keys: [key], arguments: given });
  const position = async () => {
    // This position is after all present events and before all later ones. It does not give the time of the last event.
    const [time, newest] = listOf(await ask(POSITION));
    const now = millisecondsOf(time);
    const [last] = entriesOf(newest);
    return last && timeOfEvent(last.id) >= now ? last.id : `${now - 1}-18446744073709551615`;
  };
  // One more entry is read, because the mark at the beginning is no event.
  const after = async (id: string, limit: number) =>
    eventsAfter(id, await ask(AFTER, id, String(limit + 1)))?.slice(0, limit) ?? null;
  return {
    async publish(texts) {
      await ask(PUBLISH, String(eventsMax), ...texts);
    },
    position,
    after,
    async listen(listener) {
      const connection = await options.openWaiting();
      const ending = new AbortController();
      const from = await position();
      void follow(connection, {
        key,
        from,
        listener,
        after,
        position,
        ending,
        logger: options.logger,
      });
      return () => {
        ending.abort();
        connection.destroy();
      };
    },
  };
}

interface Following {
  readonly key: string;
  readonly from: string;
  readonly listener: EventListener;
  readonly after: PubSub["after"];
  readonly position: PubSub["position"];
  readonly ending: AbortController;
  readonly logger: Logger;
}

/** Passes on new events in order. After a failure it continues at its position, and reports when that no longer exists. */
async function follow(
  connection: WaitingConnection,
  { key, from, listener, after, position, ending, logger }: Following,
): Promise<void> {
  let last = from;
  let hasFailed = false;
  while (!ending.signal.aborted) {
    try {
      if (hasFailed && await after(last, 1) === null) {
        // The position is now known, so a later failure reports the loss only once.
        last = await position();
        listener.gap();
      }
      const args = ["COUNT", String(PAGE), "BLOCK", String(WAIT_MS), "STREAMS", key, last];
      for (const { id, event } of entriesIn(await connection.sendCommand(["XREAD", ...args]))) {
        last = id;
        if (event !== null) listener.event({ id, text: event });
      }
      hasFailed = false;
    } catch (error) {
      if (ending.signal.aborted) return;
      if (!hasFailed) {
        logger.log({ level: "error", message: "Events do not come from Redis", error });
      }
      hasFailed = true;
      await pause(AFTER_FAILURE_MS);
    }
  }
}

interface Entry {
  readonly id: string;
  /** Null: the mark at the beginning. */
  readonly event: string | null;
}

/** Returns the events after a position; null: the log begins later, or has not reached it. */
function eventsAfter(id: string, answer: unknown): readonly PublishedEvent[] | null {
  const [time, begin, found] = listOf(answer);
  const [first] = entriesOf(begin);
  if (!first || compareEventIds(id, first.id) < 0) return null;
  if (timeOfEvent(id) > millisecondsOf(time)) return null;
  return entriesOf(found).flatMap(({ id, event }) => event === null ? [] : [{ id, text: event }]);
}

function millisecondsOf(time: unknown): number {
  const [seconds, micros] = listOf(time);
  return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
}

/** Parses the answer of `XREAD` over one stream: a list of names with entries, an object, or nothing. */
function entriesIn(answer: unknown): readonly Entry[] {
  if (answer === null) return [];
  const [stream] = Array.isArray(answer) ? answer : Object.entries(Object(answer));
  return entriesOf(listOf(stream)[1]);
}

function entriesOf(answer: unknown): readonly Entry[] {
  return listOf(answer).map((entry) => {
    const [id, fields] = listOf(entry);
    const [name, value] = listOf(fields).map(String);
    return { id: String(id), event: name === FIELD ? value ?? null : null };
  });
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError("Redis answered in another form than it should");
  return value;
}

/** Sends messages to the log in order, several of them together. */
import type { Clock, Logger, PubSub, Timer } from "../ports.ts";
import { type Message, messageText } from "./message.ts";

export type Send = (message: Message) => void;

/** Maximum number of messages that wait while the log is slow or unavailable; one more discards all of them. */
export const WAITING_MAX = 10000;
export const TOGETHER_MAX = 200;
export const RETRY_MS = 1000;

/**
 * Creates a sender that passes messages to the event log in the order of the commits; waiting messages are sent together. If
 * some cannot be sent they are discarded, and one message in their place makes every subscriber read again (contract 6.3).
 */
export function createSender({ pubSub, timer, clock, logger }: {
  readonly pubSub: PubSub;
  readonly timer: Timer;
  readonly clock: Clock;
  readonly logger: Logger;
}): Send {
  let waiting: string[] = [];
  let isUnderWay = false;
  let isAway = false;
  const lose = (why: string, error?: unknown) => {
    waiting = [messageText({ kind: "lost", at: new Date(clock.now()).toISOString() })];
    if (!isAway) {
      logger.log({ level: "error", message: `Changes were not published: ${why}`, error });
    }
    isAway = true;
  };
  const sendAll = async () => {
    isUnderWay = true;
    // Frames of one commit are sent together.
    await Promise.resolve();
    try {
      while (waiting.length > 0) {
        await pubSub.publish(waiting.splice(0, TOGETHER_MAX));
        isAway = false;
      }
      isUnderWay = false;
    } catch (error) {
      lose("subscribers will be told to read again", error);
      timer.after(RETRY_MS, () => void sendAll());
    }
  };
  return (message) => {
    if (waiting.length >= WAITING_MAX) lose("too many of them wait");
    waiting.push(messageText(message));
    if (!isUnderWay) void sendAll();
  };
}

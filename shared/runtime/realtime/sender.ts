/** Sends messages to the log in their order, some of them together. */
import type { Clock, Logger, PubSub, Timer } from "../ports.ts";
import { type Message, messageText } from "./message.ts";

export type Send = (message: Message) => void;

/** Messages that wait while the log is slow or away; with one more all of them are lost. */
export const WAITING_MAX = 10000;
export const TOGETHER_MAX = 200;
export const RETRY_MS = 1000;

/**
 * Hands messages to the log of events, in the order of the commits: those that wait go together. What could not be
 * handed over is lost, and one message in its place has every subscriber read again (contract 6.3).
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
    // The frames of one commit go together.
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

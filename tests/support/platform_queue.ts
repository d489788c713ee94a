/** The edge platform's queue as a fake: delays, batches, acknowledgements, and what becomes of a batch that breaks off. */
import type {
  MessageBatch,
  QueueBinding,
  QueueMessage,
} from "../../library/platform/cloudflare/bindings.ts";

interface Kept {
  readonly body: unknown;
  attempts: number;
  dueAt: number;
}

export interface PlatformQueue extends QueueBinding {
  /** Bodies of what is there, due or not. */
  bodies(): readonly unknown[];
  /** Calls the consumer with batches of what is due until nothing is. */
  drain(consumer: (batch: MessageBatch) => Promise<void>): Promise<void>;
}

const BATCH_SIZE = 10;
const SEND_MAX = 100;
const DELAY_MAX = 43_200;

export function platformQueue(now: () => number): PlatformQueue {
  const kept: Kept[] = [];
  return {
    sendBatch(messages) {
      const sent = [...messages];
      if (sent.length > SEND_MAX) throw new RangeError("Too many messages");
      kept.push(...sent.map(({ body, delaySeconds }) => ({
        // As the platform hands it out: another object.
        body: structuredClone(body),
        attempts: 0,
        dueAt: now() + delayOf(delaySeconds),
      })));
      return Promise.resolve();
    },
    bodies: () => kept.map(({ body }) => body),
    async drain(consumer) {
      for (;;) {
        const due = kept.filter(({ dueAt }) => dueAt <= now()).slice(0, BATCH_SIZE);
        if (due.length === 0) return;
        await consumer({ messages: due.map((one) => taken(one, kept, now)) });
      }
    },
  };
}

function taken(one: Kept, kept: Kept[], now: () => number): QueueMessage {
  one.attempts += 1;
  // Whoever returns without a word has taken the message.
  kept.splice(kept.indexOf(one), 1);
  return {
    body: one.body,
    attempts: one.attempts,
    ack: () => {},
    retry({ delaySeconds } = {}) {
      one.dueAt = now() + delayOf(delaySeconds);
      kept.push(one);
    },
  };
}

function delayOf(seconds = 0): number {
  if (!Number.isInteger(seconds) || seconds < 0 || seconds > DELAY_MAX) {
    throw new RangeError(`A delay of ${seconds} s`);
  }
  return seconds * 1000;
}

/**
 * Webhook jobs in the edge platform's own queue (contract 8): sent through a producer binding, handed out in the batches
 * that the platform calls the worker with. The rows in the database stay the outbox, and know what is settled: this queue
 * knows no job by its id and may deliver a message twice.
 */
import { z } from "zod";
import type { Clock, Lease, NewJob, Queue, QueueName } from "../../shared/runtime/ports.ts";

/** The producer binding, as far as it is used here. */
export interface QueueBinding {
  sendBatch(
    messages: Iterable<{ readonly body: unknown; readonly delaySeconds?: number }>,
  ): Promise<unknown>;
}

/** A message of a batch, as far as it is used here. */
export interface QueueMessage {
  readonly body: unknown;
  /** This one included. */
  readonly attempts: number;
  ack(): void;
  retry(options?: { readonly delaySeconds?: number }): void;
}

export interface MessageBatch {
  readonly messages: readonly QueueMessage[];
}

export interface BindingQueueOptions {
  readonly jobs: QueueBinding;
  /** Queue of dead letters. */
  readonly dead: QueueBinding;
  readonly clock: Clock;
}

export interface BindingQueue extends Queue {
  /** Has `work` done while `claim` hands out the batch's messages; what is left then comes again. */
  consume(batch: MessageBatch, work: () => Promise<void>): Promise<void>;
}

/** The platform's limits: messages in one call, and seconds of a delay. */
const SEND_MAX = 100;
const DELAY_MAX_SECONDS = 12 * 60 * 60;

const job = z.object({
  queue: z.enum(["webhook-deliveries", "webhook-events", "push-messages"]),
  id: z.string(),
  payload: z.string(),
});

interface Waiting {
  readonly queue: QueueName;
  readonly id: string;
  readonly payload: string;
  readonly message: QueueMessage;
}

export function bindingQueue({ jobs, dead, clock }: BindingQueueOptions): BindingQueue {
  const waiting = new Set<Waiting>();
  const held = new Map<string, QueueMessage>();
  const settled = new WeakSet<QueueMessage>();
  let count = 0;
  /** Ends the message of a lease. False when its token holds none: the batch has ended. */
  const ended = (lease: Lease, end: (message: QueueMessage) => void): Promise<boolean> => {
    const message = held.get(lease.token);
    if (message) {
      end(message);
      settled.add(message);
    }
    return Promise.resolve(held.delete(lease.token));
  };
  return {
    async add(queue, added) {
      const messages = added.map((one) => messageOf(queue, one, clock.now()));
      for (let at = 0; at < messages.length; at += SEND_MAX) {
        await jobs.sendBatch(messages.slice(at, at + SEND_MAX));
      }
    },
    claim(queue, { limit, except = [] }) {
      const taken = [...waiting].filter((one) =>
        one.queue === queue && !except.includes(one.payload)
      ).slice(0, limit);
      const leases = taken.map(({ id, payload, message }) => {
        count += 1;
        const token = String(count);
        held.set(token, message);
        return { queue, id, payload, token, attempts: message.attempts };
      });
      for (const one of taken) waiting.delete(one);
      return Promise.resolve(leases);
    },
    // The platform keeps a batch's messages for as long as the worker is at it.
    renew: (lease) => Promise.resolve(held.has(lease.token)),
    complete: (lease) => ended(lease, (message) => message.ack()),
    retry: (lease, dueAt) =>
      ended(lease, (message) => message.retry({ delaySeconds: secondsUntil(dueAt, clock.now()) })),
    async bury(lease, reason) {
      if (!held.has(lease.token)) return false;
      const { queue, id, payload, attempts } = lease;
      await dead.sendBatch([{ body: { queue, id, payload, attempts, reason } }]);
      return await ended(lease, (message) => message.ack());
    },
    dead: () =>
      Promise.reject(new Error("Dead letters are in the platform's queue for them: read it there")),
    // Its dead letters have an age limit of their own.
    forget: () => Promise.resolve(),
    async consume({ messages }, work) {
      const read = messages.flatMap((message) => waitingOf(message));
      for (const one of read) waiting.add(one);
      try {
        await work();
      } finally {
        // Others of the isolate's batches go on.
        const left = new Set(read.map(({ message }) => message));
        for (const one of read) waiting.delete(one);
        for (const [token, message] of held) {
          if (left.has(message)) held.delete(token);
        }
        for (const message of left) if (!settled.has(message)) message.retry();
      }
    },
  };
}

function messageOf(queue: QueueName, { id, payload, dueAt }: NewJob, now: number) {
  return { body: { queue, id, payload }, delaySeconds: secondsUntil(dueAt, now) };
}

/** A delay that the platform does not give is made of several: a job knows when it is due. */
function secondsUntil(dueAt: number, now: number): number {
  return Math.min(Math.max(0, Math.ceil((dueAt - now) / 1000)), DELAY_MAX_SECONDS);
}

/** Jobs of a message; one that is no job of ours is acknowledged, because it would come again for ever. */
function waitingOf(message: QueueMessage): readonly Waiting[] {
  const parsed = job.safeParse(message.body);
  if (parsed.success) return [{ ...parsed.data, message }];
  message.ack();
  return [];
}

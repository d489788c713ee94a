/**
 * Webhook jobs in the edge platform's queue (contract 8). They are sent through a producer binding and arrive in the platform's
 * batches. The rows in the database remain the outbox and record what is settled, because this queue has no ids and may deliver
 * twice.
 */
import { z } from "zod";
import { rateBindingName } from "../../../shared/contract/mod.ts";
import type { Clock, Lease, Queue, QueueName, RateLimiter } from "../../../shared/runtime/ports.ts";
import { QUEUE_NAMES } from "../../../shared/runtime/ports.ts";
import { memoryRateLimiter, type MemoryRateLimiterOptions } from "../memory_rate_limiter.ts";

/** The parts of the producer binding that are used here. */
export interface QueueBinding {
  sendBatch(
    messages: Iterable<{ readonly body: unknown; readonly delaySeconds?: number }>,
  ): Promise<unknown>;
}

/** The parts of a batch's message that are used here. */
export interface QueueMessage {
  readonly body: unknown;
  /** Number of attempts, this one included. */
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
  /** Runs `work` while `claim` hands out the batch's messages. The remaining ones are delivered again. */
  consume(batch: MessageBatch, work: () => Promise<void>): Promise<void>;
}

/** Limits of the platform: messages in one call, and seconds of a delay. */
const SEND_MAX = 100;
const DELAY_MAX_SECONDS = 12 * 60 * 60;

const job = z.object({
  queue: z.enum(QUEUE_NAMES),
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
  /** Settles the message of a lease. Returns false if the token holds none, because the batch has ended. */
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
      const messages = added.map((one) => ({
        body: { queue, id: one.id, payload: one.payload },
        delaySeconds: secondsUntil(one.dueAt, clock.now()),
      }));
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
    // The platform keeps a batch's messages while the worker runs.
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
    // The platform's dead letters expire by themselves.
    forget: () => Promise.resolve(),
    async consume({ messages }, work) {
      const read = messages.flatMap((message) => waitingOf(message));
      for (const one of read) waiting.add(one);
      try {
        await work();
      } finally {
        // Other batches of the isolate are not affected.
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

/** Returns the seconds of a delay. A longer delay than the platform allows is split, because a job knows when it is due. */
function secondsUntil(dueAt: number, now: number): number {
  return Math.min(Math.max(0, Math.ceil((dueAt - now) / 1000)), DELAY_MAX_SECONDS);
}

/** Decodes the jobs of a message. A message without jobs of ours is acknowledged, because it would return for ever. */
function waitingOf(message: QueueMessage): readonly Waiting[] {
  const parsed = job.safeParse(message.body);
  if (parsed.success) return [{ ...parsed.data, message }];
  message.ack();
  return [];
}

const JOBS = "WEBHOOK_JOBS";
const DEAD_LETTERS = "WEBHOOK_DEAD_LETTERS";

/**
 * Opens the platform's queue (docs/guides/hosting.md). Null: no queue is bound, and jobs are in the database. Throws if only
 * one of the two bindings exists.
 */
export function queueOfBindings(
  bindings: object,
  { clock }: { readonly clock: Clock },
): BindingQueue | null {
  const jobs = bindingOf(bindings, JOBS);
  const dead = bindingOf(bindings, DEAD_LETTERS);
  if (jobs === null && dead === null) return null;
  if (jobs === null || dead === null) {
    throw new Error(`Cannot start: queues need both bindings, ${JOBS} and ${DEAD_LETTERS}`);
  }
  return bindingQueue({ jobs, dead, clock });
}

function bindingOf(bindings: object, name: string): QueueBinding | null {
  const binding: unknown = Object.hasOwn(bindings, name) ? Reflect.get(bindings, name) : null;
  if (binding === null || binding === undefined) return null;
  if (isQueue(binding)) return binding;
  throw new Error(`Cannot start: ${name} must be bound to a queue`);
}

function isQueue(value: unknown): value is QueueBinding {
  return typeof value === "object" && value !== null && "sendBatch" in value &&
    typeof value.sendBatch === "function";
}

/** The platform's rate limiting binding. */
interface RateLimitBinding {
  limit(options: { readonly key: string }): Promise<{ readonly success: boolean }>;
}

/** Makes a rate limiter over bindings. A limit without a binding is counted by this isolate alone. */
export function bindingRateLimiter(
  bindings: object,
  options: MemoryRateLimiterOptions,
): RateLimiter {
  const known = new Map<string, unknown>(Object.entries(bindings));
  const fallback = memoryRateLimiter(options);
  return {
    async take(key, limit, period) {
      const name = period === 10 || period === 60 ? rateBindingName({ limit, period }) : "";
      const binding = known.get(name);
      if (!isBinding(binding)) return await fallback.take(key, limit, period);
      return (await binding.limit({ key })).success;
    },
    // A binding cannot take a hit back.
    lend: fallback.lend,
  };
}

function isBinding(value: unknown): value is RateLimitBinding {
  return typeof value === "object" && value !== null && "limit" in value &&
    typeof value.limit === "function";
}

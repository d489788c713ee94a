/** One attempt at one push message, and what becomes of it and of its subscription (RFC 8030; contract 8.2). */
import type { ScheduleName } from "../../contract/webhooks.ts";
import { hasCome } from "../../lib/clock_steps.ts";
import {
  deleteMessage,
  deleteMessagesTo,
  postponeMessage,
  selectMessage,
  type WaitingMessage,
} from "../data/push/messages.ts";
import { deleteSubscription, type SubscriptionNames } from "../data/push/subscriptions.ts";
import type {
  Clock,
  Database,
  Dialer,
  DialOutcome,
  Lease,
  Logger,
  PushSealer,
  PushTarget,
  Resolver,
  Transaction,
} from "../ports.ts";
import type { JobOutcome } from "../worker/consumer.ts";
import { checkDestination } from "../webhooks/destination/check_destination.ts";
import { longestWait, nextAttemptAt } from "../worker/retry_schedule.ts";

interface PushDeliveryPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly resolver: Resolver;
  readonly dialer: Dialer;
  readonly push: PushSealer;
}

interface PushDeliveryRules {
  readonly names: SubscriptionNames;
  readonly schedule: ScheduleName;
}

const TIMEOUT_MS = 15_000;
/** What a push service says beside its status is not kept. */
const ANSWER_MAX_BYTES = 1024;

type Result =
  | { readonly kind: "delivered" }
  /** The subscription is of no use any more. */
  | { readonly kind: "gone"; readonly reason: string }
  /** This message will not be taken. */
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "failed"; readonly reason: string; readonly retryAfter: string | null };

export async function deliverPush(
  { id }: Lease,
  ports: PushDeliveryPorts,
  rules: PushDeliveryRules,
): Promise<JobOutcome> {
  const message = await selectMessage(ports.database, rules.names, id);
  // Settled by a worker that ended before it could tell the queue.
  if (message === null) return { kind: "done" };
  const { target } = message;
  const now = ports.clock.now();
  const dueAt = message.nextAttemptAt === null ? null : Date.parse(message.nextAttemptAt);
  const waiting = { now, longestWait: longestWait(rules.schedule) };
  if (dueAt !== null && !hasCome(dueAt, waiting)) return { kind: "again", dueAt };
  const result: Result = target === null
    ? { kind: "refused", reason: "The subscription was deleted" }
    : isExpired(message, now)
    ? { kind: "refused", reason: "The message outlived its time" }
    : await attempt(message, target, ports);
  return await settle(message, result, { ports, rules });
}

function isExpired({ attempts, createdAt, ttl }: WaitingMessage, now: number): boolean {
  return attempts > 0 && now >= Date.parse(createdAt) + ttl * 1000;
}

async function attempt(
  message: WaitingMessage,
  target: PushTarget,
  { clock, resolver, dialer, push }: PushDeliveryPorts,
): Promise<Result> {
  const verdict = await checkDestination(target.endpoint, { allowInsecure: false, resolver });
  if (verdict.kind === "refused") return verdict;
  if (verdict.kind === "unresolved") return failed(verdict.reason);
  const sealed = await push.seal(target, message.payload);
  if (sealed === null) return { kind: "gone", reason: "The keys of the subscription are no keys" };
  const outcome = await dialer.post({
    url: target.endpoint,
    address: verdict.addresses[0],
    headers: { ...sealed.headers, ...requestHeaders(message, clock.now()) },
    body: sealed.body,
    timeout: TIMEOUT_MS,
    maxBytes: ANSWER_MAX_BYTES,
  });
  return resultOf(outcome);
}

/** How long it is kept is counted from when it was sent, not from when it is delivered here. */
function requestHeaders(
  { createdAt, ttl, urgency, topic }: WaitingMessage,
  now: number,
): Readonly<Record<string, string>> {
  const age = Math.floor((now - Date.parse(createdAt)) / 1000);
  return {
    ttl: String(Math.max(0, ttl - Math.max(0, age))),
    urgency,
    ...(topic === null ? {} : { topic }),
  };
}

/** A push service that does not know a subscription any more says one of these (RFC 8030, 7.3). */
const UNKNOWN: readonly number[] = [404, 410];
const TOO_MANY = 429;

function resultOf(outcome: DialOutcome): Result {
  if (outcome.kind === "failed") return failed(outcome.reason);
  const { status, retryAfter } = outcome;
  const reason = `The push service answered ${status}`;
  if (status >= 200 && status < 300) return { kind: "delivered" };
  if (UNKNOWN.includes(status)) return { kind: "gone", reason };
  return status === TOO_MANY || status >= 500
    ? { kind: "failed", reason, retryAfter }
    : { kind: "refused", reason };
}

function failed(reason: string): Result {
  return { kind: "failed", reason, retryAfter: null };
}

interface Settling {
  readonly ports: PushDeliveryPorts;
  readonly rules: PushDeliveryRules;
}

async function settle(
  message: WaitingMessage,
  result: Result,
  { ports, rules }: Settling,
): Promise<JobOutcome> {
  const { database, clock, logger } = ports;
  const { id, subscriptionId } = message;
  const ended = (remove: (transaction: Transaction) => Promise<void>) => database.write(remove);
  switch (result.kind) {
    case "delivered":
      await ended((transaction) => deleteMessage(transaction, id));
      return { kind: "done" };
    case "gone":
      await ended(async (transaction) => {
        await deleteMessagesTo(transaction, subscriptionId);
        await deleteSubscription(transaction, rules.names, subscriptionId);
      });
      logger.log({
        level: "info",
        message: "A push subscription ended",
        fields: { subscriptionId, reason: result.reason },
      });
      return { kind: "done" };
    case "refused":
      await ended((transaction) => deleteMessage(transaction, id));
      return { kind: "dead", reason: result.reason };
    case "failed": {
      const attempts = message.attempts + 1;
      const { retryAfter, reason } = result;
      const failures = { failures: attempts, retryAfter, now: clock.now() };
      const dueAt = nextAttemptAt(rules.schedule, failures);
      if (dueAt === null) {
        await ended((transaction) => deleteMessage(transaction, id));
        return { kind: "dead", reason };
      }
      const postponed = { attempts, nextAttemptAt: new Date(dueAt).toISOString() };
      await ended((transaction) => postponeMessage(transaction, id, postponed));
      return { kind: "again", dueAt };
    }
  }
}

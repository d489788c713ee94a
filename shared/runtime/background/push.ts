/** Push messages, and one attempt of a message, which may end its subscription (RFC 8030; contract 8.2, definitions 7). */
import type { ProjectModel } from "../../model/mod.ts";
import * as rows from "../data/push.ts";
import type {
  Clock,
  Database,
  Dialer,
  Logger,
  PushSealer,
  Resolver,
  Transaction,
  WebhookPorts,
} from "../ports.ts";
import { checkDestination } from "../destination/check_destination.ts";
import type { Attempt, OutboxWork } from "./outbox.ts";
import { DELIVERY_SCHEDULES } from "./retry_schedules.ts";

const SLOTS = 64;
const SLOTS_PER_SUBSCRIPTION = 4;
const TIMEOUT_MS = 15_000;
/** Most bytes of a push service's answer, of which only the status is used. */
const ANSWER_MAX_BYTES = 1024;

/** Makes the work. Throws if the project has no subscriptions, or if the host cannot encrypt messages. */
export function pushWork(
  project: ProjectModel,
  { clock, logger, webhooks, directory }: {
    readonly clock: Clock;
    readonly logger: Logger;
    readonly webhooks: WebhookPorts;
    /** Database with the subscriptions, if messages are in an organization's database. Absent: both are in one. */
    readonly directory?: Database | undefined;
  },
): OutboxWork<rows.WaitingMessage> {
  const names = rows.subscriptionNames(project);
  if (names === null) throw new Error("The project has no table of push subscriptions");
  const { push } = webhooks;
  if (!push) {
    throw new Error("Cannot start: the project has push messages, and the host no keys for them");
  }
  const sending = { ...webhooks, push, names, clock, logger, directory };
  return {
    schedule: DELIVERY_SCHEDULES[project.webhooks.schedule],
    slots: SLOTS,
    slotsPerReceiver: SLOTS_PER_SUBSCRIPTION,
    // A settled message has no row.
    retentionDays: project.webhooks.retentionDays,
    select: (reader, id) => rows.selectMessage(reader, id, { names, directory }),
    attempt: (message) => attempt(message, sending),
  };
}

interface Sending {
  readonly names: rows.SubscriptionNames;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly resolver: Resolver;
  readonly dialer: Dialer;
  readonly push: PushSealer;
  readonly directory: Database | undefined;
}

async function attempt(message: rows.WaitingMessage, sending: Sending): Promise<Attempt> {
  const { clock, resolver, dialer, push } = sending;
  const { target } = message;
  if (target === null) return { kind: "skipped", reason: "The subscription was deleted" };
  // Every message gets one attempt, however late.
  if (message.attempts > 0 && clock.now() >= Date.parse(message.createdAt) + message.ttl * 1000) {
    return { kind: "skipped", reason: "The message outlived its time" };
  }
  const verdict = await checkDestination(target.endpoint, { allowInsecure: false, resolver });
  if (verdict.kind === "refused") return { kind: "dead", reason: verdict.reason };
  if (verdict.kind === "unresolved") return failed(verdict.reason);
  const sealed = await push.seal(target, message.payload);
  if (sealed === null) {
    return ended(message, "The keys of the subscription are no keys", sending);
  }
  // The remaining `ttl` counts from the time of sending, not from this attempt.
  const { createdAt, ttl, urgency, topic } = message;
  const age = Math.floor((clock.now() - Date.parse(createdAt)) / 1000);
  const outcome = await dialer.post({
    url: target.endpoint,
    address: verdict.addresses[0],
    headers: {
      ...sealed.headers,
      ttl: String(Math.max(0, ttl - Math.max(0, age))),
      urgency,
      ...(topic === null ? {} : { topic }),
    },
    body: sealed.body,
    timeout: TIMEOUT_MS,
    maxBytes: ANSWER_MAX_BYTES,
  });
  if (outcome.kind === "failed") return failed(outcome.reason);
  const { status, retryAfter } = outcome;
  const reason = `The push service answered ${status}`;
  if (status >= 200 && status < 300) return { kind: "done" };
  if (UNKNOWN.includes(status)) return ended(message, reason, sending);
  return status === TOO_MANY || status >= 500
    ? { kind: "failed", reason, retryAfter }
    : { kind: "dead", reason };
}

/** Statuses of a push service for an unknown subscription (RFC 8030, 7.3). */
const UNKNOWN: readonly number[] = [404, 410];
const TOO_MANY = 429;

function failed(reason: string): Attempt {
  return { kind: "failed", reason, retryAfter: null };
}

/** Ends a subscription that no longer works, with all messages that wait for it. */
function ended(
  { subscriptionId }: rows.WaitingMessage,
  reason: string,
  { names, logger, directory }: Sending,
): Attempt {
  return {
    kind: "done",
    async also(transaction) {
      await rows.deleteMessagesTo(transaction, subscriptionId);
      const remove = (one: Transaction) => rows.deleteSubscription(one, names, subscriptionId);
      await (directory === undefined ? remove(transaction) : directory.write(remove));
      const fields = { subscriptionId, reason };
      logger.log({ level: "info", message: "A push subscription ended", fields });
    },
  };
}

/** One attempt at one delivery, and what becomes of it (contract 3.4, 5.7, 8, 8.2). */
import { RESPONSE_BODY_STORED_CHARACTERS } from "../../../contract/limits.ts";
import type { ScheduleName } from "../../../contract/webhooks.ts";
import { hasCome } from "../../../lib/clock_steps.ts";
import {
  type DeliveryOutcome,
  type DeliveryRow,
  selectDelivery,
  settleDelivery,
} from "../../data/webhooks/deliveries.ts";
import {
  disableEndpoint,
  type EndpointRow,
  selectEndpointOfDelivery,
  signingSecrets,
} from "../../data/webhooks/endpoints.ts";
import type {
  Clock,
  Database,
  Dialer,
  DialOutcome,
  Lease,
  Resolver,
  SecretBox,
} from "../../ports.ts";
import type { JobOutcome } from "../../worker/consumer.ts";
import { checkDestination } from "../destination/check_destination.ts";
import type { DestinationRules } from "../destination/read_destination.ts";
import { longestWait, nextAttemptAt } from "../../worker/retry_schedule.ts";
import { signatureOf } from "./secret.ts";

interface DeliveryPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly resolver: Resolver;
  readonly dialer: Dialer;
  readonly secrets: SecretBox;
}

interface DeliveryRules extends DestinationRules {
  readonly schedule: ScheduleName;
}

/** For the whole exchange with an endpoint. */
const TIMEOUT_MS = 15_000;
/** Enough for the characters that are kept, whatever their bytes. */
const ANSWER_MAX_BYTES = 4 * RESPONSE_BODY_STORED_CHARACTERS;

/** What an attempt came to. */
type Result =
  | { readonly kind: "delivered" | "refused" | "gone"; readonly answer: Answer }
  | { readonly kind: "failed"; readonly answer: Answer; readonly retryAfter: string | null }
  /** No attempt was made, and none will be. */
  | { readonly kind: "undeliverable"; readonly reason: string };

type Answer = Pick<DeliveryRow, "responseStatus" | "responseBody">;

export async function deliver(
  { id }: Lease,
  ports: DeliveryPorts,
  rules: DeliveryRules,
): Promise<JobOutcome> {
  const delivery = await selectDelivery(ports.database, id);
  // Settled by a worker that ended before it could tell the queue.
  if (delivery === null || delivery.status !== "pending") return { kind: "done" };
  const { nextRetryAt } = delivery;
  const dueAt = nextRetryAt === null ? null : Date.parse(nextRetryAt);
  const waiting = { now: ports.clock.now(), longestWait: longestWait(rules.schedule) };
  if (dueAt !== null && !hasCome(dueAt, waiting)) return { kind: "again", dueAt };
  const result = await attempt(delivery, ports, rules);
  const outcome = outcomeOf(result, { delivery, now: ports.clock.now(), rules });
  await ports.database.write(async (transaction) => {
    await settleDelivery(transaction, id, outcome);
    if (result.kind === "gone") await disableEndpoint(transaction, delivery.endpointId);
  });
  return jobOutcome(outcome);
}

async function attempt(
  delivery: DeliveryRow,
  ports: DeliveryPorts,
  rules: DeliveryRules,
): Promise<Result> {
  const endpoint = await selectEndpointOfDelivery(ports.database, delivery.endpointId);
  if (endpoint === null) return { kind: "undeliverable", reason: "The endpoint was deleted" };
  if (!endpoint.enabled) return { kind: "undeliverable", reason: "The endpoint is disabled" };
  const verdict = await checkDestination(endpoint.url, { ...rules, resolver: ports.resolver });
  switch (verdict.kind) {
    case "refused":
      return { kind: "refused", answer: unanswered(verdict.reason) };
    case "unresolved":
      return failed(verdict.reason);
    case "public":
      return await send(delivery, { endpoint, address: verdict.addresses[0], ports, rules });
  }
}

interface Sending {
  readonly endpoint: EndpointRow;
  readonly address: string;
  readonly ports: DeliveryPorts;
  readonly rules: DeliveryRules;
}

async function send(delivery: DeliveryRow, sending: Sending): Promise<Result> {
  const { endpoint, address, ports: { clock, dialer, secrets }, rules } = sending;
  const signing = await openedSecrets(endpoint, { secrets, now: clock.now() });
  if (signing === null) return failed("The signing secret cannot be read: rotate it");
  const body = bodyOf(delivery);
  const timestamp = Math.floor(clock.now() / 1000);
  const outcome = await dialer.post({
    url: endpoint.url,
    address,
    headers: {
      "content-type": "application/json",
      "webhook-id": delivery.id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": await signatureOf({ id: delivery.id, timestamp, body }, signing),
    },
    body,
    timeout: TIMEOUT_MS,
    maxBytes: ANSWER_MAX_BYTES,
  });
  return resultOf(outcome, rules);
}

/** The same bytes in every attempt (contract 6.1.3). */
function bodyOf({ eventType, payload, createdAt }: DeliveryRow): string {
  return `{"type":${JSON.stringify(eventType)},"data":${payload},"createdAt":"${createdAt}"}`;
}

/** For a day after its rotation an old secret signs too (definitions 7). Null: the present one cannot be read. */
async function openedSecrets(
  endpoint: EndpointRow,
  { secrets, now }: { readonly secrets: SecretBox; readonly now: number },
): Promise<readonly string[] | null> {
  const { id, secret } = endpoint;
  const opened = await secrets.open(id, secret);
  if (opened === null) return null;
  const previous = await Promise.all(
    signingSecrets(endpoint, now).map((old) => secrets.open(id, old.secret)),
  );
  return [opened, ...previous.filter((old) => old !== null)];
}

const GONE = 410;

function resultOf(outcome: DialOutcome, { schedule }: DeliveryRules): Result {
  if (outcome.kind === "failed") return failed(outcome.reason);
  const { status, location, body, retryAfter } = outcome;
  if (status >= 300 && status < 400) {
    return { kind: "refused", answer: answered(status, location ?? body) };
  }
  const answer = answered(status, body);
  if (status >= 200 && status < 300) return { kind: "delivered", answer };
  return status === GONE && schedule === "extended"
    ? { kind: "gone", answer }
    : { kind: "failed", answer, retryAfter };
}

/** Without an answer. */
function failed(reason: string): Result {
  return { kind: "failed", answer: unanswered(reason), retryAfter: null };
}

function answered(status: number, text: string): Answer {
  // What an endpoint answers is anything; the database keeps no NUL and no half characters.
  const beginning = text.slice(0, 2 * RESPONSE_BODY_STORED_CHARACTERS);
  const kept = [...beginning.toWellFormed().replaceAll("\0", "\ufffd")];
  return {
    responseStatus: status,
    responseBody: kept.slice(0, RESPONSE_BODY_STORED_CHARACTERS).join(""),
  };
}

function unanswered(reason: string): Answer {
  return { responseStatus: null, responseBody: reason };
}

interface Attempted {
  readonly delivery: DeliveryRow;
  readonly now: number;
  readonly rules: DeliveryRules;
}

function outcomeOf(result: Result, { delivery, now, rules }: Attempted): DeliveryOutcome {
  if (result.kind === "undeliverable") {
    const { attempts, responseStatus, lastAttemptAt } = delivery;
    const kept = { attempts, responseStatus, lastAttemptAt, responseBody: result.reason };
    return { ...kept, status: "failed", nextRetryAt: null };
  }
  const attempts = delivery.attempts + 1;
  const made = { ...result.answer, attempts, lastAttemptAt: new Date(now).toISOString() };
  const nextAt = result.kind === "failed"
    ? nextAttemptAt(rules.schedule, { failures: attempts, retryAfter: result.retryAfter, now })
    : null;
  if (nextAt !== null) {
    return { ...made, status: "pending", nextRetryAt: new Date(nextAt).toISOString() };
  }
  const status = result.kind === "delivered" ? "delivered" : "failed";
  return { ...made, status, nextRetryAt: null };
}

function jobOutcome({ status, nextRetryAt, responseBody }: DeliveryOutcome): JobOutcome {
  switch (status) {
    case "delivered":
      return { kind: "done" };
    case "failed":
      return { kind: "dead", reason: responseBody ?? "The delivery failed" };
    case "pending":
      return { kind: "again", dueAt: Date.parse(nextRetryAt ?? "") };
  }
}

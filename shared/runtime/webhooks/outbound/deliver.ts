/** One attempt at one delivery, and what becomes of it (contract 3.4, 5.7, 8, 8.2). */
import { RESPONSE_BODY_STORED_CHARACTERS } from "../../../contract/limits.ts";
import { BACKOFF_FIRST_MS, BACKOFF_MAX_MS, DELIVERY_ATTEMPTS } from "../../../contract/webhooks.ts";
import {
  type DeliveryOutcome,
  type DeliveryRow,
  selectDelivery,
  settleDelivery,
} from "../../data/webhooks/deliveries.ts";
import { type EndpointRow, selectEndpointOfDelivery } from "../../data/webhooks/endpoints.ts";
import type { Clock, Database, Dialer, DialOutcome, Lease, Resolver } from "../../ports.ts";
import type { JobOutcome } from "../../queue/consumer.ts";
import { checkDestination } from "../destination/check_destination.ts";
import type { DestinationRules } from "../destination/read_destination.ts";
import { signatureOf } from "./secret.ts";

export interface DeliveryPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly resolver: Resolver;
  readonly dialer: Dialer;
}

/** For the whole exchange with an endpoint. */
const TIMEOUT_MS = 15_000;
/** Enough for the characters that are kept, whatever their bytes. */
const ANSWER_MAX_BYTES = 4 * RESPONSE_BODY_STORED_CHARACTERS;

/** What an attempt came to. */
type Result =
  | { readonly kind: "delivered" | "refused" | "failed"; readonly answer: Answer }
  /** No attempt was made, and none will be. */
  | { readonly kind: "undeliverable"; readonly reason: string };

type Answer = Pick<DeliveryRow, "responseStatus" | "responseBody">;

export async function deliver(
  { id }: Lease,
  ports: DeliveryPorts,
  rules: DestinationRules,
): Promise<JobOutcome> {
  const delivery = await selectDelivery(ports.database, id);
  // Settled by a worker that ended before it could tell the queue.
  if (delivery === null || delivery.status !== "pending") return { kind: "done" };
  const notBefore = Date.parse(delivery.nextRetryAt ?? delivery.createdAt);
  if (delivery.nextRetryAt !== null && notBefore > ports.clock.now()) {
    return { kind: "again", dueAt: notBefore };
  }
  const result = await attempt(delivery, ports, rules);
  const outcome = outcomeOf(result, delivery, ports.clock.now());
  await ports.database.write((transaction) => settleDelivery(transaction, id, outcome));
  return jobOutcome(outcome);
}

async function attempt(
  delivery: DeliveryRow,
  ports: DeliveryPorts,
  rules: DestinationRules,
): Promise<Result> {
  const endpoint = await selectEndpointOfDelivery(ports.database, delivery.endpointId);
  if (endpoint === null) return { kind: "undeliverable", reason: "The endpoint was deleted" };
  if (!endpoint.enabled) return { kind: "undeliverable", reason: "The endpoint is disabled" };
  const verdict = await checkDestination(endpoint.url, { ...rules, resolver: ports.resolver });
  switch (verdict.kind) {
    case "refused":
      return { kind: "refused", answer: unanswered(verdict.reason) };
    case "unresolved":
      return { kind: "failed", answer: unanswered(verdict.reason) };
    case "public":
      return await send(delivery, { endpoint, address: verdict.addresses[0], ports });
  }
}

interface Sending {
  readonly endpoint: EndpointRow;
  readonly address: string;
  readonly ports: DeliveryPorts;
}

async function send(delivery: DeliveryRow, sending: Sending): Promise<Result> {
  const { endpoint, address, ports: { clock, dialer } } = sending;
  const body = bodyOf(delivery);
  const timestamp = Math.floor(clock.now() / 1000);
  const secrets = validSecrets(endpoint, clock.now());
  const outcome = await dialer.post({
    url: endpoint.url,
    address,
    headers: {
      "content-type": "application/json",
      "webhook-id": delivery.id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": await signatureOf({ id: delivery.id, timestamp, body }, secrets),
    },
    body,
    timeout: TIMEOUT_MS,
    maxBytes: ANSWER_MAX_BYTES,
  });
  return resultOf(outcome);
}

/** The same bytes in every attempt (contract 6.1.3). */
function bodyOf({ eventType, payload, createdAt }: DeliveryRow): string {
  return `{"type":${JSON.stringify(eventType)},"data":${payload},"createdAt":"${createdAt}"}`;
}

/** For a day after a rotation the old secret signs too (definitions 7). */
function validSecrets(endpoint: EndpointRow, now: number): readonly string[] {
  const { secret, previousSecret, previousSecretUntil } = endpoint;
  const isPreviousValid = previousSecretUntil !== null && Date.parse(previousSecretUntil) > now;
  return previousSecret !== null && isPreviousValid ? [secret, previousSecret] : [secret];
}

function resultOf(outcome: DialOutcome): Result {
  if (outcome.kind === "failed") return { kind: "failed", answer: unanswered(outcome.reason) };
  const { status, location, body } = outcome;
  if (status >= 300 && status < 400) {
    return { kind: "refused", answer: answered(status, location ?? body) };
  }
  const kind = status >= 200 && status < 300 ? "delivered" : "failed";
  return { kind, answer: answered(status, body) };
}

function answered(status: number, text: string): Answer {
  // What an endpoint answers is anything; the database keeps no NUL and no half characters.
  const kept = [...text.toWellFormed().replaceAll("\0", "\ufffd")];
  return {
    responseStatus: status,
    responseBody: kept.slice(0, RESPONSE_BODY_STORED_CHARACTERS).join(""),
  };
}

function unanswered(reason: string): Answer {
  return { responseStatus: null, responseBody: reason };
}

function outcomeOf(result: Result, delivery: DeliveryRow, now: number): DeliveryOutcome {
  if (result.kind === "undeliverable") {
    const { attempts, responseStatus, lastAttemptAt } = delivery;
    const kept = { attempts, responseStatus, lastAttemptAt, responseBody: result.reason };
    return { ...kept, status: "failed", nextRetryAt: null };
  }
  const attempts = delivery.attempts + 1;
  const made = { ...result.answer, attempts, lastAttemptAt: new Date(now).toISOString() };
  if (result.kind === "failed" && attempts < DELIVERY_ATTEMPTS) {
    const nextRetryAt = new Date(now + backoff(attempts)).toISOString();
    return { ...made, status: "pending", nextRetryAt };
  }
  const status = result.kind === "delivered" ? "delivered" : "failed";
  return { ...made, status, nextRetryAt: null };
}

/** 2 s after the first failure, twice as much after each other one (contract 8). */
export function backoff(failures: number): number {
  return Math.min(BACKOFF_FIRST_MS * 2 ** (failures - 1), BACKOFF_MAX_MS);
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

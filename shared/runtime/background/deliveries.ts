/** Deliveries of events to endpoints, and one attempt of a delivery (contract 3.4, 5.7, 8, 8.2). */
import { RESPONSE_BODY_STORED_CHARACTERS, type ScheduleName } from "../../contract/mod.ts";
import { newDelivery } from "../authored/emit_event.ts";
import { organizationPages } from "../data/organization_rows.ts";
import * as rows from "../data/webhooks/deliveries.ts";
import {
  disableEndpoint,
  type EndpointRow,
  selectEndpointOfDelivery,
  signingSecrets,
} from "../data/webhooks/endpoints.ts";
import { checkDestination } from "../destination/check_destination.ts";
import type {
  Clock,
  Database,
  Dialer,
  DialOutcome,
  Randomness,
  Resolver,
  SecretBox,
  TenantDatabases,
} from "../ports.ts";
import { DELIVERY_SCHEDULES } from "./retry_schedules.ts";
import type { Attempt, OutboxRow, OutboxWork } from "./outbox.ts";
import { signatureOf } from "../webhooks/outbound/secret.ts";

interface DeliveryPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly resolver: Resolver;
  readonly dialer: Dialer;
  readonly secrets: SecretBox;
  /** Disables endpoints whose account or organization has ended. Absent: only their rows end them. */
  readonly endEndpoints?: () => Promise<void>;
}

interface DeliveryRules {
  /** True to allow `http:` (contract 8.2.1). */
  readonly allowInsecure: boolean;
  readonly schedule: ScheduleName;
  /** Null: deliveries are kept for ever. */
  readonly retentionDays: number | null;
}

const SLOTS = 64;
const SLOTS_PER_ENDPOINT = 4;

export function deliveryWork(
  ports: DeliveryPorts,
  rules: DeliveryRules,
): OutboxWork<rows.DeliveryRow & OutboxRow> {
  return {
    schedule: DELIVERY_SCHEDULES[rules.schedule],
    slots: SLOTS,
    slotsPerReceiver: SLOTS_PER_ENDPOINT,
    retentionDays: rules.retentionDays,
    async select(reader, id) {
      const delivery = await rows.selectDelivery(reader, id);
      if (delivery?.status !== "pending") return null;
      return { ...delivery, nextAttemptAt: delivery.nextRetryAt };
    },
    attempt: (delivery) => attempt(delivery, ports, rules),
  };
}

/** Limit of the whole exchange with an endpoint. */
const TIMEOUT_MS = 15_000;
/** Most bytes of an answer: enough for the stored characters in any encoding. */
const ANSWER_MAX_BYTES = 4 * RESPONSE_BODY_STORED_CHARACTERS;

async function attempt(
  delivery: rows.DeliveryRow,
  ports: DeliveryPorts,
  rules: DeliveryRules,
): Promise<Attempt> {
  await ports.endEndpoints?.();
  const endpoint = await selectEndpointOfDelivery(ports.database, delivery.endpointId);
  if (endpoint === null) return skipped("The endpoint was deleted");
  if (!endpoint.enabled) return skipped("The endpoint is disabled");
  const verdict = await checkDestination(endpoint.url, { ...rules, resolver: ports.resolver });
  switch (verdict.kind) {
    case "refused":
      return made("dead", unanswered(verdict.reason), ports);
    case "unresolved":
      return made("failed", unanswered(verdict.reason), ports);
    case "public": {
      const address = verdict.addresses[0];
      const { clock, dialer, secrets } = ports;
      const signing = await openedSecrets(endpoint, secrets, clock.now());
      if (signing === null) {
        return made("failed", unanswered("The signing secret cannot be read: rotate it"), ports);
      }
      // Every attempt has the same bytes (contract 6.1.3).
      const { eventType, payload, createdAt } = delivery;
      const body = `{"type":${
        JSON.stringify(eventType)
      },"data":${payload},"createdAt":"${createdAt}"}`;
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
      return resultOf(outcome, endpoint, ports, rules);
    }
  }
}

interface DeliveryTarget {
  readonly endpoint: EndpointRow;
  readonly address: string;
  readonly ports: DeliveryPorts;
  readonly rules: DeliveryRules;
}

/**
 * Returns the secrets that sign. An old one signs for a day after its rotation (definitions 7). Null: the present one cannot be
 * decrypted.
 */
async function openedSecrets(
  endpoint: EndpointRow,
  secrets: SecretBox,
  now: number,
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

function resultOf(
  outcome: DialOutcome,
  endpoint: EndpointRow,
  ports: DeliveryPorts,
  rules: DeliveryRules,
): Attempt {
  if (outcome.kind === "failed") return made("failed", unanswered(outcome.reason), ports);
  const { status, location, body, retryAfter } = outcome;
  if (status >= 300 && status < 400) return made("dead", answered(status, location ?? body), ports);
  const answer = { ...answered(status, body), retryAfter };
  if (status >= 200 && status < 300) return made("done", answer, ports);
  if (status !== GONE || rules.schedule !== "extended") return made("failed", answer, ports);
  return {
    ...made("dead", answer, ports),
    also: (transaction) => disableEndpoint(transaction, endpoint.id),
  };
}

interface Answer {
  /** Null: there was no answer. */
  readonly status: number | null;
  readonly text: string;
  readonly retryAfter: string | null;
}

function answered(status: number, text: string): Answer {
  // An answer may be anything. The database stores no NUL and no unpaired surrogates.
  const beginning = text.slice(0, 2 * RESPONSE_BODY_STORED_CHARACTERS);
  const kept = [...beginning.toWellFormed().replaceAll("\0", "\ufffd")];
  const stored = kept.slice(0, RESPONSE_BODY_STORED_CHARACTERS).join("");
  return { status, text: stored, retryAfter: null };
}

function unanswered(reason: string): Answer {
  return { status: null, text: reason, retryAfter: null };
}

/** Makes the end of an attempt, with the columns of its delivery. */
function made(
  kind: "done" | "failed" | "dead",
  { status, text, retryAfter }: Answer,
  { clock }: Pick<DeliveryPorts, "clock">,
): Attempt {
  const columns = {
    response_status: status,
    response_body: text,
    last_attempt_at: new Date(clock.now()).toISOString(),
  };
  return { kind, reason: text, retryAfter, columns };
}

function skipped(reason: string): Attempt {
  return { kind: "skipped", reason, columns: { response_body: reason } };
}

interface RedeliveryPorts {
  readonly database: Database;
  /** Databases of organizations. Null or absent: one database has all rows. */
  readonly tenants?: TenantDatabases | null;
  readonly clock: Clock;
  readonly random: Randomness;
}

export interface RedeliveryCounts {
  readonly deliveries: number;
  readonly endpoints: number;
}

/** Deliveries in one transaction. After an aborted run the next one does not emit them again. */
const BATCH = 200;

/**
 * Emits the events of earlier deliveries again, each to its endpoint (contract 8.2.7). New deliveries have ids of their own and
 * refer to the repeated one. Those emitted again before, and those of disabled or deleted endpoints, are left out. Throws when
 * such an endpoint is named by id. `isRehearsal` counts and emits nothing.
 */
export async function redeliver(
  filter: rows.RedeliveryFilter & { readonly isRehearsal: boolean },
  ports: RedeliveryPorts,
): Promise<RedeliveryCounts> {
  const { endpointId: asked } = filter;
  const places = await databasesWith(asked, ports);
  if (asked !== null && places.length === 0) {
    // Without this error nothing would be emitted, and nobody would know why.
    throw new Error(
      `No endpoint has the id '${asked}': it was deleted, or is in another database`,
    );
  }
  const counts = { deliveries: 0, endpoints: 0 };
  for (const database of places) {
    const { deliveries, endpoints } = await redeliverWithin(filter, { ...ports, database });
    counts.deliveries += deliveries;
    counts.endpoints += endpoints;
  }
  return counts;
}

/** Returns all databases, or the one with this endpoint. Throws if the endpoint is disabled. */
async function databasesWith(
  asked: string | null,
  { database, tenants }: RedeliveryPorts,
): Promise<readonly Database[]> {
  const all = [database];
  if (tenants) {
    for await (const ids of organizationPages(tenants.organizations)) {
      all.push(...ids.map((id) => tenants.of(id, "never")));
    }
  }
  if (asked === null) return all;
  for (const one of all) {
    const endpoint = await selectEndpointOfDelivery(one, asked);
    if (endpoint === null) continue;
    if (!endpoint.enabled) throw new Error(`Endpoint '${asked}' is disabled: enable it first`);
    return [one];
  }
  return [];
}

async function redeliverWithin(
  filter: rows.RedeliveryFilter & { readonly isRehearsal: boolean },
  ports: RedeliveryPorts,
): Promise<RedeliveryCounts> {
  const endpoints = new Set<string>();
  let deliveries = 0;
  let after: string | null = null;
  for (;;) {
    const ids: readonly (readonly [string, string])[] = await ports.database.write(
      async (transaction) => {
        const sources = await rows.selectRedeliverable(transaction, filter, {
          after,
          limit: BATCH,
        });
        if (!filter.isRehearsal) {
          const copies = sources.map(({ id, endpointId, eventType, payload }) =>
            newDelivery({ endpointId, eventType, payload, sourceId: id }, ports)
          );
          await rows.insertDeliveries(transaction, copies);
        }
        return sources.map(({ id, endpointId }) => [id, endpointId] as const);
      },
    );
    for (const [, endpointId] of ids) endpoints.add(endpointId);
    deliveries += ids.length;
    after = ids.at(-1)?.[0] ?? null;
    if (ids.length < BATCH) return { deliveries, endpoints: endpoints.size };
  }
}

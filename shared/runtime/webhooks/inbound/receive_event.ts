/**
 * Takes in a provider's webhook: verified, stored once, and left to the worker (contract 4.6, 5.8, 3.3). Refuses with
 * `WEBHOOK_SIGNATURE_INVALID`, `PAYLOAD_TOO_LARGE`, `INVALID_JSON` and `VALIDATION_ERROR`.
 */
import { type ParsedWebhook, PROCESSING_MAX_MS } from "../../../contract/mod.ts";
import { utf8Text } from "../../../lib/bytes.ts";
import { uuid } from "../../../lib/ids.ts";
import type { AuthoredCode } from "../../../surface/mod.ts";
import type { UnattendedWork } from "../../authored/unattended_work.ts";
import type { RequestContext } from "../../context.ts";
import { attributeEvent, type EventRow, EVENTS } from "../../data/webhooks/events.ts";
import { insertEvent, selectEvent } from "../../data/webhooks/events.ts";
import type { Clock, Logger } from "../../ports.ts";
import { Refusal, refuse } from "../../refusal.ts";
import { PROCESSING_SCHEDULE } from "../../worker/consumer.ts";
import type { Attempt, Outbox } from "../../worker/outbox.ts";
import { recordAnswer, type UnjudgedCall } from "../webhook_call.ts";
import type { InboundMessage, WebhookProvider } from "./providers.ts";
import { authoredProvider, builtInProvider, secretVariable } from "./providers.ts";

/** Longer ones are nobody's. */
const NAME_MAX_LENGTH = 256;

export async function receiveEvent(
  { request, ports }: UnjudgedCall,
  provider: WebhookProvider,
): Promise<Response> {
  const { app: { ports: { random } }, database } = request;
  const payload = await request.body.bytes();
  const { clock, logger } = request.app.ports;
  const variable = secretVariable(provider.name);
  const secret = ports.env[variable] ?? "";
  if (secret === "") {
    const message = `Webhooks of '${provider.name}' are refused: ${variable} is not set`;
    logger.log({ level: "error", message, requestId: request.requestId });
    refuse("WEBHOOK_SIGNATURE_INVALID");
  }
  const message = { payload, headers: request.headers, secret, now: clock.now() };
  if (!await isGenuine(provider, message, request)) refuse("WEBHOOK_SIGNATURE_INVALID");
  const text = utf8Text(payload, { keepsMark: true }) ??
    refuse("INVALID_JSON", { detail: "The body is not valid UTF-8" });
  const parsed = await eventOf(text, provider, request);
  const { type, externalId = null } = parsed;
  const organizationId = await organizationOf(parsed, provider, request);
  const event = {
    id: `whe_${uuid(random.bytes(16))}`,
    provider: provider.name,
    eventType: `${provider.name}:${type}`,
    externalId,
    payload: text,
    createdAt: request.now,
  };
  // The row is the outbox: what was answered with 200 is queued, whatever happens to this process.
  const isNew = await database.write(async (transaction) => {
    if (!await insertEvent(transaction, event)) return false;
    if (organizationId !== null) {
      await attributeEvent(transaction, { eventId: event.id, organizationId, isNamed: true });
    }
    return true;
  });
  return recordAnswer({ received: true, duplicate: !isNew });
}

/** A verification that throws verifies nothing. */
async function isGenuine(
  provider: WebhookProvider,
  message: InboundMessage,
  { app, requestId }: RequestContext,
): Promise<boolean> {
  try {
    return await provider.verify(message);
  } catch (error) {
    const text = `A signature of '${provider.name}' cannot be verified`;
    app.ports.logger.log({ level: "error", message: text, requestId, error });
    return false;
  }
}

async function eventOf(
  text: string,
  provider: WebhookProvider,
  request: RequestContext,
): Promise<ParsedWebhook> {
  const event = await parsed(text, provider, request);
  const isUsable = event !== null && isName(event.type) &&
    (event.externalId === undefined || isName(event.externalId));
  if (isUsable) return event;
  return refuse("VALIDATION_ERROR", {
    detail: `The body is no event of '${provider.name}'`,
    pointer: "",
  });
}

/** The organization that the provider's code names; null: nobody's, as where that code fails. */
async function organizationOf(
  event: ParsedWebhook,
  provider: WebhookProvider,
  { app, requestId }: RequestContext,
): Promise<string | null> {
  if (!app.project.multiTenant) return null;
  try {
    return await provider.organizationOf?.(event) ?? null;
  } catch (error) {
    const message = `The organization of an event of '${provider.name}' is not known`;
    app.ports.logger.log({ level: "error", message, requestId, error });
    return null;
  }
}

/** True for a text that can be stored and compared as a name. */
function isName(text: string): boolean {
  return text !== "" && text.length <= NAME_MAX_LENGTH && text.isWellFormed() &&
    !/\p{Cc}/u.test(text);
}

/** The event in a payload; null when the provider's code fails, of which the sender learns nothing. */
async function parsed(
  text: string,
  provider: WebhookProvider,
  { app, requestId, headers }: RequestContext,
): Promise<ParsedWebhook | null> {
  try {
    return await provider.parse(text, headers);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const message = `A payload of '${provider.name}' cannot be read`;
    app.ports.logger.log({ level: "error", message, requestId, error });
    return null;
  }
}

interface ProcessingPorts {
  readonly clock: Clock;
  readonly logger: Logger;
}

interface ProcessingOptions {
  readonly code: Pick<AuthoredCode, "webhookHandlers" | "webhookProviders">;
  /** Databases and services for handlers, of what the history of records names so. */
  readonly work: (operation: string) => UnattendedWork;
  /** Attributes an event to an organization that a handler works in; null: the project has none. */
  readonly attribute: ((eventId: string, organizationId: string) => Promise<void>) | null;
}

const SLOTS = 20;
/** Of a handler's message: for whoever reads the list of events. */
const ERROR_MAX_LENGTH = 1000;

/** The events that providers sent, and one attempt of their handlers at one of them (contract 3.3, 6.2, 8). */
export function eventOutbox(
  options: ProcessingOptions,
  ports: ProcessingPorts,
): Outbox<EventRow> {
  return {
    queue: "webhook-events",
    table: EVENTS,
    schedule: PROCESSING_SCHEDULE,
    slots: SLOTS,
    slotsPerReceiver: 1,
    patience: PROCESSING_MAX_MS,
    async select(reader, id) {
      const event = await selectEvent(reader, id);
      return event?.status === "processed" ? null : event;
    },
    attempt: (event, overdue) => attempt(event, { ...options, overdue }, ports),
  };
}

interface Processing extends ProcessingOptions {
  readonly overdue: AbortSignal;
}

async function attempt(
  event: EventRow,
  options: Processing,
  ports: ProcessingPorts,
): Promise<Attempt> {
  const failure = await failureOf(event, options, ports);
  if (failure === null) {
    const processedAt = new Date(ports.clock.now()).toISOString();
    return { kind: "done", columns: { processed_at: processedAt, error: null } };
  }
  return { kind: "failed", reason: failure, retryAfter: null, columns: { error: failure } };
}

const OVERDUE = `The handlers took longer than ${PROCESSING_MAX_MS / 60_000} minutes`;

/** Runs every handler at once, whatever the others do; null: all of them succeeded. */
async function failureOf(
  event: EventRow,
  { code, work, overdue, attribute }: Processing,
  { logger }: ProcessingPorts,
): Promise<string | null> {
  const { eventType: type, provider } = event;
  const given = attributing(work(`event:${type}`), event.id, attribute);
  const starts: (() => Promise<unknown>)[] = [];
  // Every handler of an event: those of its exact type first, then the wildcards, each in the order of registration.
  const handlers = [
    ...code.webhookHandlers.filter(({ on }) => on === type),
    ...code.webhookHandlers.filter(({ on }) => on === `${provider}:*`),
  ];
  for (const handler of handlers) {
    // Each its own data: handlers run at once, and what one of them changes is not the others' affair.
    const data = await dataOf(event, code.webhookProviders);
    const parameters = { type, data, provider, ...given };
    starts.push(async () => await Reflect.apply(handler.handle, handler, [parameters]));
  }
  const runs = await Promise.race([
    Promise.allSettled(starts.map((start) => start())),
    new Promise<null>((resolve) =>
      overdue.addEventListener("abort", () => resolve(null), { once: true })
    ),
  ]);
  if (runs === null) return OVERDUE;
  const failures = runs.filter((run) => run.status === "rejected");
  for (const { reason } of failures) {
    const fields = { event: event.id, type: event.eventType, attempts: event.attempts + 1 };
    logger.log({ level: "error", message: "A webhook handler failed", error: reason, fields });
  }
  return failures[0] ? messageOf(failures[0].reason) : null;
}

/** The same work, where an organization that it is done in is known before it may fail. */
function attributing(
  work: UnattendedWork,
  eventId: string,
  attribute: ProcessingOptions["attribute"],
): UnattendedWork {
  if (attribute === null) return work;
  const known = new Set<string>();
  return {
    ...work,
    async scopeTo(scope, run) {
      const named: unknown = Object(scope)["organizationId"];
      if (typeof named === "string" && !known.has(named)) {
        await attribute(eventId, named);
        known.add(named);
      }
      return await work.scopeTo(scope, run);
    },
  };
}

/** Parsed anew: the row keeps what arrived. The signature was checked then. */
async function dataOf(
  event: EventRow,
  providers: AuthoredCode["webhookProviders"],
): Promise<unknown> {
  const own = providers.find(({ name }) => name === event.provider);
  const provider = own ? authoredProvider(own) : builtInProvider(event.provider);
  return (await provider?.parse(event.payload, new Headers()))?.data;
}

function messageOf(error: unknown): string {
  const text = error instanceof Error
    ? error.message
    : "The handler threw something that is no error";
  return [...text.toWellFormed().replaceAll("\0", "\ufffd")].slice(0, ERROR_MAX_LENGTH).join("");
}

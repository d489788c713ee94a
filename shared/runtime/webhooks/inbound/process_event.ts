/** The events that providers sent, and one attempt of their handlers at one of them (contract 3.3, 6.2, 8). */
import { PROCESSING_MAX_MS } from "../../../contract/webhooks.ts";
import type { AuthoredCode } from "../../../surface/authored_code.ts";
import { type EventRow, EVENTS, selectEvent } from "../../data/webhooks/events.ts";
import type { Clock, Logger } from "../../ports.ts";
import type { UnattendedWork } from "../../authored/unattended_work.ts";
import type { Attempt, Outbox } from "../../worker/outbox.ts";
import { PROCESSING_SCHEDULE } from "../../worker/retry_schedule.ts";
import { authoredProvider, builtInProvider } from "./providers.ts";

interface ProcessingPorts {
  readonly clock: Clock;
  readonly logger: Logger;
}

interface ProcessingOptions {
  readonly code: Pick<AuthoredCode, "webhookHandlers" | "webhookProviders">;
  /** Databases and services for handlers. */
  readonly work: UnattendedWork;
}

const SLOTS = 20;
/** Of a handler's message: for whoever reads the list of events. */
const ERROR_MAX_LENGTH = 1000;

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
  { code, work, overdue }: Processing,
  { logger }: ProcessingPorts,
): Promise<string | null> {
  const { eventType: type, provider } = event;
  const starts: (() => Promise<unknown>)[] = [];
  // Every handler of an event: those of its exact type first, then the wildcards, each in the order of registration.
  const handlers = [
    ...code.webhookHandlers.filter(({ on }) => on === type),
    ...code.webhookHandlers.filter(({ on }) => on === `${provider}:*`),
  ];
  for (const handler of handlers) {
    // Each its own data: handlers run at once, and what one of them changes is not the others' affair.
    const given = { type, data: await dataOf(event, code.webhookProviders), provider, ...work };
    starts.push(async () => await Reflect.apply(handler.handle, handler, [given]));
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

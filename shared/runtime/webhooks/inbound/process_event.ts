/** Gives a received event to its handlers, and tells what became of it (contract 3.3, 6.2, 8). */
import { PROCESSING_ATTEMPTS, PROCESSING_MAX_MS } from "../../../contract/webhooks.ts";
import type { AuthoredCode } from "../../../surface/authored_code.ts";
import {
  beginProcessing,
  type EventRow,
  failProcessing,
  finishProcessing,
  markEventsQueued,
  selectEvent,
  selectUnqueuedEvents,
} from "../../data/webhooks/events.ts";
import type { Clock, Database, Logger, WebhookPorts } from "../../ports.ts";
import type { UnattendedWork } from "../../authored/unattended_work.ts";
import { type Consumer, createConsumer, type JobOutcome } from "../../worker/consumer.ts";
import { backoff } from "../../worker/retry_schedule.ts";
import { authoredProvider } from "./authored_provider.ts";
import { builtInProvider } from "./providers.ts";
import { handlersFor } from "./webhook_handler.ts";

interface ProcessingPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly webhooks: WebhookPorts;
}

const SLOTS = 20;
/** Of a handler's message: for whoever reads the list of events. */
const ERROR_MAX_LENGTH = 1000;

/** Jobs carry the event's id; one that an admin queued again is another job. */
export async function queueEvents(ports: ProcessingPorts, limit: number): Promise<void> {
  const { database, clock, webhooks: { queue } } = ports;
  const rows = await selectUnqueuedEvents(database, limit);
  if (rows.length === 0) return;
  const dueAt = clock.now();
  const jobs = rows.map(({ id, round }) => ({ id: `${id}.${round}`, payload: id, dueAt }));
  await queue.add("webhook-events", jobs);
  const now = new Date(dueAt).toISOString();
  await database.write((transaction) =>
    markEventsQueued(transaction, rows.map(({ id }) => id), now)
  );
}

interface ProcessingOptions {
  readonly code: Pick<AuthoredCode, "webhookHandlers" | "webhookProviders">;
  /** What handlers do their work with. */
  readonly work: UnattendedWork;
  /** Milliseconds of a lease. */
  readonly lease: number;
}

export function inboundConsumer(options: ProcessingOptions, ports: ProcessingPorts): Consumer {
  const { clock, logger, webhooks: { queue } } = ports;
  return createConsumer({
    queue,
    clock,
    logger,
    name: "webhook-events",
    slots: SLOTS,
    slotsPerPayload: 1,
    lease: options.lease,
    longestWait: backoff(PROCESSING_ATTEMPTS - 1),
    patience: PROCESSING_MAX_MS,
    process: ({ payload }, overdue) => processEvent(payload, { ...options, overdue }, ports),
  });
}

interface Processing extends ProcessingOptions {
  readonly overdue: AbortSignal;
}

async function processEvent(
  id: string,
  options: Processing,
  ports: ProcessingPorts,
): Promise<JobOutcome> {
  const { database, clock } = ports;
  const begun = await database.write((transaction) => beginProcessing(transaction, id));
  const event = begun ? await selectEvent(database, id) : null;
  if (event === null) return { kind: "done" };
  const failure = await failureOf(event, options, ports);
  if (failure === null) {
    const now = new Date(clock.now()).toISOString();
    await database.write((transaction) => finishProcessing(transaction, id, now));
    return { kind: "done" };
  }
  await database.write((transaction) => failProcessing(transaction, id, failure));
  return event.attempts < PROCESSING_ATTEMPTS
    ? { kind: "again", dueAt: clock.now() + backoff(event.attempts) }
    : { kind: "dead", reason: failure };
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
  for (const handler of handlersFor(code.webhookHandlers, event)) {
    // Each its own data: handlers run at once, and what one of them changes is not the others' affair.
    const given = { type, data: await dataOf(event, code.webhookProviders), provider, ...work };
    starts.push(async () => await Reflect.apply(handler.handle, handler, [given]));
  }
  const runs = await Promise.race([
    Promise.allSettled(starts.map((start) => start())),
    aborted(overdue),
  ]);
  if (runs === null) return OVERDUE;
  const failures = runs.filter((run) => run.status === "rejected");
  for (const { reason } of failures) {
    const fields = { event: event.id, type: event.eventType, attempts: event.attempts };
    logger.log({ level: "error", message: "A webhook handler failed", error: reason, fields });
  }
  return failures[0] ? messageOf(failures[0].reason) : null;
}

function aborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve(null), { once: true })
  );
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

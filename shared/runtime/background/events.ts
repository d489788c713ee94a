/** Runs the handlers of inbound events (contract 3.3, 6.2, 8). */
import { PROCESSING_MAX_MS } from "../../contract/mod.ts";
import type { AuthoredCode } from "../../surface/mod.ts";
import type { UnattendedWork } from "../authored/unattended_work.ts";
import { type EventRow, selectEvent } from "../data/webhooks/events.ts";
import type { Clock, Logger } from "../ports.ts";
import { authoredProvider, builtInProvider } from "../webhooks/inbound/providers.ts";
import type { Attempt, OutboxWork } from "./outbox.ts";
import { PROCESSING_SCHEDULE } from "./retry_schedules.ts";

interface ProcessingPorts {
  readonly clock: Clock;
  readonly logger: Logger;
}

interface ProcessingOptions {
  readonly code: Pick<AuthoredCode, "webhookHandlers" | "webhookProviders">;
  /** Returns databases and services for handlers. The history of records names the operation. */
  readonly work: (operation: string) => UnattendedWork;
  /** Attributes an event to an organization in which a handler works; null: the project has no organizations. */
  readonly attribute: ((eventId: string, organizationId: string) => Promise<void>) | null;
  /** Null: events are kept for ever. */
  readonly retentionDays: number | null;
}

const SLOTS = 20;
/** Most characters of a handler's error in the list of events. */
const ERROR_MAX_LENGTH = 1000;

export function eventWork(
  options: ProcessingOptions,
  ports: ProcessingPorts,
): OutboxWork<EventRow> {
  return {
    schedule: PROCESSING_SCHEDULE,
    slots: SLOTS,
    slotsPerReceiver: 1,
    retentionDays: options.retentionDays,
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

/** Runs all handlers concurrently and independently. Returns the failure; null: all succeeded. */
async function failureOf(
  event: EventRow,
  { code, work, overdue, attribute }: Processing,
  { logger }: ProcessingPorts,
): Promise<string | null> {
  const { eventType: type, provider } = event;
  const given = attributing(work(`event:${type}`), event.id, attribute);
  const starts: (() => Promise<unknown>)[] = [];
  // Handlers of the exact type come first, then wildcards, each in the order of registration.
  const handlers = [
    ...code.webhookHandlers.filter(({ on }) => on === type),
    ...code.webhookHandlers.filter(({ on }) => on === `${provider}:*`),
  ];
  for (const handler of handlers) {
    // Each handler gets its own copy, because handlers run concurrently and may change it.
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

/** Wraps the work so that its organization is recorded before it may fail. */
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

/** Parses the stored body again. Its signature was verified on arrival. */
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

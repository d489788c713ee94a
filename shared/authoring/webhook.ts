/** Webhooks as authors write them: events that go out, and providers and handlers of what comes in (contract 4.6, 6.1, 6.2). */
import type { WebhookProvider } from "../definition_language/services.ts";
import { EMIT_WEBHOOK_EVENT, type HandlerEnv } from "../model/mod.ts";
import type { HandlerFiles, ScopedDatabase, TargetScope } from "./handler_context.ts";
import type { ProjectJobs, UnattendedJobs } from "./job.ts";
import type { EventName, ProjectServices } from "./register.ts";

/** Scope whose endpoints receive an event; an event with neither member reaches nobody. */
export interface WebhookScope {
  readonly organizationId?: string | null | undefined;
  readonly userId?: string | null | undefined;
}

/**
 * Emits an event to the endpoints of its scope. `env` is the one that the handler was given: it binds the event to the
 * handler's transaction, so that both stay or go together.
 */
export function emitWebhookEvent(
  type: EventName,
  payload: unknown,
  scope: WebhookScope,
  env: HandlerEnv,
): Promise<void> {
  const emit: unknown = Reflect.get(env, EMIT_WEBHOOK_EVENT);
  if (typeof emit !== "function") {
    throw new TypeError("emitWebhookEvent needs the env that the handler was given");
  }
  const { organizationId, userId } = scope;
  // The promise itself, without another around it: who does not wait for it is told of its failure in the log.
  return emit({ type, payload, organizationId, userId });
}

/** A provider of inbound webhooks, named in `webhooks.inbound`. */
export function defineWebhookProvider(provider: WebhookProvider): WebhookProvider {
  return provider;
}

/** The project's tables and services behind an explicit scope, in one transaction. */
export interface ScopedWork {
  readonly db: ScopedDatabase;
  readonly services: ProjectServices;
  readonly jobs: ProjectJobs;
  /** Stands there only where a table has a file column. */
  readonly files: HandlerFiles;
  /** Binds what is emitted to this transaction. */
  readonly env: HandlerEnv;
}

/** `Data` is what the author knows of the provider's events; nobody has checked it. */
export interface WebhookEventContext<Data = Readonly<Record<string, unknown>>> {
  /** `<provider>:<type>`. */
  readonly type: string;
  readonly data: Data;
  readonly provider: string;
  readonly env: HandlerEnv;
  /** Each is queued by itself, for the organization that it names. */
  readonly jobs: UnattendedJobs;
  /**
   * Runs `work` within an explicit scope, since an event has no caller. The writes of `work` commit or roll back together.
   */
  readonly scopeTo: <Result>(
    scope: TargetScope,
    work: (given: ScopedWork) => Promise<Result>,
  ) => Promise<Result>;
}

/** Handler of an inbound event. Inert: the compiler gathers these values, so nothing is registered anywhere. */
export interface WebhookEventHandler<Data> {
  readonly on: string;
  readonly handle: (context: WebhookEventContext<Data>) => unknown;
}

/** `"<provider>:<type>"` or `"<provider>:*"`, at the top level of a file in `services/`. */
export function onWebhookEvent<Data = Readonly<Record<string, unknown>>>(
  on: string,
  handle: (context: WebhookEventContext<Data>) => unknown,
): WebhookEventHandler<Data> {
  return { on, handle };
}

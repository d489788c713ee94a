/** Webhooks of authors: outgoing events, and providers and handlers of incoming ones (contract 4.6, 6.1, 6.2). */
import type { WebhookProvider } from "../definition_language/services.ts";
import { EMIT_WEBHOOK_EVENT, type HandlerEnv } from "../model/mod.ts";
import type { HandlerDatabase, HandlerFiles, TargetScope } from "./handler_context.ts";
import type { ProjectJobs, UnattendedJobs } from "./job.ts";
import type { EventName, ProjectServices } from "./register.ts";

/** The scope whose endpoints receive an event. An event without any scope reaches nobody. */
export interface WebhookScope {
  readonly organizationId?: string | null | undefined;
  readonly userId?: string | null | undefined;
}

/**
 * Emits an event to the endpoints of its scope. `env` is the handler's own: it binds the event to the handler's transaction, so
 * that both are kept or neither is.
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
  // The original promise is returned, so that the failure of one that nobody awaits is logged.
  return emit({ type, payload, organizationId, userId });
}

/** Defines a provider of inbound webhooks that `webhooks.inbound` names. */
export function defineWebhookProvider(provider: WebhookProvider): WebhookProvider {
  return provider;
}

/** The project's tables and services behind an explicit scope, in one transaction. */
export interface ScopedWork {
  readonly db: HandlerDatabase;
  readonly services: ProjectServices;
  readonly jobs: ProjectJobs;
  /** Exists only if a table has a file column. */
  readonly files: HandlerFiles;
  /** Binds emitted events to this transaction. */
  readonly env: HandlerEnv;
}

/** `Data` is the type that the author expects of the provider's events. Nobody has checked it. */
export interface WebhookEventContext<Data = Readonly<Record<string, unknown>>> {
  /** `<provider>:<type>`. */
  readonly type: string;
  readonly data: Data;
  readonly provider: string;
  readonly env: HandlerEnv;
  /** Queues of jobs. A job belongs to the organization that the call names. */
  readonly jobs: UnattendedJobs;
  /**
   * Runs `work` within an explicit scope, because an event has no caller. The writes of `work` are kept or rolled back
   * together.
   */
  readonly scopeTo: <Result>(
    scope: TargetScope,
    work: (given: ScopedWork) => Promise<Result>,
  ) => Promise<Result>;
}

/** A handler of an inbound event. It is inert data that the compiler collects. */
export interface WebhookEventHandler<Data> {
  readonly on: string;
  readonly handle: (context: WebhookEventContext<Data>) => unknown;
}

/** Defines a handler of `"<provider>:<type>"` or `"<provider>:*"`, at the top level of a file in `services/`. */
export function onWebhookEvent<Data = Readonly<Record<string, unknown>>>(
  on: string,
  handle: (context: WebhookEventContext<Data>) => unknown,
): WebhookEventHandler<Data> {
  return { on, handle };
}

/** Names that authors import from `quickback` (definitions 1). Plain data: nothing here performs I/O. */
export type {
  AccessDefinition,
  ConditionDefinition,
  FirewallDefinition,
} from "../definition_language/rules.ts";
export type { TransitionDefinition } from "../definition_language/action.ts";
export { type ActionDefinition, defineAction, defineActions } from "./action.ts";
export { ActionError, TransitionLostError } from "./action_error.ts";
export type { AuthHooks } from "./auth_hooks.ts";
export { ColumnBuilder, type ColumnReference, type OnDelete } from "./column.ts";
export {
  type ConfigDefinition,
  defineAuth,
  defineConfig,
  defineDatabase,
  defineFileStorage,
  defineRuntime,
} from "./config.ts";
export { type ComputedRow, date, round } from "./computed.ts";
export { defineTable, feature, type FeatureDefinition } from "./define.ts";
export type { ActionExecutor, ActionParameters, FileValue, ScopeToken } from "./handler.ts";
export type {
  ActionContext,
  HandlerDatabase,
  HandlerFiles,
  ScopedDatabase,
  UnsafeDatabase,
} from "./handler_context.ts";
export {
  defineJob,
  defineSchedule,
  type JobContext,
  type JobDefinition,
  type JobParameters,
  type JobQueue,
  type ScheduleDefinition,
} from "./job.ts";
export type { PrincipalVerifier, VerifiedPrincipal, VerifierParameters } from "./principal.ts";
export { type PushOptions, sendPush } from "./push.ts";
export { q } from "./q.ts";
export {
  defineRealtime,
  type RealtimeDefinition,
  type SignalDefinition,
  type SignalPayload,
} from "./realtime.ts";
export { defineHooks, type RecordHooks } from "./record_hooks.ts";
export { RecordError, type Records } from "./records.ts";
export type { Register } from "./register.ts";
export type { ResourceDefinition, ViewDefinition } from "../definition_language/resource.ts";
export { defineSeed, type SeedDefinition } from "./seed.ts";
export { defineService, type ServiceDefinition } from "./service.ts";
export type { Columns, Table } from "./table.ts";
export { z } from "zod";
export {
  defineWebhookProvider,
  emitWebhookEvent,
  onWebhookEvent,
  type WebhookEventContext,
  type WebhookScope,
} from "./webhook.ts";
export type { WebhookProvider } from "../definition_language/services.ts";

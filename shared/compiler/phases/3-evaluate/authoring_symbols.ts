/** Lists the names that a definition may import and that the compiler reads (definitions 1). */
import { nearest } from "../../../lib/nearest.ts";

/** Names of the authoring module. The aliases are for existing projects. */
export const AUTHORING_MODULES: ReadonlySet<string> = new Set([
  "quickback",
  "@quickback/compiler",
  "@quickback/types",
]);

/** Helpers that a configuration may call (definitions 2). */
export const CONFIG_HELPERS: readonly string[] = [
  "defineConfig",
  "defineRuntime",
  "defineDatabase",
  "defineAuth",
  "defineFileStorage",
];

/** Every value of the language, whether or not this version of the runtime has behaviour for it. */
export const AUTHORING_VALUES: readonly string[] = [
  ...CONFIG_HELPERS,
  "feature",
  "q",
  "defineTable",
  "defineAction",
  "defineActions",
  "defineService",
  "defineWebhookProvider",
  "defineRealtime",
  "defineJob",
  "defineSchedule",
  "defineSeed",
  "defineHooks",
  "emitWebhookEvent",
  "onWebhookEvent",
  "sendPush",
  // These are for the expressions of computed columns.
  "round",
  "date",
  "ActionError",
  "RecordError",
  "TransitionLostError",
  // `z` is Zod's own: existing projects import it beside the helpers.
  "z",
];

/** Every type. An author may import one without the word `type`. */
export const AUTHORING_TYPES: readonly string[] = [
  "AccessDefinition",
  "ActionContext",
  "ActionDefinition",
  "ActionExecutor",
  "ActionParameters",
  "AuthHooks",
  "ColumnBuilder",
  "ColumnReference",
  "Columns",
  "ComputedRow",
  "ConditionDefinition",
  "ConfigDefinition",
  "FeatureDefinition",
  "FileValue",
  "FirewallDefinition",
  "HandlerDatabase",
  "HandlerFiles",
  "JobContext",
  "JobDefinition",
  "JobParameters",
  "JobQueue",
  "OnDelete",
  "PrincipalVerifier",
  "PushOptions",
  "RealtimeDefinition",
  "RecordHooks",
  "Records",
  "Register",
  "ResourceDefinition",
  "ScheduleDefinition",
  "ScopedDatabase",
  "ScopeToken",
  "SeedDefinition",
  "ServiceDefinition",
  "SignalDefinition",
  "SignalPayload",
  "Table",
  "TransitionDefinition",
  "UnsafeDatabase",
  "VerifiedPrincipal",
  "VerifierParameters",
  "ViewDefinition",
  "WebhookEventContext",
  "WebhookProvider",
  "WebhookScope",
];

export const AUTHORING_SYMBOLS: readonly string[] = [...AUTHORING_VALUES, ...AUTHORING_TYPES];

/** Modules whose calls are read: the authoring module itself, drizzle's table notation, Zod schemas. */
const READ_MODULES: ReadonlySet<string> = new Set([
  "drizzle-orm",
  "drizzle-orm/sqlite-core",
  "zod",
]);

/** Returns the module's name in a `call` value; null for a package whose calls cannot be read. */
export function readableModule(specifier: string): string | null {
  if (AUTHORING_MODULES.has(specifier)) return "quickback";
  return READ_MODULES.has(specifier) ? specifier : null;
}

/**
 * Returns the authoring module that a package's name probably misspells: the name is similar, and so are the imported names.
 */
export function suggestedModule(specifier: string, imported: string): string | null {
  if (readableModule(specifier) !== null || !AUTHORING_SYMBOLS.includes(imported)) return null;
  return nearest(specifier, AUTHORING_MODULES);
}

/** Calls that declare a table or a resource. Other files refer to them instead of copying them. */
const TABLE_CALLS: ReadonlySet<string> = new Set([
  "quickback:feature",
  "quickback:q.table",
  "quickback:defineTable",
  "drizzle-orm/sqlite-core:sqliteTable",
]);

export function isTableCall(module: string, callee: string): boolean {
  return TABLE_CALLS.has(`${module}:${callee}`);
}

/** Adapters of this platform for the ports of a generated API. */
export { clientIp, type ClientIpOptions } from "./client_ip.ts";
export { consoleLogger, type ConsoleLoggerOptions } from "./console_logger.ts";
export { DatabaseBusyError } from "./libsql/driver_errors.ts";
export { endOnFailedStart, startFailure } from "./failed_start.ts";
export { docsBrowser, type DocsBrowserKind } from "./docs_browser.ts";
export { folderStore } from "./files/folder_store.ts";
export { openFiles } from "./files/open_files.ts";
export { readForm } from "./files/read_form.ts";
export { memoryRateLimiter, type MemoryRateLimiterOptions } from "./memory_rate_limiter.ts";
export { logUncaught } from "./log_uncaught.ts";
export { openDatabase, type OpenDatabaseOptions } from "./open_database.ts";
export { exportFiles, readTenantCommand, TenantUsageError } from "./tenant_command.ts";
export { openTenantStore } from "./open_tenant_store.ts";
export { openDatabaseCopy } from "./open_database_copy.ts";
export { configuredEmbeddings, type EmbeddingsOptions, httpEmbeddings } from "./embeddings.ts";
export { detached } from "./detached.ts";
export { configuredPush, type PushSettings } from "./push.ts";
export { readVapidKeys, type VapidKeys, type VapidOptions } from "./push.ts";
export { webPushSealer } from "./push.ts";
export type { Variables } from "../../shared/lib/variables.ts";
export {
  type Environment,
  readEnvironment,
  readTenantPlace,
  startFacts,
  type TenantPlace,
} from "./read_environment.ts";
export { auditLines, AuditUsageError, readAuditCommand } from "./audit_command.ts";
export { readBaseline, readMigrateArguments, readMigrations } from "./read_migrations.ts";
export { nameRequestSpan } from "./request_spans.ts";
export { serve, type ServeOptions } from "./serve.ts";
export { openSharedState, type SharedState, type SharedStateOptions } from "./shared_state.ts";
export { configuredEmail, smtpEmailSender, type SmtpOptions } from "./smtp_email_sender.ts";
export { systemClock } from "./system.ts";
export { systemTimer } from "./system_timer.ts";
export { systemRandomness } from "./system.ts";
export { dohResolver, type DohResolverOptions, PUBLIC_RESOLVER } from "./webhooks/doh_resolver.ts";
export {
  type RunningWorker,
  runWorker,
  type RunWorkerOptions,
  type TickingWorker,
} from "./webhooks/run_worker.ts";
export {
  readRedelivery,
  redeliveryReport,
  type RedeliveryRequest,
} from "./webhooks/read_redelivery.ts";
export { watched } from "./watched.ts";
export { pinnedDialer, type PinnedDialerOptions } from "./webhooks/pinned_dialer.ts";

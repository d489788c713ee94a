/** Exports the runtime's public parts: everything that templates, hosts and tests import. */
export { type App, type AppOptions, createApp } from "./app.ts";
export { createAuthHooks } from "./auth_hooks.ts";
export { runAuditCommand } from "./data/changes/run_audit_command.ts";
export { recordBaseline } from "./data/baseline.ts";
export {
  applyMigrations,
  type Migration,
  migrationHash,
  recordedMigrations,
  replaceMigrations,
} from "./data/migrations.ts";
export { applyOwnMigrations } from "./data/own_database.ts";
export { requireServerClock } from "./data/server_clock.ts";
export type { ClientToken } from "./layers/1-authentication/client_token.ts";
export {
  createClientTokenMint,
  createTokenMint,
  type MintToken,
} from "./layers/1-authentication/token_mint.ts";
export { type PlantedRows, plantSeed, type Seed, type SeedSoil } from "./plant_seed.ts";
export type { AccountCredentials, Accounts, AddressedRequest, AddressedUse } from "./ports.ts";
export type { AuditCommand, AuditOutcome, AuthHookRefusal, AuthHooks } from "./ports.ts";
export type { AuthHookSubject, Baseline, BrokenLink, ByteRange, ChainVerdict } from "./ports.ts";
export type { ClaimOptions, ClientGrant, Clock, Connection } from "./ports.ts";
export { ConstraintError, type ConstraintKind, type CopyState } from "./ports.ts";
export type { CredentialVerdict, Database, DatabaseCopy } from "./ports.ts";
export { DatabaseUnavailableError, type DataStep, type DataStepCode } from "./ports.ts";
export type { DeadJob, DevPlaces, Dialer, DialOutcome, DialRequest, DocsBrowser } from "./ports.ts";
export type { EmailMessage, EmailSender, Embeddings } from "./ports.ts";
export { EmbeddingsUnavailableError, type EndOrganization, type EventListener } from "./ports.ts";
export type { ExportFiles, ExportPlace, Figures, FileAddresses, FilePorts } from "./ports.ts";
export { type FileStore, type FileWrite, type FollowedLink, FormError } from "./ports.ts";
export type { FormFile, Founding, GivenAddress, InlineImage, Lease, LentHit } from "./ports.ts";
export type { LogEntry, Logger, MailedLink, Metrics } from "./ports.ts";
export { MigrationError, type MigrationStep, type NewJob, type OutboxFigures } from "./ports.ts";
export { type PendingUpload, type Ports, type Positions, PUBLIC_FILES } from "./ports.ts";
export type { PublishedEvent, PubSub, PushSealer, PushTarget, Queue } from "./ports.ts";
export { QUEUE_NAMES, type QueueName, type Randomness, type RateLimiter } from "./ports.ts";
export type { Reader, RealtimePorts, RequestOrigin, Resolution, Resolver } from "./ports.ts";
export type { ResultSet, Revocation, RevocationFeed, RowQuota, SecretBox } from "./ports.ts";
export type { Secrets, SecurityEvent, SecurityLog, ServerSocket, Settings } from "./ports.ts";
export type { SignedIn, SqlValue, StandingAccounts, StandingCredentials } from "./ports.ts";
export { type Statement, StatementTimeoutError, type StorageBound } from "./ports.ts";
export { StorageFullError, StorageUnavailableError, StoredMisfitError } from "./ports.ts";
export type { StoredObject, TenantCommand, TenantDatabases } from "./ports.ts";
export { tenantOfKey, type TenantReport, type TenantStore, type Timer } from "./ports.ts";
export type { TokenWatch, Transaction, TransactionLine, UnaddressedFiles } from "./ports.ts";
export { type UnreferredFiles, type UnreferredPool, UnstorableTextError } from "./ports.ts";
export type { Upgraded, WebhookPorts, WorkingTenant, WriteOptions, WriteOutcome } from "./ports.ts";
export { openTenantDatabases } from "./data/tenants/tenant_databases.ts";
export { type ScratchTenants, scratchTenants } from "./data/tenants/scratch_tenants.ts";
export { runTenantCommand } from "./data/tenants/run_command.ts";
export { databaseQueue } from "./data/database_queue.ts";
export { emitEvent, type WebhookEvent } from "./authored/emit_event.ts";
export { redeliver, type RedeliveryCounts } from "./background/deliveries.ts";
export { createSecretBox } from "./webhooks/outbound/secret.ts";
export { rowQuotaOf } from "./row_quota.ts";
export { startEntry } from "./start_entry.ts";
export { type BackgroundWorker, createBackgroundWorker } from "./background/worker.ts";
export type { BackgroundOptions, BackgroundPorts } from "./background/work_place.ts";
export type { WebhookProvider } from "./webhooks/inbound/providers.ts";
export { memoryFiles, type MemoryFilesOptions } from "./memory_files.ts";
export { hasFiles } from "../model/files.ts";
export { filesWithAddresses } from "./file_addresses.ts";
export { memoryPubSub } from "./realtime/memory_pub_sub.ts";
export type { Trace } from "./context.ts";
export type { ProjectModel } from "../model/project.ts";

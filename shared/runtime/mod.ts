/** The face of the runtime: what templates, hosts and tests import. */
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
export * from "./ports.ts";
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

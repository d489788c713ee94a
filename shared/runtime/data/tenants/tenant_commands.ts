/**
 * An operator's commands on organizations' databases: migrate all, list, export, import, restore and delete one, and split a
 * shared database. Each can be repeated after an interruption.
 */
import { hasFiles, type Home, keepsHistory, type ProjectModel } from "../../../model/mod.ts";
import type {
  Clock,
  Database,
  EndOrganization,
  ExportPlace,
  FileStore,
  Migration,
  Randomness,
  TenantDatabases,
} from "../../ports.ts";
import { keepHead } from "../changes/change_chain.ts";
import { applyMigrations } from "../migrations.ts";
import { beginPurge, endPurge } from "../purges.ts";
import { insertAudit } from "../write_row.ts";
import { requireOwnRows } from "./foreign_rows.ts";
import * as copies from "./tenant_copy.ts";
import { copyObjects, type FileCount, removeObjects, uncollected } from "./tenant_objects.ts";
import * as rows from "./tenant_rows.ts";

export interface TenantAdminOptions {
  readonly project: ProjectModel;
  /** Of the accounts. */
  readonly endOrganization: EndOrganization;
  readonly directory: Database;
  readonly tenants: TenantDatabases;
  readonly migrations: readonly Migration[];
  readonly clock: Clock;
  readonly random: Randomness;
  /** The store of the files of records, for commands that copy or remove them. */
  readonly objects?: FileStore | null;
}

export interface ListedTenant extends rows.TenantRow {
  /** Tag of its newest migration; null: none. */
  readonly migration: string | null;
  readonly isCurrent: boolean;
}

/** The outcome for each organization of a run over many. */
export interface TenantOutcome {
  readonly organizationId: string;
  readonly database: string;
  readonly state: "done" | "already" | "failed";
  /** Why it failed; null: it did not. */
  readonly failure: string | null;
}

export interface TenantReceipt {
  readonly organizationId: string;
  readonly database: string;
  readonly tables: readonly copies.TableDigest[];
  /** Files that the rows refer to; absent: the project has none. */
  readonly files?: FileCount;
}

/** Organizations that are read at a time. */
const PAGE = 200;
/** Databases that are worked on at a time. */
const AT_ONCE = 4;

async function* allTenants(directory: Database): AsyncGenerator<rows.TenantRow, void, undefined> {
  for (let after = "";;) {
    const page = await rows.selectTenants(directory, { after, limit: PAGE });
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)?.organizationId ?? after;
  }
}

/** Returns every database in the directory in the order of organizations, deleted ones included. */
export async function listTenants(
  { directory, migrations }: Pick<TenantAdminOptions, "directory" | "migrations">,
): Promise<readonly ListedTenant[]> {
  const tags = new Map(migrations.map(({ tag, when }) => [when, tag]));
  const newest = migrations.at(-1)?.when ?? 0;
  const listed: ListedTenant[] = [];
  for await (const row of allTenants(directory)) {
    const migration = tags.get(row.migrated) ?? null;
    listed.push({ ...row, migration, isCurrent: row.migrated >= newest });
  }
  return listed;
}

/** Migrates all outdated databases, some at a time. A failure does not stop the others. */
export async function migrateTenants(
  options: TenantAdminOptions,
  progress: (done: number, all: number) => void,
): Promise<readonly TenantOutcome[]> {
  const listed = (await listTenants(options)).filter(({ status }) => status !== "deleted");
  const waiting = listed.filter(({ isCurrent, status }) => !isCurrent || status === "making");
  const failures = new Map<string, string>();
  const behind = waiting.values();
  let done = 0;
  const work = async () => {
    for (const { organizationId } of behind) {
      try {
        await options.tenants.found(organizationId);
      } catch (error) {
        failures.set(organizationId, failureText(error));
      }
      progress(done += 1, waiting.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return listed.map((tenant) => {
    const { organizationId, name: database } = tenant;
    const failure = failures.get(organizationId) ?? null;
    const state = failure !== null ? "failed" : waiting.includes(tenant) ? "done" : "already";
    return { organizationId, database, state, failure };
  });
}

/** The words of the cause, where the error only says that something cannot be used. */
function failureText(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}

/** Throws for an organization that has no database. */
export async function requireTenant(
  { directory }: Pick<TenantAdminOptions, "directory">,
  organizationId: string,
): Promise<rows.TenantRow> {
  const row = await rows.selectTenant(directory, organizationId);
  if (row === null) {
    throw new Error(`Organization '${organizationId}' has no database: tenant list shows those`);
  }
  if (row.status === "deleted") throw new Error(`Organization '${organizationId}' was deleted`);
  return row;
}

/** Null: the project has no files; throws where it has, and no store was opened. */
function storeOf({ project, objects = null }: TenantAdminOptions): FileStore | null {
  if (objects === null && hasFiles(project)) throw new Error("The store of files is not open");
  return hasFiles(project) ? objects : null;
}

/** Copies an organization's rows into an empty database file, with its files beside it. */
export async function exportTenant(
  options: TenantAdminOptions,
  organizationId: string,
  { database: target, objects }: ExportPlace,
): Promise<TenantReceipt> {
  const { project, tenants, migrations } = options;
  const store = storeOf(options);
  const row = await requireTenant(options, organizationId);
  // Without a database of its own, the directory would answer.
  if (row.status === "making") {
    throw new Error(`Organization '${organizationId}' has nothing to export yet`);
  }
  await applyMigrations(target, migrations, "copy");
  const tables = copies.tenantTables(project);
  const from = tenants.atWork(organizationId);
  const copyRows = () => copies.copyRows(from, target, { tables, of: null });
  const copied = store === null ? { tables: await copyRows() } : await uncollected(
    options,
    async (hold) => ({
      tables: await copyRows(),
      files: await copyObjects(store, objects, { project, organizationId, rows: target, hold }),
    }),
  );
  await target.write((transaction) => rows.insertTenant(transaction, row));
  return { organizationId, database: row.name, ...copied };
}

/** The organization that an export is of; throws for any other file. */
export async function exportedOrganization(source: Database): Promise<string> {
  // Before its migrations are applied: it may lack columns that are new.
  const sql = "SELECT organization_id FROM tenant_databases LIMIT 2";
  const { rows: [row, another] } = await source.run({ sql, args: [] }).catch(() => ({ rows: [] }));
  if (row && !another) return String(row[0]);
  throw new Error("The file is no export of an organization: tenant export makes them");
}

/** Makes the database of an organization that has none here from an export, whose migrations are applied first. */
export async function importTenant(
  options: TenantAdminOptions,
  source: ExportPlace,
): Promise<TenantReceipt> {
  const organizationId = await exportedOrganization(source.database);
  const known = await rows.selectTenant(options.directory, organizationId);
  if (known && known.status !== "making") {
    throw new Error(
      known.status === "deleted"
        ? `Organization '${organizationId}' was deleted here, for ever`
        : `Organization '${organizationId}' has a database already: restore replaces its rows`,
    );
  }
  return await replaceRows(options, organizationId, source);
}

/** Replaces the organization's rows by those of an export in one transaction, unnoticed by others. */
export async function restoreTenant(
  options: TenantAdminOptions,
  organizationId: string,
  source: ExportPlace,
): Promise<TenantReceipt> {
  await requireTenant(options, organizationId);
  const exported = await exportedOrganization(source.database);
  if (exported !== organizationId) {
    throw new Error(`The file is of organization '${exported}', not of '${organizationId}'`);
  }
  return await replaceRows(options, organizationId, source);
}

async function replaceRows(
  options: TenantAdminOptions,
  organizationId: string,
  { database: source, objects }: ExportPlace,
): Promise<TenantReceipt> {
  const { project, directory, tenants, migrations } = options;
  const store = storeOf(options);
  await applyMigrations(source, migrations, "tenant");
  const tables = copies.tenantTables(project);
  await requireOwnRows({ source, directory, tables, organizationId });
  const copyRows = async () => {
    await tenants.found(organizationId);
    const target = tenants.atWork(organizationId);
    return await copies.copyRows(source, target, { tables, of: null });
  };
  const copied = store === null ? { tables: await copyRows() } : await uncollected(
    options,
    async (hold) => {
      // Files first: without one of them nothing is made or replaced.
      const bearing = { project, organizationId, rows: source, hold };
      const files = await copyObjects(objects, store, bearing);
      return { tables: await copyRows(), files };
    },
  );
  await requeue(project, "tenant", tenants.of(organizationId, "never"));
  return { organizationId, database: await rows.tenantName(organizationId), ...copied };
}

/** Tells the directory that an organization's database may have work. */
export async function requeue(
  project: ProjectModel,
  home: Home,
  database: Database,
): Promise<void> {
  const statements = copies.requeued(project, home);
  if (statements.length === 0) return;
  await database.write((transaction) => transaction.runAll(statements));
}

/**
 * Deletes an organization: the tombstone and its accounts' facts in one transaction, then its files and its database. Returns a
 * receipt.
 */
export async function deleteTenant(
  options: TenantAdminOptions,
  organizationId: string,
): Promise<TenantReceipt> {
  const { project, directory, tenants, clock, random, endOrganization } = options;
  const store = storeOf(options);
  const { name, status } = await requireTenant(options, organizationId);
  const tables = copies.tenantTables(project);
  const held = tenants.atWork(organizationId);
  // Without a database of its own, the directory would answer.
  const found = status === "making" ? [] : await copies.digestsOf(held, tables, { of: null });
  const now = new Date(clock.now()).toISOString();
  const purge = { id: `pur_${random.bytes(16).toHex()}`, organizationId };
  await directory.write(async (transaction) => {
    await beginPurge(transaction, purge, { now, endOrganization });
    await rows.buryTenant(transaction, { organizationId, name, createdAt: now });
    if (keepsHistory(project)) await keepHead(transaction, held, organizationId);
    await insertAudit(transaction, {
      id: `aud_${random.bytes(16).toHex()}`,
      requestId: purge.id,
      actorUserId: null,
      actorOrgId: null,
      actionName: "deleteOrganization",
      resource: null,
      operation: "purge",
      targetScope: "organization",
      targetOrgId: organizationId,
      targetRecordId: purge.id,
      unsafeReason: "tenant delete",
      result: "success",
      errorCode: null,
      createdAt: now,
    });
  });
  if (store !== null) await removeObjects(store, organizationId);
  await tenants.remove(organizationId);
  await directory.write((transaction) => endPurge(transaction, purge.id, now));
  return { organizationId, database: name, tables: found };
}

/**
 * Splits a shared database that nobody writes meanwhile: each organization into a database of its own, then the rest into the
 * directory. Copied rows are skipped, and newer ones are not replaced.
 */
export async function splitShared(
  options: TenantAdminOptions,
  source: Database,
  progress: (done: number, all: number) => void,
): Promise<readonly TenantOutcome[]> {
  const { project, directory, tenants } = options;
  const tables = copies.directoryTables(project);
  const ids = await copies.organizationsIn(project, source);
  const staying = { from: source, to: directory, tables, of: JSON.stringify(ids) };
  const isCopied = await copies.isCopied({
    ...staying,
    tables: tables.filter(({ service }) => service?.onSplit !== "copyUnchecked"),
  });
  const outcomes: TenantOutcome[] = [];
  for (const [at, organizationId] of ids.entries()) {
    outcomes.push(await splitOne(options, source, organizationId));
    progress(at + 1, ids.length);
  }
  if (outcomes.some(({ state }) => state === "failed")) return outcomes;
  if (!isCopied) await copies.copyRows(source, directory, staying);
  for (const id of ids) await requeue(project, "tenant", tenants.of(id, "never"));
  await requeue(project, "directory", directory);
  return outcomes;
}

async function splitOne(
  { project, tenants }: TenantAdminOptions,
  source: Database,
  organizationId: string,
): Promise<TenantOutcome> {
  const told = { organizationId, database: await rows.tenantName(organizationId) };
  try {
    await tenants.found(organizationId);
    const to = tenants.atWork(organizationId);
    const leaving = { from: source, to, tables: copies.tenantTables(project), of: organizationId };
    if (await copies.isCopied(leaving)) return { ...told, state: "already", failure: null };
    await copies.copyRows(source, to, leaving);
    return { ...told, state: "done", failure: null };
  } catch (error) {
    return { ...told, state: "failed", failure: failureText(error) };
  }
}

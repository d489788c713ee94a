/**
 * The databases of organizations (definitions 2, `tenancy`). Each is made with the organization or its first write, migrated
 * before use, and listed in the directory. The firewall applies within each as well.
 */
import type {
  Clock,
  Database,
  Founding,
  Logger,
  Migration,
  Reader,
  Statement,
  TenantDatabases,
  TenantStore,
  Timer,
  Transaction,
} from "../../ports.ts";
import { OUTBOX_NAMES, type ProjectModel } from "../../../model/mod.ts";
import { madeVectorsOf } from "../../../surface/mod.ts";
import { DatabaseUnavailableError } from "../../ports.ts";
import { refuse } from "../../refusal.ts";
import { applyMigrations } from "../migrations.ts";
import { disableEndpointsOf } from "../webhooks/endpoints.ts";
import { TenantPool } from "./pool.ts";
import * as rows from "./tenant_rows.ts";

export interface TenantOptions {
  readonly project: Pick<ProjectModel, "tables">;
  /** Of accounts, and of what belongs to no organization. */
  readonly directory: Database;
  readonly store: TenantStore;
  readonly migrations: readonly Migration[];
  readonly clock: Clock;
  readonly logger: Logger;
  /** Absent: whoever waits for an opening waits as long as it takes. */
  readonly timer?: Timer;
  /** Databases that stay open. */
  readonly poolSize: number;
}

/** Milliseconds for which a mark of unfinished work stands for the commits that follow it. */
const MARK_MS = 20_000;
const RETRY_AFTER_S = 5;
/** Milliseconds for which an open database is taken to be where it was. */
export const LOOK_MS = 1000;

export function openTenantDatabases(options: TenantOptions): TenantDatabases {
  const { directory, store, logger, timer } = options;
  const pool = new TenantPool({
    size: options.poolSize,
    timer,
    onCloseFailed: (error) =>
      logger.log({ level: "error", message: "An organization's database did not close", error }),
  });
  const keeper = new Keeper(options);
  const marks = workMarks(options);
  const isWork = workTest(options.project);
  const isThere = (id: string) => keeper.isThere(id, pool);
  const reading = async <T>(id: string, body: (reader: Reader) => Promise<T>): Promise<T> =>
    await isThere(id) ? await pool.use(id, () => keeper.opened(id), body) : await body(directory);
  const databaseOf = (id: string, founding: Founding, isMarked: boolean): Database => ({
    run: (statement) => reading(id, (reader) => reader.run(statement)),
    runAll: (statements) => reading(id, (reader) => reader.runAll(statements)),
    async write(body, options) {
      if (!await isThere(id)) {
        if (founding === "never") return await directory.write(body, options);
        await keeper.requireFounding(id, founding);
      }
      return await pool.use(
        id,
        () => keeper.opened(id),
        (database) =>
          database.write((transaction) =>
            body(
              isMarked
                ? new MarkingTransaction(transaction, isWork, () => marks.set(id))
                : transaction,
            ), options),
      );
    },
    migrate: (statements) =>
      isMarked
        ? Promise.reject(new Error("An organization's database migrates itself"))
        : pool.use(id, () => keeper.opened(id), (database) => database.migrate(statements)),
    close: () => Promise.reject(new Error("An organization's database is closed by its pool")),
  });
  return {
    of: (id, founding) => databaseOf(id, founding, true),
    atWork: (id) => databaseOf(id, "never", false),
    found: (id) => pool.use(id, () => keeper.opened(id), () => Promise.resolve()),
    organizations: (after, limit) => rows.selectLiving(directory, { after, limit }),
    working: (after, limit) => rows.selectWorking(directory, { after, limit }),
    rest: (tenant) => marks.clear(tenant),
    async endEndpoints(id) {
      const row = await rows.selectTenant(directory, id);
      if (row === null || row.endpointsOver === null || row.status === "deleted") return;
      await databaseOf(id, "never", false).write((transaction) =>
        disableEndpointsOf(transaction, { kind: "organization", id })
      );
      // A process that ends before this finds them disabled already.
      await directory.write((transaction) => rows.clearEndpointsOver(transaction, row));
    },
    async remove(id) {
      const row = await rows.selectTenant(directory, id);
      if (row?.status !== "deleted") return;
      await pool.drop(id);
      await (await placed(store, row.place)).remove(row.name);
    },
    async close() {
      await pool.close();
      await store.close();
    },
  };
}

/** Marks of organizations with unfinished work. */
function workMarks({ directory, clock }: TenantOptions) {
  /** Times of the last marks of this process. */
  const marked = new Map<string, number>();
  return {
    async set(organizationId: string): Promise<void> {
      const now = clock.now();
      const last = marked.get(organizationId);
      if (last !== undefined && now >= last && now - last < MARK_MS) return;
      await directory.write((transaction) =>
        rows.markWork(transaction, { organizationId, since: now })
      );
      marked.set(organizationId, now);
    },
    async clear(tenant: Parameters<TenantDatabases["rest"]>[0]): Promise<void> {
      marked.delete(tenant.organizationId);
      await directory.write((transaction) => rows.clearWork(transaction, tenant));
    },
  };
}

/** The place in which a database stands; null: where new ones are made. */
export async function placed(store: TenantStore, place: string | null): Promise<TenantStore> {
  if (place === null) return store;
  if (!store.at) throw new Error(`There is no place '${place}' here: databases stand in one alone`);
  return await store.at(place);
}

function beingMoved(): DatabaseUnavailableError {
  return new DatabaseUnavailableError("An organization's database is being moved", 1);
}

/** Makes, opens and migrates single databases, and keeps their rows in the directory. */
class Keeper {
  /** Of those that are open: where they are, and when the directory said so, in milliseconds since the epoch. */
  readonly #seen = new Map<string, { readonly place: string | null; readonly at: number }>();

  constructor(readonly options: TenantOptions) {}

  /** False: it has no database, or one without rows. An open one that was moved is closed. */
  async isThere(organizationId: string, pool: TenantPool): Promise<boolean> {
    const isOpen = pool.has(organizationId);
    const { directory, clock } = this.options;
    const seen = this.#seen.get(organizationId);
    const now = clock.now();
    if (isOpen && seen && now >= seen.at && now - seen.at < LOOK_MS) return true;
    const row = await rows.selectTenant(directory, organizationId);
    if (isOpen && (row?.status !== "ready" || (seen && row.place !== seen.place))) {
      pool.retire(organizationId);
    }
    if (row?.status === "ready") this.#seen.set(organizationId, { place: row.place, at: now });
    else this.#seen.delete(organizationId);
    if (row?.status === "deleted") refuse("FIREWALL_ORG_ISOLATION");
    if (row?.status === "moving") throw beingMoved();
    return row !== null && row.status !== "making";
  }

  async requireFounding(organizationId: string, founding: Founding): Promise<void> {
    if (founding === "claimed") return;
    if (!await rows.isOrganization(this.options.directory, organizationId)) {
      refuse("FIREWALL_ORG_ISOLATION");
    }
  }

  /** Open, migrated and known to the directory. */
  async opened(organizationId: string): Promise<Database> {
    const { directory, store, logger } = this.options;
    const row = await rows.selectTenant(directory, organizationId) ??
      await this.#begun(organizationId);
    if (row.status === "deleted") refuse("FIREWALL_ORG_ISOLATION");
    if (row.status === "moving") throw beingMoved();
    const at = await placed(store, row.place);
    this.#seen.set(organizationId, { place: row.place, at: this.options.clock.now() });
    const database = row.status === "making" ? await at.make(row.name) : await this.#found(row, at);
    try {
      await this.#migrate(database, row);
      return database;
    } catch (error) {
      await database.close();
      const message = "An organization's database cannot be used: its migration failed";
      logger.log({ level: "error", message, error, fields: { database: row.name } });
      throw new DatabaseUnavailableError(message, RETRY_AFTER_S, { cause: error });
    }
  }

  /** Opens an existing database. The directory knows that there was one, so none is made. */
  async #found({ name }: rows.TenantRow, store: TenantStore): Promise<Database> {
    try {
      return await store.open(name);
    } catch (error) {
      const message = "An organization's database cannot be opened";
      this.options.logger.log({ level: "error", message, error, fields: { database: name } });
      throw error instanceof DatabaseUnavailableError
        ? error
        : new DatabaseUnavailableError(message, RETRY_AFTER_S, { cause: error });
    }
  }

  /** Names it in the directory before it is made, so that another process can continue after a crash. */
  async #begun(organizationId: string): Promise<rows.TenantRow> {
    const { directory, store, clock } = this.options;
    const name = await rows.tenantName(organizationId);
    if (await store.has(name) && await rows.selectTenant(directory, organizationId) === null) {
      throw new DatabaseUnavailableError(
        `The database "${name}" is there, and the directory does not know it: import it, or move it away`,
        RETRY_AFTER_S,
      );
    }
    const createdAt = new Date(clock.now()).toISOString();
    await directory.write((transaction) =>
      rows.insertTenant(transaction, { organizationId, name, createdAt })
    );
    const row = await rows.selectTenant(directory, organizationId);
    if (row === null) throw new Error("The directory did not keep the name of a database");
    return row;
  }

  async #migrate(database: Database, { organizationId, status, migrated }: rows.TenantRow) {
    const { directory, migrations } = this.options;
    const newest = migrations.at(-1)?.when ?? 0;
    if (status !== "making" && migrated >= newest) return;
    const keep = (reached: number, failure: string | null) =>
      directory.write((transaction) =>
        rows.markMigrated(transaction, { organizationId, migrated: reached, failure })
      );
    try {
      await applyMigrations(database, migrations, "tenant");
    } catch (error) {
      await keep(0, error instanceof Error ? error.message : String(error));
      throw error;
    }
    await keep(newest, null);
  }
}

/** True for a statement that may create work: it changes an outbox, or rows whose vectors the embeddings service makes. */
function workTest(project: TenantOptions["project"]): (statement: Statement) => boolean {
  const tables = [...OUTBOX_NAMES, ...madeVectorsOf(project).map(({ table }) => table.sqlName)];
  const pattern = new RegExp(`^\\s*(?!select\\b)[^]*\\b(?:${tables.join("|")})\\b`, "i");
  return ({ sql }) => pattern.test(sql);
}

/**
 * A transaction of an organization's database. Before it creates work it marks the directory, so that a restarted process finds
 * the work. Statements run step by step, so that the mark precedes the commit.
 */
class MarkingTransaction implements Transaction {
  readonly writable = true;

  constructor(
    readonly inner: Transaction,
    readonly isWork: (statement: Statement) => boolean,
    readonly mark: () => Promise<void>,
  ) {}

  async run(statement: Statement) {
    if (this.isWork(statement)) await this.mark();
    return await this.inner.run(statement);
  }

  async runAll(statements: readonly Statement[]) {
    if (statements.some(this.isWork)) await this.mark();
    return await this.inner.runAll(statements);
  }
}

/**
 * Temporary databases of organizations that a tool makes beside a live API and removes without a trace. Each has the
 * directory's schema (definitions 2, `tenancy`).
 */
import { sqlIdentifier } from "../../../lib/sql_text.ts";
import type { Clock, Database, Reader, Statement, TenantStore } from "../../ports.ts";
import { fragment } from "../sql.ts";
import { insertTenant, markMigrated, selectTenant, tenantName } from "./tenant_rows.ts";

interface ScratchPorts {
  readonly directory: Database;
  readonly store: TenantStore;
  readonly clock: Clock;
}

export interface ScratchTenants {
  /** Is made with its first write; throws for an organization that has a database which this did not make. */
  of(organizationId: string): Pick<Database, "run" | "write">;
  /** Removes the databases of these organizations, whoever made them. */
  end(organizationIds: readonly string[]): Promise<void>;
}

export function scratchTenants(ports: ScratchPorts): ScratchTenants {
  const made = new Map<string, Promise<Database>>();
  const opened = (id: string): Promise<Database> => {
    const known = made.get(id) ?? make(id, ports);
    made.set(id, known);
    return known;
  };
  return {
    of: (id) => ({
      run: async (statement) => await (await opened(id)).run(statement),
      write: async (body) => await (await opened(id)).write(body),
    }),
    async end(ids) {
      for (const id of ids) {
        const database = made.get(id);
        made.delete(id);
        await (await database)?.close();
        await ports.directory.write((transaction) =>
          transaction.run(fragment("DELETE FROM tenant_databases WHERE organization_id = ?", id))
        );
        await ports.store.remove(await tenantName(id));
      }
    },
  };
}

async function make(
  organizationId: string,
  { directory, store, clock }: ScratchPorts,
): Promise<Database> {
  if (await selectTenant(directory, organizationId) !== null) {
    throw new Error(`Organization '${organizationId}' has a database already`);
  }
  const name = await tenantName(organizationId);
  const createdAt = new Date(clock.now()).toISOString();
  await directory.write((transaction) =>
    insertTenant(transaction, { organizationId, name, createdAt })
  );
  const database = await store.make(name);
  await database.migrate(await schemaStatements(directory));
  const { rows: [newest] } = await directory.run({
    sql: `SELECT max(created_at) FROM ${JOURNAL}`,
    args: [],
  });
  await directory.write((transaction) =>
    markMigrated(transaction, { organizationId, migrated: Number(newest?.[0]), failure: null })
  );
  return database;
}

const JOURNAL = sqlIdentifier("__drizzle_migrations");

/** Returns SQL that makes the same tables and records the same migrations. A virtual table makes its shadow tables itself. */
async function schemaStatements(directory: Reader): Promise<readonly Statement[]> {
  const { rows } = await directory.run({
    sql: `SELECT one.sql FROM sqlite_master AS one
      LEFT JOIN pragma_table_list AS known ON known.schema = 'main' AND known.name = one.name
      WHERE one.sql IS NOT NULL AND one.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        AND coalesce(known.type, '') <> 'shadow'
      ORDER BY one.type <> 'table', one.rowid`,
    args: [],
  });
  const journal = await directory.run({ sql: `SELECT hash, created_at FROM ${JOURNAL}`, args: [] });
  return [
    ...rows.map(([sql]) => ({ sql: String(sql), args: [] })),
    ...journal.rows.map((args) => ({
      sql: `INSERT INTO ${JOURNAL} (hash, created_at) VALUES (?, ?)`,
      args,
    })),
  ];
}

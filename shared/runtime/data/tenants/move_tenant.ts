/**
 * Moves the database of one organization between folders and servers while all others work. The organization is not used
 * meanwhile, the old database refuses writes, and nobody is sent to the new one before it has all that was read.
 */
import { sqlIdentifier } from "../../../lib/sql_text.ts";
import type { Database, Statement, TenantStore, Timer } from "../../ports.ts";
import { applyMigrations } from "../migrations.ts";
import {
  requeue,
  requireTenant,
  type TenantAdminOptions,
  type TenantReceipt,
} from "./tenant_commands.ts";
import { type CopiedTable, copyRows, digestsOf, tenantTables } from "./tenant_copy.ts";
import { LOOK_MS, placed } from "./tenant_databases.ts";
import * as rows from "./tenant_rows.ts";

export interface MoveOptions extends TenantAdminOptions {
  readonly store: TenantStore;
  readonly timer: Timer;
}

/**
 * Moves, and returns the result. `to` is the URL of a folder or server; null: the default place. An interrupted move continues
 * when it is repeated. A move to the present place cancels it.
 */
export async function moveTenant(
  options: MoveOptions,
  organizationId: string,
  to: string | null,
): Promise<TenantReceipt> {
  const { project, directory, store } = options;
  const row = await requireTenant(options, organizationId);
  const { name, place, status } = row;
  const where = to ?? "where new ones are made";
  if (status === "making") {
    throw new Error(`Organization '${organizationId}' has nothing to move yet`);
  }
  if (status === "ready" && place === to) {
    throw new Error(`The database of '${organizationId}' stands there already: ${where}`);
  }
  const [from, target] = [await placed(store, place), await placed(store, to)];
  if (status === "ready" && await target.has(name)) {
    throw new Error(`There is a database '${name}' already, ${where}: move it away first`);
  }
  const tables = tenantTables(project);
  const source = await from.open(name);
  try {
    if (place === to) {
      await source.migrate(opened(tables));
      await settled(options, organizationId, to);
      const found = await digestsOf(source, tables, { of: null });
      return { organizationId, database: name, tables: found };
    }
    await directory.write((transaction) => rows.markMoving(transaction, organizationId));
    // Every process has looked by then.
    await new Promise<void>((resolve) => void options.timer.after(2 * LOOK_MS, resolve));
    const found = await copied(options, source, await target.make(name), tables)
      .catch(async (error) => {
        await source.migrate(opened(tables));
        await target.remove(name);
        await settled(options, organizationId, place);
        throw error;
      });
    await settled(options, organizationId, to);
    return { organizationId, database: name, tables: found };
  } finally {
    await source.close();
    const now = await rows.selectTenant(directory, organizationId);
    if (now?.status === "ready" && now.place === to && place !== to) await from.remove(name);
  }
}

async function copied(
  { project, migrations }: MoveOptions,
  source: Database,
  target: Database,
  tables: readonly CopiedTable[],
) {
  try {
    await source.migrate(closed(tables));
    await applyMigrations(target, migrations, "copy");
    const found = await copyRows(source, target, { tables, of: null });
    await requeue(project, "tenant", target);
    return found;
  } finally {
    await target.close();
  }
}

function settled(
  { directory, clock }: MoveOptions,
  organizationId: string,
  place: string | null,
): Promise<void> {
  const since = clock.now();
  return directory.write((transaction) =>
    rows.settleMove(transaction, { organizationId, place, since })
  );
}

const CHANGES = ["INSERT", "UPDATE", "DELETE"];

/** Makes the old database refuse writes of processes that opened it before, which the copy would miss. */
function closed(tables: readonly CopiedTable[]): readonly Statement[] {
  return guards(tables).map(({ guard, change, table }) => ({
    sql: `CREATE TRIGGER IF NOT EXISTS ${guard} BEFORE ${change} ON ${table}
      BEGIN SELECT RAISE(ABORT, 'The database of this organization was moved'); END`,
    args: [],
  }));
}

function opened(tables: readonly CopiedTable[]): readonly Statement[] {
  return guards(tables).map(({ guard }) => ({ sql: `DROP TRIGGER IF EXISTS ${guard}`, args: [] }));
}

function guards(tables: readonly CopiedTable[]) {
  return tables.flatMap(({ name }) =>
    CHANGES.map((change) => ({
      guard: sqlIdentifier(`quickback_moved_${name}_${change.toLowerCase()}`),
      change,
      table: sqlIdentifier(name),
    }))
  );
}

/** Checks that an export belongs to the organization it claims, before anything is written (definitions 8). */
import { sqlIdentifier } from "../../../lib/sql_text.ts";
import type { Reader, SqlValue } from "../../ports.ts";
import type { CopiedTable } from "./tenant_copy.ts";

interface Holding {
  /** The export, with the newest migrations. */
  readonly source: Reader;
  readonly directory: Reader;
  /** Those of an organization's database. */
  readonly tables: readonly CopiedTable[];
  readonly organizationId: string;
}

/**
 * Throws for the first table with a row of another scope. The directory has teams and push subscriptions: one that belongs to
 * another organization is refused, and an unknown one reaches nobody.
 */
export async function requireOwnRows(holding: Holding): Promise<void> {
  for (const table of holding.tables) {
    const foreign = await foreignKeyOf(table, holding);
    if (foreign === null) continue;
    throw new Error(
      `Row '${foreign}' of table "${table.name}" is not of organization ` +
        `'${holding.organizationId}': nothing was imported; take a file that tenant export made`,
    );
  }
}

/** Returns the key of a row of another scope; null: there is none. */
async function foreignKeyOf(table: CopiedTable, holding: Holding): Promise<SqlValue> {
  const { source, organizationId } = holding;
  if (table.team !== null) {
    const teams = await valuesOf(source, table, table.team);
    const sql = `SELECT "id" FROM "auth_team" WHERE "organization_id" <> ? AND "id" IN ${LISTED}`;
    return await keyWith(table, table.team, await foreignOf(holding, sql, teams), source);
  }
  const owner = table.service?.ownedBy;
  if (owner?.kind === "record") {
    const column = sqlIdentifier(owner.column);
    const subscriptions = await valuesOf(source, table, column);
    const sql = `SELECT "id" FROM "push_subscriptions" WHERE "owner_id" NOT IN
      (SELECT "user_id" FROM "auth_member" WHERE "organization_id" = ?) AND "id" IN ${LISTED}`;
    return await keyWith(table, column, await foreignOf(holding, sql, subscriptions), source);
  }
  const unscoped = owner?.kind === "named" && owner.orNobody
    ? ` AND ${sqlIdentifier(owner.column)} IS NOT NULL`
    : "";
  const places = Array.from(table.condition.matchAll(/\?/g), () => organizationId);
  const where = `NOT coalesce((${table.condition}), 0)${unscoped}`;
  return await firstKey(source, table, { where, args: places });
}

const LISTED = "(SELECT value FROM json_each(?))";

async function valuesOf(source: Reader, { name }: CopiedTable, column: string) {
  const sql = `SELECT DISTINCT ${column} FROM ${sqlIdentifier(name)}`;
  return (await source.run({ sql, args: [] })).rows.map(([value]) => value ?? null);
}

async function foreignOf(
  { directory, organizationId }: Holding,
  sql: string,
  values: readonly SqlValue[],
): Promise<readonly SqlValue[]> {
  const { rows } = await directory.run({ sql, args: [organizationId, JSON.stringify(values)] });
  return rows.map(([value]) => value ?? null);
}

async function keyWith(
  table: CopiedTable,
  column: string,
  foreign: readonly SqlValue[],
  source: Reader,
): Promise<SqlValue> {
  const where = `${column} IS NULL OR ${column} IN ${LISTED}`;
  return await firstKey(source, table, { where, args: [JSON.stringify(foreign)] });
}

async function firstKey(
  source: Reader,
  { name, key }: CopiedTable,
  { where, args }: { readonly where: string; readonly args: readonly SqlValue[] },
): Promise<SqlValue> {
  const sql = `SELECT ${sqlIdentifier(key)} FROM ${sqlIdentifier(name)} WHERE ${where} LIMIT 1`;
  const { rows: [row] } = await source.run({ sql, args });
  return row?.[0] ?? null;
}

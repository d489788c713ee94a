/** Prevents a project from migrating the database of another one (definitions 8). */
import type { Home } from "../../model/mod.ts";
import type { Database, Migration } from "../ports.ts";
import { applyMigrations, keepJournal } from "./migrations.ts";
import { fragment } from "./sql.ts";

const TABLE = `"__drizzle_migrations"`;

/**
 * Applies pending migrations and returns their tags. Throws for the database of another project: with another name, or another
 * first migration. A database without a recorded project, migrated by an earlier version, belongs to the first that comes. A
 * name of null means that the caller does not know it.
 */
export async function applyOwnMigrations(
  database: Database,
  { name }: { readonly name: string | null },
  { migrations, home, isTakenOver = false }: {
    readonly migrations: readonly Migration[];
    readonly home: Home | null;
    /** True when the database belongs to the project under an earlier name. */
    readonly isTakenOver?: boolean;
  },
): Promise<readonly string[]> {
  await keepJournal(database);
  await keepOwner(database);
  const [first] = migrations;
  const { rows: [found] } = await database.run(fragment(
    `SELECT count(*), sum(created_at = ?), max(project), sum(project IS NOT ?) FROM ${TABLE}`,
    first?.when ?? 0,
    name,
  ));
  const [all, ofFirst, owner] = [Number(found?.[0]), Number(found?.[1]), found?.[2] ?? null];
  if (name !== null && typeof owner === "string" && owner !== name && !isTakenOver) {
    throw new Error(
      `Cannot migrate: the database belongs to project '${owner}', and this is '${name}': name the right one in DATABASE_URL; ` +
        "if the project was renamed, say so once: deno task migrate --renamed",
    );
  }
  if (all > 0 && first && ofFirst === 0) {
    throw new Error(
      `Cannot migrate: the database is another project's: it has migrations, and not '${first.tag}'; name the right one in DATABASE_URL`,
    );
  }
  const applied = await applyMigrations(database, migrations, home);
  if (name !== null && (applied.length > 0 || Number(found?.[3]) > 0)) {
    await database.write((transaction) =>
      transaction.run(
        fragment(`UPDATE ${TABLE} SET project = ? WHERE project IS NOT ?`, name, name),
      )
    );
  }
  return applied;
}

/** Adds a column that drizzle's migrator ignores. */
async function keepOwner(database: Database): Promise<void> {
  const isThere = async () => {
    const sql = `SELECT 1 FROM pragma_table_info('__drizzle_migrations') WHERE name = 'project'`;
    return (await database.run({ sql, args: [] })).rows.length > 0;
  };
  if (await isThere()) return;
  try {
    await database.migrate([{ sql: `ALTER TABLE ${TABLE} ADD COLUMN project text`, args: [] }]);
  } catch (error) {
    // Another process added it first.
    if (!await isThere()) throw error;
  }
}

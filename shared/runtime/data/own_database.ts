/** Keeps a project away from the database of another one, which it would migrate into a mixture of both (definitions 8). */
import type { Home } from "../../model/mod.ts";
import type { Database, Migration } from "../ports.ts";
import { applyMigrations, keepJournal } from "./migrations.ts";
import { fragment } from "./sql.ts";

const TABLE = `"__drizzle_migrations"`;

interface OwnMigrations {
  readonly migrations: readonly Migration[];
  readonly home: Home | null;
  /** The database is another project's by its name, and this one takes it over: it was renamed. */
  readonly isTakenOver?: boolean;
}

/**
 * Applies what is pending and returns its tags. Throws for the database of another project: of another name, or with another
 * first migration. One that tells of no project, because an earlier version migrated it, is the first one's that comes. A name of
 * null: whoever asks does not know it.
 */
export async function applyOwnMigrations(
  database: Database,
  { name }: { readonly name: string | null },
  { migrations, home, isTakenOver = false }: OwnMigrations,
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

/** A column that drizzle's own migrator does not know, and leaves alone. */
async function keepOwner(database: Database): Promise<void> {
  const isThere = async () => {
    const sql = `SELECT 1 FROM pragma_table_info('__drizzle_migrations') WHERE name = 'project'`;
    return (await database.run({ sql, args: [] })).rows.length > 0;
  };
  if (await isThere()) return;
  try {
    await database.migrate([{ sql: `ALTER TABLE ${TABLE} ADD COLUMN project text`, args: [] }]);
  } catch (error) {
    // Another process was faster.
    if (!await isThere()) throw error;
  }
}

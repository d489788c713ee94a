/** Applies a project's SQL migrations in order, each whole or not at all, each once (definitions 7, "files of an output"). */
import type { Database, Migration, Statement } from "../ports.ts";
import { migrationFailure } from "./migration_failure.ts";

export type { Migration };

const BREAKPOINT = "--> statement-breakpoint";
/** Table of applied migrations, as drizzle's own migrator keeps it, so that either can take over from the other. */
const TABLE = "__drizzle_migrations";

/** Applies what is pending and returns its tags. Safe when several processes start at once. */
export async function applyMigrations(
  database: Database,
  migrations: readonly Migration[],
): Promise<readonly string[]> {
  requireAscending(migrations);
  await prepareJournal(database);
  const applied: string[] = [];
  for (const migration of migrations) {
    if (await isApplied(database, migration)) continue;
    if (await apply(database, migration)) applied.push(migration.tag);
  }
  return applied;
}

function requireAscending(migrations: readonly Migration[]): void {
  for (const [at, migration] of migrations.entries()) {
    const before = migrations[at - 1];
    if (before && before.when >= migration.when) {
      throw new Error(
        `Migration '${migration.tag}' is not later than '${before.tag}': the journal must count up`,
      );
    }
  }
}

async function prepareJournal(database: Database): Promise<void> {
  await database.write((transaction) =>
    transaction.runAll([
      {
        sql:
          `CREATE TABLE IF NOT EXISTS "${TABLE}" (id INTEGER PRIMARY KEY AUTOINCREMENT, hash text NOT NULL, created_at numeric)`,
        args: [],
      },
      // Two processes that apply the same migration: the second one's record, and with it all it did, is refused.
      {
        sql: `CREATE UNIQUE INDEX IF NOT EXISTS "${TABLE}_created_at" ON "${TABLE}" (created_at)`,
        args: [],
      },
    ])
  );
}

/** Two branches may each have made a migration of this number: what was applied is the other one, and skipping this one would lose it. */
async function isApplied(database: Database, { tag, when, sql }: Migration): Promise<boolean> {
  const { rows } = await database.run({
    sql: `SELECT hash FROM "${TABLE}" WHERE created_at = ?`,
    args: [when],
  });
  const [applied] = rows;
  if (applied === undefined) return false;
  if (applied[0] === await sha256(sql) || applied[0] === await sha256(withUnixBreaks(sql))) {
    return true;
  }
  throw new Error(
    `Migration '${tag}' is not the one that this database has in its place: two branches numbered theirs alike, ` +
      "or the file was edited after it was applied; bring back the applied file, or start from a copy of the database made before it",
  );
}

/** Version control may write a file with other line breaks than it was made with. */
function withUnixBreaks(sql: string): string {
  return sql.replaceAll("\r\n", "\n");
}

/** False when another process was faster. */
async function apply(database: Database, migration: Migration): Promise<boolean> {
  const record: Statement = {
    sql: `INSERT INTO "${TABLE}" (hash, created_at) VALUES (?, ?)`,
    args: [await sha256(withUnixBreaks(migration.sql)), migration.when],
  };
  const statements = statementsOf(migration.sql).map((sql): Statement => ({ sql, args: [] }));
  try {
    await database.migrate([record, ...statements]);
    return true;
  } catch (error) {
    if (await isApplied(database, migration)) return false;
    throw migrationFailure(migration, error);
  }
}

function statementsOf(sql: string): readonly string[] {
  return sql.split(BREAKPOINT).map((part) => part.trim()).filter((part) => part !== "");
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

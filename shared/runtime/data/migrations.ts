/** Applies a project's migrations in order, each completely or not at all, and once (definitions 7, "files of an output"). */
import { sha256Hex } from "../../lib/bytes.ts";
import type { Home } from "../../model/mod.ts";
import type { Database, Migration, MigrationStep, Reader, Statement } from "../ports.ts";
import { ConstraintError, MigrationError } from "../ports.ts";
import { runDataStep } from "./data_step.ts";
import { checkRows, rowChecksOf } from "./row_checks.ts";
import { jsonList } from "./sql.ts";

export type { Migration };

const BREAKPOINT = "--> statement-breakpoint";
/** Table of applied migrations in the format of drizzle's migrator, so that each can take over from the other. */
const TABLE = "__drizzle_migrations";

/**
 * Applies pending migrations and returns their tags. Several processes may do so at once. Data steps run in the transaction of
 * their migration. `home` is what the database contains; null: all rows, "copy": rows from elsewhere, on which the steps have
 * already run.
 */
export async function applyMigrations(
  database: Database,
  migrations: readonly Migration[],
  home: Home | "copy" | null = null,
): Promise<readonly string[]> {
  for (const [at, migration] of migrations.entries()) {
    const before = migrations[at - 1];
    if (before && before.when >= migration.when) {
      throw new MigrationError(
        `Migration '${migration.tag}' is not later than '${before.tag}': the journal must count up`,
      );
    }
  }
  await keepJournal(database);
  await requireKnownSteps(database, migrations);
  const applied: string[] = [];
  for (let at = 0; at < migrations.length;) {
    // A migration is followed by its steps.
    const next = migrations.findIndex((one, place) => place > at && !one.step);
    const end = next < 0 ? migrations.length : next;
    const pending: Migration[] = [];
    for (const one of migrations.slice(at, end)) {
      if (!await isApplied(database, one)) pending.push(one);
    }
    const [first] = pending;
    const later = migrations[end];
    if (first?.step && later && await isApplied(database, later)) {
      throw new MigrationError(
        `Data step '${first.tag}' runs before migration '${later.tag}', which this database has already: ` +
          "put its change into a step that follows the newest migration",
      );
    }
    if (first && await apply(database, pending, home)) {
      applied.push(...pending.map(({ tag }) => tag));
    }
    at = end;
  }
  return applied;
}

/** Generated migrations have times in whole seconds. Steps have times in between. */
const WHEN_STEP = 1000;

/** Refuses an applied step that the project no longer has, because nothing else records what it did. */
async function requireKnownSteps(
  reader: Reader,
  migrations: readonly Migration[],
): Promise<void> {
  const listed = jsonList(migrations.map(({ when }) => when));
  const { rows: [row] } = await reader.run({
    sql: `SELECT created_at FROM "${TABLE}" WHERE created_at % ${WHEN_STEP} <> 0
      AND created_at NOT IN (SELECT value FROM json_each(?1))
      AND created_at - created_at % ${WHEN_STEP} IN (SELECT value FROM json_each(?1)) LIMIT 1`,
    args: [listed],
  });
  if (row === undefined) return;
  const when = Number(row[0]);
  const followed = migrations.find((one) => one.when === when - when % WHEN_STEP);
  throw new MigrationError(
    `A data step that follows migration '${followed?.tag}' was applied to this database and is not in this output: ` +
      "bring its file back to quickback/migrations/ and compile again",
  );
}

/** Creates the table of applied migrations if it is missing. */
export async function keepJournal(database: Database): Promise<void> {
  await database.write((transaction) =>
    transaction.runAll([
      {
        sql:
          `CREATE TABLE IF NOT EXISTS "${TABLE}" (id INTEGER PRIMARY KEY AUTOINCREMENT, hash text NOT NULL, created_at numeric)`,
        args: [],
      },
      // If two processes apply the same migration, the second one's record is refused, and all of it is rolled back.
      {
        sql: `CREATE UNIQUE INDEX IF NOT EXISTS "${TABLE}_created_at" ON "${TABLE}" (created_at)`,
        args: [],
      },
    ])
  );
}

/** Returns the number of pending migrations. */
export async function pendingMigrations(
  reader: Reader,
  migrations: readonly Migration[],
): Promise<number> {
  const times = jsonList(migrations.map(({ when }) => when));
  const sql =
    `SELECT count(*) FROM "${TABLE}" WHERE created_at IN (SELECT value FROM json_each(?))`;
  const { rows } = await reader.run({ sql, args: [times] });
  return migrations.length - Number(rows[0]?.[0]);
}

/**
 * True when the migration is applied. Throws if another one of this number is, because two branches may each have made one, and
 * skipping it would lose changes.
 */
export async function isApplied(
  database: Database,
  { tag, when, sql }: Migration,
): Promise<boolean> {
  const { rows } = await database.run({
    sql: `SELECT hash FROM "${TABLE}" WHERE created_at = ?`,
    args: [when],
  });
  const [applied] = rows;
  if (applied === undefined) return false;
  if (applied[0] === await sha256Hex(sql) || applied[0] === await sha256Hex(withUnixBreaks(sql))) {
    return true;
  }
  throw new MigrationError(
    `Migration '${tag}' is not the one that this database has in its place: it is another project's database, two branches numbered theirs alike, ` +
      "or the file was edited after it was applied; name the right database, bring back the applied file, or start from a copy of the database made before it",
  );
}

/** Normalizes line breaks, which version control may change. */
function withUnixBreaks(sql: string): string {
  return sql.replaceAll("\r\n", "\n");
}

/** Returns the statement that records a migration as applied. */
export async function recordOf(migration: Migration): Promise<Statement> {
  return {
    sql: `INSERT INTO "${TABLE}" (hash, created_at) VALUES (?, ?)`,
    args: [await migrationHash(migration), migration.when],
  };
}

/** Applies a migration, its steps, or both, in one transaction. Returns false if another process was faster. */
async function apply(
  database: Database,
  pending: readonly Migration[],
  home: Home | "copy" | null,
): Promise<boolean> {
  const before = pending.filter(({ step }) => step?.isBefore);
  const steps = await Promise.all(
    [...before, ...pending.filter((one) => !before.includes(one))].map(async (
      one,
    ) => [await recordOf(one), ...await workOf(one, home)]),
  );
  try {
    await database.migrate(steps.flat());
    return true;
  } catch (error) {
    const [first] = pending;
    if (first && await isApplied(database, first)) return false;
    throw migrationFailure(pending, error);
  }
}

/**
 * Replaces a development database's history by another that leads to the project's schema: runs the SQL and rewrites the
 * records. Throws `MigrationError` without having changed anything.
 */
export async function replaceMigrations(
  database: Database,
  { sql, before, records, home }: {
    /** SQL from the database's schema to that of the migrations; null: they are equal. */
    readonly sql: string | null;
    /** Data steps that run before the SQL. */
    readonly before: readonly Migration[];
    /** All migrations that count as applied afterwards, in order. */
    readonly records: readonly Migration[];
    readonly home: Home | null;
  },
): Promise<void> {
  await keepJournal(database);
  const newest = records.findLast(({ step }) => !step);
  const following = sql === null || newest === undefined ? [] : [{ ...newest, sql }];
  const pending = [...before, ...following];
  const work = await Promise.all(pending.map((one) => workOf(one, home)));
  const forgotten: Statement = { sql: `DELETE FROM "${TABLE}"`, args: [] };
  const recorded = await Promise.all(records.map(recordOf));
  try {
    await database.migrate([...work.flat(), forgotten, ...recorded]);
  } catch (error) {
    throw migrationFailure(pending, error);
  }
}

/** Returns the recorded migrations and steps in order, `when` → hash; empty: there are none. */
export async function recordedMigrations(reader: Reader): Promise<ReadonlyMap<number, string>> {
  const { rows: [known] } = await reader.run({
    sql: "SELECT count(*) FROM sqlite_master WHERE name = ?",
    args: [TABLE],
  });
  if (known?.[0] !== 1) return new Map();
  const sql = `SELECT created_at, hash FROM "${TABLE}" ORDER BY created_at`;
  const { rows } = await reader.run({ sql, args: [] });
  return new Map(rows.map(([when, hash]) => [Number(when), String(hash)]));
}

/** Returns the hash by which a migration is recorded. */
export async function migrationHash({ sql }: Pick<Migration, "sql">): Promise<string> {
  return await sha256Hex(withUnixBreaks(sql));
}

async function workOf(
  { sql, step }: Migration,
  home: Home | "copy" | null,
): Promise<readonly MigrationStep[]> {
  // A step that does not concern this database counts as applied.
  if (step && home !== null && step.home !== null && step.home !== home) return [];
  if (step?.code) {
    const run = await step.code();
    return [(transaction) => runDataStep(run, transaction)];
  }
  const checks = step ? [] : rowChecksOf(sql);
  return [
    ...checks.map((check): MigrationStep => (transaction) => checkRows(check, transaction)),
    ...sql.split(BREAKPOINT)
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .map((sql): Statement => ({ sql, args: [] })),
  ];
}

/**
 * Explains a failed migration: the place, the cause, and the way out (definitions 2, `compiler.migrations`). The database's
 * error is the cause.
 */
function migrationFailure(pending: readonly Migration[], cause: unknown): MigrationError {
  const said = cause instanceof ConstraintError ? refusalOf(cause) : null;
  const names = pending.map(({ tag, step }) => `${step ? "data step" : "migration"} '${tag}'`)
    .join(", ");
  const text = `${names.charAt(0).toUpperCase()}${names.slice(1)} failed and changed nothing`;
  const reason = said !== null
    ? `: ${said}, then migrate again. ${TAKEN_BACK}`
    : cause instanceof Error
    ? `: ${rootOf(cause).message}`
    : "";
  return new MigrationError(text + reason, { cause });
}

/** Returns the original error. drizzle's wrapper repeats the values of the query. */
function rootOf(error: Error): Error {
  return error.cause instanceof Error ? rootOf(error.cause) : error;
}

const TAKEN_BACK = "To take it back instead, restore quickback/drizzle/features as it was before " +
  "and compile again";

/** Returns the rule that existing rows break, with the way out; null: rows are not the cause. */
function refusalOf({ kind, subjects }: ConstraintError): string | null {
  const names = subjects.map((subject) => subject.replace(/^__new_/, "")).join(", ");
  switch (kind) {
    case "unique":
    case "primaryKey":
      return `rows that exist repeat values in ${names}, which are unique from now on; ` +
        "change or remove the repeated ones";
    case "notNull":
      return `rows that exist have no value in ${names}, which is required from now on; fill them`;
    case "foreignKey":
      return `rows that exist${
        names === "" ? "" : ` in ${names}`
      } refer to rows that are not there; ` +
        "change or remove them";
    case "check":
      return null;
  }
}

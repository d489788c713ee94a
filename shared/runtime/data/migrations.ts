/** Applies a project's migrations in order, each whole or not at all, each once (definitions 7, "files of an output"). */
import { sha256Hex } from "../../lib/bytes.ts";
import type { Home } from "../../model/mod.ts";
import type { Database, Migration, MigrationStep, Reader, Statement } from "../ports.ts";
import { ConstraintError, MigrationError } from "../ports.ts";
import { runDataStep } from "./data_step.ts";
import { checkRows, rowChecksOf } from "./row_checks.ts";
import { jsonList } from "./sql.ts";

export type { Migration };

const BREAKPOINT = "--> statement-breakpoint";
/** Table of applied migrations, as drizzle's own migrator keeps it, so that either can take over from the other. */
const TABLE = "__drizzle_migrations";

/**
 * Applies what is pending and returns its tags. Safe when several processes start at once. Data steps share the transaction
 * of the migration that they follow; `home`: what the database holds, null: all rows, "copy": rows that come from elsewhere,
 * to which the steps have been.
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
    // A migration with the steps that follow it.
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

/** Generated migrations count in whole seconds; steps stand in between. */
const WHEN_STEP = 1000;

/** A step that was applied and is no longer in the project: nothing else says any more what it has done to rows. */
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

/** Makes the table of applied migrations where there is none. */
export async function keepJournal(database: Database): Promise<void> {
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

/** The number of migrations that are not applied yet. */
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

/** Two branches may each have made a migration of this number: what was applied is the other one, and skipping this one would lose it. */
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

/** Version control may write a file with other line breaks than it was made with. */
function withUnixBreaks(sql: string): string {
  return sql.replaceAll("\r\n", "\n");
}

/** The statement that records it as applied. */
export async function recordOf(migration: Migration): Promise<Statement> {
  return {
    sql: `INSERT INTO "${TABLE}" (hash, created_at) VALUES (?, ?)`,
    args: [await migrationHash(migration), migration.when],
  };
}

/** A migration, steps of it, or both, in one transaction. False when another process was faster. */
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

interface Replacement {
  /** From the schema that the database has to that of the migrations; null: it has it. */
  readonly sql: string | null;
  /** Data steps that run before the SQL. */
  readonly before: readonly Migration[];
  /** All that the database counts as having then, in order. */
  readonly records: readonly Migration[];
  readonly home: Home | null;
}

/**
 * Gives a database another history that leads to the schema of its project: by this SQL, and by what is recorded as applied. For
 * databases of development, whose migrations were never released. Throws `MigrationError`, and has then changed nothing.
 */
export async function replaceMigrations(
  database: Database,
  { sql, before, records, home }: Replacement,
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

/** The applied migrations and steps as they are recorded, in order: `when` → hash. Empty: the database has none. */
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

/** The text by which a migration is recorded. */
export async function migrationHash({ sql }: Pick<Migration, "sql">): Promise<string> {
  return await sha256Hex(withUnixBreaks(sql));
}

async function workOf(
  { sql, step }: Migration,
  home: Home | "copy" | null,
): Promise<readonly MigrationStep[]> {
  // It counts as applied where it has nothing to do.
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
 * Explains a failed migration: the place, the cause, and the way out (definitions 2, `compiler.migrations`). The error
 * that ends the migrating; what the database said is its cause.
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

/** The error itself: what drizzle puts around it repeats the values of a query. */
function rootOf(error: Error): Error {
  return error.cause instanceof Error ? rootOf(error.cause) : error;
}

const TAKEN_BACK = "To take it back instead, restore quickback/drizzle/features as it was before " +
  "and compile again";

/** The rule that existing rows break, and the way out; null: the rows are not the cause. */
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

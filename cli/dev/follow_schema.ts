/**
 * Changes a development database to the schema of its project, past migrations that were never released
 * (docs/decisions/commands.md). `dev` uses it for a file, and the page without a server for the database in its tab.
 */
import {
  type Migration,
  migrationHash,
  recordedMigrations,
  replaceMigrations,
} from "../../shared/runtime/mod.ts";
import type { Following } from "../../shared/compiler/mod.ts";
import type { Home } from "../../shared/model/mod.ts";
import type { Database } from "../../shared/runtime/ports.ts";

/** Schema that a database may have, with the data steps that followed it. */
export interface KnownSchema {
  /** Text of its snapshot; null: it has no table. */
  readonly snapshot: string | null;
  readonly steps: readonly { readonly tag: string; readonly hash: string }[];
}

/** Compiled schemas by the hash of the migration that led to each. */
export interface KnownSchemas {
  find(hash: string): Promise<KnownSchema | null>;
  keep(hash: string, schema: KnownSchema): Promise<void>;
}

/** Error for a development database whose rows cannot be converted; it stays unchanged. */
export class UnfollowableError extends Error {
  override readonly name = "UnfollowableError";
}

/**
 * Stores the schemas of an output. `snapshotAt`: returns the text of an entry's snapshot by its position; null: there is none.
 */
export async function keepKnown(
  known: KnownSchemas,
  migrations: readonly Migration[],
  snapshotAt: (at: number) => Promise<string | null>,
): Promise<void> {
  for (const [at, { entry, steps }] of entriesOf(migrations).entries()) {
    const snapshot = await snapshotAt(at);
    if (snapshot === null) continue;
    const hash = await migrationHash(entry);
    const told = await Promise.all(
      steps.map(async (step) => ({ tag: step.tag, hash: await migrationHash(step) })),
    );
    const before = (await known.find(hash))?.steps ?? [];
    const fresh = told.filter((one) => !before.some(({ hash }) => hash === one.hash));
    await known.keep(hash, { snapshot, steps: [...before, ...fresh] });
  }
}

interface Entry {
  readonly entry: Migration;
  readonly steps: readonly Migration[];
}

export function entriesOf(migrations: readonly Migration[]): readonly Entry[] {
  return migrations.flatMap((entry, at) => {
    if (entry.step) return [];
    const next = migrations.findIndex((one, place) => place > at && !one.step);
    return [{ entry, steps: migrations.slice(at + 1, next < 0 ? undefined : next) }];
  });
}

const NOTHING: KnownSchema = { snapshot: null, steps: [] };

/**
 * Changes the database to the schema of the migrations if its history differs; pending migrations are left to
 * `applyMigrations`. Returns messages. Throws `UnfollowableError` and `MigrationError`, and has then changed nothing.
 */
export async function followSchema(
  database: Database,
  { known, plan, migrations, home, beginsAtNewest = false }: {
    readonly known: KnownSchemas;
    /** Plans how to get from the schema of a snapshot to the newest one; null: from no table. */
    readonly plan: (reached: KnownSchema["snapshot"]) => Promise<Following>;
    readonly migrations: readonly Migration[];
    readonly home: Home | null;
    /** True when a database without a migration gets the newest schema at once, so that the SQL of releases is not needed. */
    readonly beginsAtNewest?: boolean;
  },
): Promise<readonly string[]> {
  const recorded = await recordedMigrations(database);
  const begins = beginsAtNewest && recorded.size === 0;
  if (!begins && await isOfHistory(recorded, migrations)) return [];
  const reached = begins ? NOTHING : await reachedSchema(recorded, known);
  const way = await plan(reached.snapshot);
  if (way.kind === "refused") {
    throw new UnfollowableError(
      `The rows of the development database cannot follow: ${way.reasons.join("; ")}`,
    );
  }
  const { before, records, told } = await stepsOf(recorded, reached, migrations);
  await replaceMigrations(database, { sql: way.sql, before, records, home });
  return [
    ...way.losses.map((loss) => `The development database lost what was never released: ${loss}`),
    ...told,
  ];
}

type Recorded = ReadonlyMap<number, string>;

/** True when everything that was applied is at the same position in the output, and nothing before it was skipped. */
async function isOfHistory(recorded: Recorded, migrations: readonly Migration[]): Promise<boolean> {
  const newest = migrations.findLast(({ step, when }) => !step && recorded.has(when));
  const isLate = migrations.some(({ when }) =>
    newest !== undefined && when < newest.when && !recorded.has(when)
  );
  if (isLate) return false;
  for (const [when, hash] of recorded) {
    const one = migrations.find((migration) => migration.when === when);
    if (one === undefined || await migrationHash(one) !== hash) return false;
  }
  return true;
}

/** Returns the schema of the newest applied migration; data steps have times between whole seconds. */
async function reachedSchema(recorded: Recorded, known: KnownSchemas): Promise<KnownSchema> {
  const newest = [...recorded].filter(([when]) => when % 1000 === 0).at(-1);
  const schema = newest && await known.find(newest[1]);
  if (schema) return schema;
  throw new UnfollowableError(
    "Nothing says which schema the development database has: it was made elsewhere",
  );
}

/**
 * Returns the steps that run before the change, those that count as applied after it, and messages about steps that do not run.
 */
async function stepsOf(recorded: Recorded, reached: KnownSchema, migrations: readonly Migration[]) {
  const ran = new Set(recorded.values());
  const ranTags = new Set(
    reached.steps.filter(({ hash }) => ran.has(hash)).map(({ tag }) => tag),
  );
  const entries = entriesOf(migrations);
  const before: Migration[] = [];
  const records: Migration[] = [];
  const told: string[] = [];
  for (const [at, { entry, steps }] of entries.entries()) {
    records.push(entry);
    for (const step of steps) {
      const isRun = ran.has(await migrationHash(step));
      const isNewest = at === entries.length - 1;
      if (isRun || ranTags.has(step.tag)) {
        records.push(step);
        if (!isRun) told.push(`Data step ${step.tag} ran before it was edited, and does not again`);
      } else if (step.step?.isBefore || (at === entries.length - 2 && !step.step?.code)) {
        before.push(step);
        records.push(step);
      } else if (!isNewest) {
        records.push(step);
        told.push(`Data step ${step.tag} does not run here: the database is beyond its migration`);
      }
      // The API runs the statements of the newest migration that have not run yet.
    }
  }
  return { before, records, told };
}

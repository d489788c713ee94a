/**
 * Keeps the history of the development database short (docs/decisions/commands.md). It has the releases of the project's
 * `quickback/drizzle/` and one migration beyond them, however often one saves. Each save changes the database by SQL of its own.
 */
import { join } from "node:path";
import { ifThere } from "../../library/platform/if_there.ts";
import { openDatabase, readMigrations } from "../../library/platform/mod.ts";
import { TENANTS_FOLDER } from "../../library/platform/read_environment.ts";
import { DESTRUCTIVE_MARK, planFollowing } from "../../shared/compiler/mod.ts";
import { type Home, isPerOrganization, type ProjectModel } from "../../shared/model/mod.ts";
import {
  type Migration,
  migrationHash,
  recordedMigrations,
  replaceMigrations,
} from "../../shared/runtime/mod.ts";
import { type Database, MigrationError } from "../../shared/runtime/ports.ts";
import { readTextFile } from "../project_folder.ts";
import { ApiStartError } from "./api_process.ts";
import { DATABASE } from "./dev_folder.ts";

const MIGRATIONS = "quickback/drizzle/features";
/** Folder of the schemas that were compiled, by the hash of the migration that led to each. */
const SCHEMAS = "schemas";

/** A schema that a database may have, with the data steps that followed it. */
interface KnownSchema {
  /** Text of its snapshot. */
  readonly snapshot: string;
  readonly steps: readonly { readonly tag: string; readonly hash: string }[];
}

/** Keeps what the output says of its migrations, before a compile writes others over them. */
export async function keepSchemas(folder: string): Promise<void> {
  const own = join(folder, MIGRATIONS);
  if (await readTextFile(join(own, "meta/_journal.json")) === null) return;
  await Deno.mkdir(join(folder, SCHEMAS), { recursive: true });
  for (const [at, { entry, steps }] of entriesOf(await readMigrations(own)).entries()) {
    const snapshot = await readTextFile(join(own, "meta", snapshotName(at)));
    if (snapshot === null) continue;
    const hash = await migrationHash(entry);
    const known = await knownSchema(folder, hash);
    const told = await Promise.all(
      steps.map(async (step) => ({ tag: step.tag, hash: await migrationHash(step) })),
    );
    const before = known?.steps ?? [];
    const fresh = told.filter((one) => !before.some(({ hash }) => hash === one.hash));
    const kept: KnownSchema = { snapshot, steps: [...before, ...fresh] };
    await Deno.writeTextFile(schemaPath(folder, hash), JSON.stringify(kept));
  }
}

function schemaPath(folder: string, hash: string): string {
  return join(folder, SCHEMAS, `${hash}.json`);
}

async function knownSchema(folder: string, hash: string): Promise<KnownSchema | null> {
  const text = await readTextFile(schemaPath(folder, hash));
  return text === null ? null : JSON.parse(text);
}

/** Removes the files of migrations that the output's journal does not list any more. */
export async function pruneMigrations(folder: string): Promise<void> {
  const own = join(folder, MIGRATIONS);
  const migrations = await readMigrations(own);
  const tags = new Set(migrations.map(({ tag }) => tag));
  const count = entriesOf(migrations).length;
  const snapshots = new Set(Array.from({ length: count }, (_, at) => snapshotName(at)));
  for await (const { name, isFile } of Deno.readDir(own)) {
    if (isFile && !tags.has(name.replace(/\.(?:sql|ts)$/, ""))) await Deno.remove(join(own, name));
  }
  for await (const { name } of Deno.readDir(join(own, "meta"))) {
    if (name.endsWith("_snapshot.json") && !snapshots.has(name)) {
      await Deno.remove(join(own, "meta", name));
    }
  }
}

function snapshotName(at: number): string {
  return `${String(at).padStart(4, "0")}_snapshot.json`;
}

interface Entry {
  readonly entry: Migration;
  readonly steps: readonly Migration[];
}

function entriesOf(migrations: readonly Migration[]): readonly Entry[] {
  return migrations.flatMap((entry, at) => {
    if (entry.step) return [];
    const next = migrations.findIndex((one, place) => place > at && !one.step);
    return [{ entry, steps: migrations.slice(at + 1, next < 0 ? undefined : next) }];
  });
}

/**
 * Leads the databases of the folder to the schema of its output, where their history is another one; what is merely pending is
 * left to the API. Returns what to tell. Throws `ApiStartError` where rows cannot follow, and has then changed nothing of theirs.
 */
export async function foldMigrations(
  folder: string,
  model: ProjectModel,
): Promise<readonly string[]> {
  const migrations = await readMigrations(join(folder, MIGRATIONS));
  const told = new Set<string>();
  for (const { path, home } of await databasesOf(folder, model)) {
    const database = await openDatabase({ url: `file:${path}` });
    try {
      for (const line of await fold(database, { folder, model, migrations, home })) told.add(line);
    } catch (error) {
      if (error instanceof MigrationError) throw new ApiStartError(error.message + WAY_OUT);
      throw error;
    } finally {
      await database.close();
    }
  }
  return [...told];
}

const WAY_OUT = "; or begin with an empty database: dev --fresh";

async function databasesOf(folder: string, model: ProjectModel) {
  const isApart = isPerOrganization(model);
  const found: { readonly path: string; readonly home: Home | null }[] = [];
  const own = join(folder, DATABASE);
  if (await ifThere(Deno.stat(own)) !== null) {
    found.push({ path: own, home: isApart ? "directory" : null });
  }
  if (!isApart) return found;
  const tenants = join(folder, TENANTS_FOLDER);
  for (const { name } of await ifThere(Array.fromAsync(Deno.readDir(tenants))) ?? []) {
    if (name.endsWith(".db")) found.push({ path: join(tenants, name), home: "tenant" });
  }
  return found;
}

interface Folding {
  readonly folder: string;
  readonly model: ProjectModel;
  readonly migrations: readonly Migration[];
  readonly home: Home | null;
}

async function fold(database: Database, folding: Folding): Promise<readonly string[]> {
  const recorded = await recordedMigrations(database);
  if (await isOfHistory(recorded, folding.migrations)) return [];
  const reached = await reachedSchema(recorded, folding.folder);
  const plan = planFollowing(folding.model, reached.snapshot);
  if (plan.kind === "refused") {
    const reasons = plan.errors.map(({ message, hint }) => hint ? `${message}. ${hint}` : message);
    throw new ApiStartError(
      `The rows of the development database cannot follow: ${reasons.join("; ")}${WAY_OUT}`,
    );
  }
  const { before, records, told } = await stepsOf(recorded, reached, folding.migrations);
  await replaceMigrations(database, { sql: plan.sql, before, records, home: folding.home });
  const losses = (plan.sql ?? "").split("\n").filter((line) => line.startsWith(DESTRUCTIVE_MARK));
  return [
    ...losses.map((line) =>
      `The development database lost what was never released:${line.slice(DESTRUCTIVE_MARK.length)}`
    ),
    ...told,
  ];
}

type Recorded = ReadonlyMap<number, string>;

/** True where everything that was applied is what the output has in its place, and nothing comes before it that was not. */
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

/** Of the newest migration that was applied; steps stand between whole seconds. */
async function reachedSchema(recorded: Recorded, folder: string): Promise<KnownSchema> {
  const newest = [...recorded].filter(([when]) => when % 1000 === 0).at(-1);
  const schema = newest && await knownSchema(folder, newest[1]);
  if (schema) return schema;
  throw new ApiStartError(
    `Nothing says which schema the development database has: it was made elsewhere${WAY_OUT}`,
  );
}

/** Tells which steps run before the change, what counts as applied after it, and what to say of steps that do not run. */
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
      // The API runs what is left of the newest migration.
    }
  }
  return { before, records, told };
}

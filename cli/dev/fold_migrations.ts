/**
 * Keeps the history of the development database short (docs/decisions/commands.md). It contains the releases of the project's
 * `quickback/drizzle/` and one migration beyond them, however often the user saves. Each save changes the database by SQL of
 * its own.
 */
import { join } from "node:path";
import { ifThere } from "../../library/platform/if_there.ts";
import { openDatabase, readMigrations } from "../../library/platform/mod.ts";
import { TENANTS_FOLDER } from "../../library/platform/read_environment.ts";
import { planFollowing } from "../../shared/compiler/mod.ts";
import { type Home, isPerOrganization, type ProjectModel } from "../../shared/model/mod.ts";
import { MigrationError } from "../../shared/runtime/ports.ts";
import { readTextFile } from "../project_folder.ts";
import { ApiStartError } from "./api_process.ts";
import { DATABASE } from "./dev_folder.ts";
import {
  entriesOf,
  followSchema,
  keepKnown,
  type KnownSchemas,
  UnfollowableError,
} from "./follow_schema.ts";

const MIGRATIONS = "quickback/drizzle/features";
/** Folder of the compiled schemas, by the hash of the migration that led to each. */
const SCHEMAS = "schemas";

/** Stores the snapshots of the output's migrations, before a compile replaces them. */
export async function keepSchemas(folder: string): Promise<void> {
  const own = join(folder, MIGRATIONS);
  if (await readTextFile(join(own, "meta/_journal.json")) === null) return;
  await Deno.mkdir(join(folder, SCHEMAS), { recursive: true });
  await keepKnown(
    knownIn(folder),
    await readMigrations(own),
    (at) => readTextFile(join(own, "meta", snapshotName(at))),
  );
}

function knownIn(folder: string): KnownSchemas {
  const pathOf = (hash: string) => join(folder, SCHEMAS, `${hash}.json`);
  return {
    async find(hash) {
      const text = await readTextFile(pathOf(hash));
      return text === null ? null : JSON.parse(text);
    },
    keep: (hash, schema) => Deno.writeTextFile(pathOf(hash), JSON.stringify(schema)),
  };
}

/** Removes the files of migrations that the output's journal no longer lists. */
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

/**
 * Changes the folder's databases to the schema of its output if their history differs; pending migrations are left to the API.
 * Returns a message. Throws `ApiStartError` if rows cannot be converted, and has then changed none of them.
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
      const known = knownIn(folder);
      const plan = (reached: string | null) => Promise.try(() => planFollowing(model, reached));
      const lines = await followSchema(database, { known, plan, migrations, home });
      for (const line of lines) told.add(line);
    } catch (error) {
      if (error instanceof MigrationError || error instanceof UnfollowableError) {
        throw new ApiStartError(error.message + WAY_OUT);
      }
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

/** Reads a folder of migrations as the compiler writes it: `meta/_journal.json` and one SQL file per entry. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import type { Baseline, DataStepCode, Migration } from "../../shared/runtime/ports.ts";
import { MigrationError } from "../../shared/runtime/ports.ts";

const journal = z.object({
  entries: z.array(z.object({
    idx: z.number().int(),
    when: z.number().int(),
    /** File name without its extension. It cannot leave the folder. */
    tag: z.string().regex(/^[A-Za-z0-9._-]+$/),
    /** Data steps, each a file beside the migration's. */
    steps: z.array(z.object({
      tag: z.string().regex(/^[A-Za-z0-9_-]+$/),
      kind: z.enum(["sql", "ts"]),
      when: z.number().int(),
      home: z.enum(["directory", "tenant"]).optional(),
      before: z.boolean().optional(),
    })).optional(),
  })),
});

/** Returns the migrations in journal order, each followed by its data steps. */
export async function readMigrations(folder: string): Promise<readonly Migration[]> {
  const path = join(folder, "meta", "_journal.json");
  const { entries: listed } = await readJournal(path);
  const entries = listed.toSorted((one, other) => one.idx - other.idx);
  const read = await Promise.all(
    entries.map(async ({ tag, when, steps = [] }): Promise<readonly Migration[]> => [
      { tag, when, sql: await readBeside(join(folder, `${tag}.sql`)) },
      ...await Promise.all(steps.map(async ({ tag, kind, when, home = null, before = false }) => {
        const file = join(folder, `${tag}.${kind}`);
        const code = kind === "ts" ? () => importStep(file) : null;
        return { tag, when, sql: await readBeside(file), step: { home, code, isBefore: before } };
      })),
    ]),
  );
  return read.flat();
}

/** Imports a step. It is loaded only if it runs. */
async function importStep(file: string): Promise<DataStepCode> {
  const { default: run }: { default?: unknown } = await import(pathToFileURL(file).href);
  if (typeof run === "function") return (given) => run(given);
  throw new MigrationError(
    `Data step '${file}' has no function as its default export; compile again`,
  );
}

/** Returns the first migration with its snapshots. */
export async function readBaseline(folder: string): Promise<Baseline> {
  const migrations = await readMigrations(folder);
  const [migration] = migrations;
  if (!migration) {
    throw new Error(`Cannot take a baseline from '${folder}': it has no migration; compile first`);
  }
  const snapshot = (idx: number) =>
    readBeside(join(folder, "meta", `${String(idx).padStart(4, "0")}_snapshot.json`));
  return {
    migration,
    first: await snapshot(0),
    last: await snapshot(migrations.filter(({ step }) => !step).length - 1),
  };
}

interface MigrateArguments {
  /** True to record the first migration instead of applying it. */
  readonly isBaseline: boolean;
  /** True when the database is the project's under its earlier name. */
  readonly isTakenOver: boolean;
  /** True to migrate the databases of organizations too. */
  readonly isAll: boolean;
}

const MIGRATE_FLAGS = [undefined, "--baseline", "--renamed", "--all"];

/** Parses `--baseline`, `--renamed` and `--all`. Anything else is refused. */
export function readMigrateArguments(args: readonly string[]): MigrateArguments {
  const [first, ...rest] = args;
  if (MIGRATE_FLAGS.includes(first) && rest.length === 0) {
    return {
      isBaseline: first === "--baseline",
      isTakenOver: first === "--renamed",
      isAll: first === "--all",
    };
  }
  throw new Error(
    `Cannot read "${args.join(" ")}": deno task migrate [--baseline], [--renamed], or [--all]`,
  );
}

async function readJournal(path: string): Promise<z.infer<typeof journal>> {
  try {
    return journal.parse(JSON.parse(await Deno.readTextFile(path)));
  } catch (cause) {
    throw new Error(
      `Cannot read the migration journal '${path}'; restore it from version control`,
      { cause },
    );
  }
}

async function readBeside(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new MigrationError(
      `Migration file '${path}' of the journal is missing; restore it from version control`,
      { cause: error },
    );
  }
}

/** Reads a folder of migrations as the compiler emits it: `meta/_journal.json` and one SQL file per entry. */
import { join } from "node:path";
import { z } from "zod";
import type { Migration } from "../shared/runtime/ports.ts";

const journal = z.object({
  entries: z.array(z.object({
    idx: z.number().int(),
    when: z.number().int(),
    /** A file name without its ending; nothing that could leave the folder. */
    tag: z.string().regex(/^[A-Za-z0-9._-]+$/),
  })),
});

/** The folder's migrations in journal order. */
export async function readMigrations(folder: string): Promise<readonly Migration[]> {
  const path = join(folder, "meta", "_journal.json");
  const { entries: listed } = await readJournal(path);
  const entries = listed.toSorted((one, other) => one.idx - other.idx);
  return await Promise.all(entries.map(async ({ tag, when }): Promise<Migration> => ({
    tag,
    when,
    sql: await readSql(join(folder, `${tag}.sql`)),
  })));
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

async function readSql(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new Error(
      `Migration file '${path}' of the journal is missing; restore it from version control`,
      { cause: error },
    );
  }
}

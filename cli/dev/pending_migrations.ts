/**
 * Migrations of the development database that were made and never applied: an API that could not start over them, because of
 * the rows that are there, would never start again, although the author has undone the change.
 */
import { dirname, join } from "node:path";
import { openDatabase } from "../../platform/mod.ts";
import { takeBack } from "../../shared/compiler/mod.ts";
import { readTree } from "../project_folder.ts";
import { DATABASE, hasDatabase } from "./dev_folder.ts";

/** Takes them out of the folder, so that the next compile follows on what the database has. */
export async function takeBackPending(folder: string): Promise<void> {
  if (!await hasDatabase(folder)) return;
  const state = await readTree(folder, "quickback/drizzle");
  if (state === null) return;
  const applied = await appliedTimes(join(folder, DATABASE));
  const { removed, journal } = takeBack(
    new Map(Object.entries(state)),
    (when) => applied.has(when),
  );
  if (journal !== null) await writeWhole(join(folder, journal.path), journal.content);
  for (const path of removed) {
    if (Object.hasOwn(state, path)) await Deno.remove(join(folder, path));
  }
}

/** The `when` of each, as the runner has recorded it. */
async function appliedTimes(path: string): Promise<ReadonlySet<number>> {
  const database = await openDatabase({ url: `file:${path}` });
  try {
    const [known] = (await database.run({
      sql: "SELECT count(*) FROM sqlite_master WHERE name = '__drizzle_migrations'",
      args: [],
    })).rows;
    if (known?.[0] !== 1) return new Set();
    const { rows } = await database.run({
      sql: "SELECT created_at FROM __drizzle_migrations",
      args: [],
    });
    return new Set(rows.map(([when]) => Number(when)));
  } finally {
    await database.close();
  }
}

/** Beside it first: a journal that is cut would stop every later compile. */
async function writeWhole(path: string, text: string): Promise<void> {
  const draft = await Deno.makeTempFile({ dir: dirname(dirname(path)) });
  await Deno.writeTextFile(draft, text);
  await Deno.rename(draft, path);
}

/** Finds the data steps that an output's database has not run: their files may still be edited (definitions 1). */
import { join } from "node:path";
import { filePathOf, openDatabase } from "../library/platform/open_database.ts";
import { ifThere } from "../library/platform/if_there.ts";
import { readMigrations } from "../library/platform/read_migrations.ts";
import type { CompileRequest, Failure } from "../shared/compiler/mod.ts";
import { recordedMigrations } from "../shared/runtime/mod.ts";
import { outputDatabase } from "./target_database.ts";

/**
 * Returns the request of a second try after a compile refused an edited or removed step. Returns null if no step may be edited:
 * all have run, or the database is on a server, whose history is unknown here.
 */
export async function mendingRequest(
  { errors }: Failure,
  out: string,
): Promise<Pick<CompileRequest, "unrunSteps"> | null> {
  if (!errors.some(({ code }) => code === "DATA_STEP_EDITED")) return null;
  const database = await outputDatabase(out);
  if (database === null || !database.url.startsWith("file:")) return null;
  const migrations = await readMigrations(join(out, "quickback/drizzle/features"));
  const applied = await appliedTimes(filePathOf(database.url));
  const unrun = migrations.filter(({ step, when }) => step && !applied.has(when));
  return unrun.length === 0 ? null : { unrunSteps: new Set(unrun.map(({ tag }) => tag)) };
}

/** Returns the `when` of each migration and step that the database in this file has applied. */
async function appliedTimes(path: string): Promise<ReadonlyMap<number, string>> {
  // Opening a missing file would create it.
  if (await ifThere(Deno.stat(path)) === null) return new Map();
  const database = await openDatabase({ url: `file:${path}` });
  try {
    return await recordedMigrations(database);
  } finally {
    await database.close();
  }
}

/** Runs `db restore <folder> --from <file>`: replaces a database that no process has open by a backup. */
import { basename, dirname, join } from "node:path";
import NativeDatabase from "libsql";
import { ifThere } from "../../../library/platform/if_there.ts";
import type { Arguments } from "../../command.ts";
import { CommandError, type ExitCode, UsageError } from "../../exit_codes.ts";
import type { Output } from "../../output.ts";
import { fileOf, targetDatabase } from "../../target_database.ts";

export async function restore(
  { positionals: [folder], values }: Arguments,
  output: Output,
): Promise<ExitCode> {
  const from = values.get("from");
  if (!from) throw new UsageError("Say which backup: --from <file>");
  const file = fileOf(await targetDatabase(folder));
  const draft = join(dirname(file), `.${basename(file)}.${crypto.randomUUID()}`);
  try {
    await Deno.copyFile(from, draft);
    await Deno.chmod(draft, 0o600);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new CommandError(`There is no backup "${from}"`);
  }
  try {
    const problem = problemOf(draft);
    if (problem !== null) {
      throw new CommandError(`"${from}" is no backup that can be restored: ${problem}`);
    }
    const kept = await replace(file, draft);
    output.result({ database: file, from, kept });
    output.out(`"${file}" is what "${from}" has; what it had is in "${kept}"`);
    return 0;
  } finally {
    await ifThere(Deno.remove(draft));
  }
}

function problemOf(draft: string): string | null {
  try {
    using database = opened(draft, 0);
    const [check] = rows(database, "PRAGMA integrity_check");
    if (check?.[0] !== "ok") return String(check?.[0]);
    const known = "SELECT 1 FROM sqlite_schema WHERE name = '__drizzle_migrations'";
    return rows(database, known).length === 0 ? "no API has migrated it" : null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * Replaces the file and returns the new name of the old one. Only the last connection can remove a write-ahead log, so the file
 * is refused while another is open.
 */
async function replace(file: string, draft: string): Promise<string> {
  using database = opened(file, 0);
  try {
    const [mode] = rows(database, "PRAGMA journal_mode = DELETE");
    if (mode?.[0] !== "delete") throw inUse(file);
    database.native.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    throw error instanceof CommandError ? error : inUse(file);
  }
  const kept = `${file}.${new Date().toISOString().replaceAll(":", "-")}`;
  await Deno.rename(file, kept);
  await Deno.rename(draft, file);
  return kept;
}

function inUse(file: string): CommandError {
  return new CommandError(`Somebody has "${file}" open: stop the API first`);
}

function opened(path: string, timeout: number) {
  const native = new NativeDatabase(path, { timeout });
  return {
    native,
    [Symbol.dispose]() {
      if (native.inTransaction) native.exec("ROLLBACK");
      native.close();
    },
  };
}

function rows({ native }: ReturnType<typeof opened>, sql: string): readonly unknown[][] {
  return native.prepare(sql).raw(true).all() as unknown[][];
}

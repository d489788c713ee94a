/**
 * Runs `db migrate [folder] [--baseline | --all]`: does the same as an output's `migrate` task, to the database that the output
 * names.
 */
import { join } from "node:path";
import { readBaseline, readMigrations } from "../../../library/platform/read_migrations.ts";
import { applyOwnMigrations, recordBaseline } from "../../../shared/runtime/mod.ts";
import { MigrationError } from "../../../shared/runtime/ports.ts";
import type { Arguments } from "../../command.ts";
import { CommandError, type ExitCode, UsageError } from "../../exit_codes.ts";
import type { Output } from "../../output.ts";
import { readTextFile } from "../../project_folder.ts";
import { runTask } from "../tenant.ts";
import { targetDatabase, withDatabase } from "../../target_database.ts";

export async function migrate(
  { positionals: [folder = "."], flags }: Arguments,
  output: Output,
): Promise<ExitCode> {
  if (await readTextFile(join(folder, "src/main.ts")) === null) {
    throw new CommandError(`"${folder}" is no output; compile into it, and name it`);
  }
  if (flags.has("all")) {
    if (flags.has("baseline")) throw new UsageError("--baseline and --all are for two runs");
    return await runTask(folder, "migrate", ["--all"], output);
  }
  const migrations = join(folder, "quickback/drizzle/features");
  const target = await targetDatabase(folder);
  const { recorded, applied } = await withDatabase(target, async (database) => ({
    recorded: flags.has("baseline") &&
      await explained(recordBaseline(database, await readBaseline(migrations))),
    applied: await explained(
      applyOwnMigrations(database, { name: null }, {
        migrations: await readMigrations(migrations),
        // Steps name a home only if organizations have their own databases, and this database is not one of them.
        home: "directory",
      }),
    ),
  }));
  output.result({ recorded, applied });
  if (recorded) output.out("Recorded the first migration as applied: its tables are there");
  output.out(applied.length === 0 ? "Nothing to migrate" : `Applied ${applied.join(", ")}`);
  return 0;
}

/** Reports a failed migration as an error of the project or its database. */
async function explained<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const isTold = error instanceof MigrationError ||
      error instanceof Error && error.message.startsWith("Cannot ");
    if (!isTold) throw error;
    throw new CommandError(error.message, { cause: error });
  }
}

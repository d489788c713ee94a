/** `db backup <folder> --out <file>`: a copy of a database that is in use, as one moment had it (answers P21). */
import NativeDatabase from "libsql";
import { type Arguments, CommandError, type ExitCode, UsageError } from "../../command.ts";
import type { Output } from "../../output.ts";
import { fileOf, targetDatabase } from "../../target_database.ts";

export async function backUp(
  { positionals: [folder], values }: Arguments,
  output: Output,
): Promise<ExitCode> {
  const out = values.get("out");
  if (!out) throw new UsageError("Say where the copy goes: --out <file>");
  const file = fileOf(await targetDatabase(folder));
  // It holds passwords' hashes and everybody's rows. An empty file is what the copy may be written
  // into.
  try {
    await Deno.writeTextFile(out, "", { createNew: true, mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    throw new CommandError(`"${out}" is there already; a backup overwrites nothing`);
  }
  try {
    // From a connection beside the API's: writers go on meanwhile.
    const database = new NativeDatabase(file, { timeout: 5000 });
    try {
      database.prepare("VACUUM INTO ?").run([out]);
    } finally {
      database.close();
    }
  } catch (error) {
    await Deno.remove(out);
    throw error;
  }
  const { size } = await Deno.stat(out);
  output.result({ database: file, out, bytes: size });
  output.out(`"${file}" is copied into "${out}": ${size} bytes`);
  return 0;
}

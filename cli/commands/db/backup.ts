/** Runs `db backup <folder> --out <file>`: copies a database in use, in its state at one moment. */
import NativeDatabase from "libsql";
import { counted } from "../../../shared/lib/texts.ts";
import { serviceRecords, type ServiceTable } from "../../../shared/model/mod.ts";
import type { Arguments } from "../../command.ts";
import { CommandError, type ExitCode, UsageError } from "../../exit_codes.ts";
import type { Output } from "../../output.ts";
import { fileOf, targetDatabase } from "../../target_database.ts";

export async function backUp(
  { positionals: [folder], values }: Arguments,
  output: Output,
): Promise<ExitCode> {
  const out = values.get("out");
  if (!out) throw new UsageError("Say where the copy goes: --out <file>");
  const file = fileOf(await targetDatabase(folder));
  // The copy contains password hashes and everybody's rows. It is written into a new, empty file.
  try {
    await Deno.writeTextFile(out, "", { createNew: true, mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    throw new CommandError(`"${out}" is there already; a backup overwrites nothing`);
  }
  let without: readonly string[];
  try {
    // The connection is separate from the API's, so that writers continue meanwhile.
    const database = new NativeDatabase(file, { timeout: 5000 });
    try {
      database.prepare("VACUUM INTO ?").run([out]);
    } finally {
      database.close();
    }
    without = standingElsewhere(out);
  } catch (error) {
    await Deno.remove(out);
    throw error;
  }
  const { size } = await Deno.stat(out);
  output.result({ database: file, out, bytes: size, without });
  output.out(`"${file}" is copied into "${out}": ${size} bytes`);
  for (const what of without) output.err(`Not in it: ${what}`);
  return 0;
}

type Ask = (sql: string) => number;

/** Parts of an API that are stored outside the database with this table; null: there are none. */
const BESIDE: Readonly<
  Record<NonNullable<ServiceTable["beside"]>, (table: string, ask: Ask) => string | null>
> = {
  databases(table, ask) {
    const count = ask(`SELECT count(*) FROM ${table} WHERE status <> 'deleted'`);
    if (count === 0) return null;
    const organizations = counted(count, "organization");
    return `the databases of ${organizations}: tenant export <output> --all --to <folder>`;
  },
  files: () => "files of records: copy the folder or the bucket that STORAGE_URL names, after this",
};

/** Returns rows and files of the same API that this database's copy lacks, according to its tables. */
function standingElsewhere(copy: string): readonly string[] {
  const database = new NativeDatabase(copy);
  try {
    const ask: Ask = (sql) => {
      const [[count] = []] = database.prepare(sql).raw(true).all() as unknown[][];
      return Number(count);
    };
    return serviceRecords().flatMap(({ table: { name }, beside }) => {
      if (!beside) return [];
      const isThere = ask(`SELECT count(*) FROM sqlite_schema WHERE name = '${name}'`) > 0;
      return (isThere ? BESIDE[beside](name, ask) : null) ?? [];
    });
  } finally {
    database.close();
  }
}

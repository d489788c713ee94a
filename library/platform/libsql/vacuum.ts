/** Copies a database into one file without a log beside it, which can be opened anywhere. */
import NativeDatabase from "libsql";

/** Writes the copy. `to` is readable by its owner only and must not exist. */
export async function vacuumInto(from: string, to: string): Promise<void> {
  await Deno.writeTextFile(to, "", { createNew: true, mode: 0o600 });
  const database = new NativeDatabase(from, { timeout: 5000 });
  try {
    database.prepare("VACUUM INTO ?").run([to]);
  } catch (error) {
    await Deno.remove(to);
    throw error;
  } finally {
    database.close();
  }
}

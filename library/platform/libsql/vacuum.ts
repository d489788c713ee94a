/** Writes what a database file holds into one file without a log beside it, which opens anywhere. */
import NativeDatabase from "libsql";

/** `to` is made for its owner alone; one that is there is refused. */
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

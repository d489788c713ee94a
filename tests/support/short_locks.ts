/**
 * A second process that hardly ever lets go of a database's write lock: `short_locks.ts <path>` takes it, writes, keeps it for a
 * few milliseconds and takes it again at once, until it is killed.
 */
import NativeDatabase from "libsql";

const HELD_MS = 5;

const database = new NativeDatabase(Deno.args[0] ?? "", { timeout: 60_000 });
database.exec("PRAGMA journal_mode = WAL");
database.exec("CREATE TABLE IF NOT EXISTS locks (number integer)");
const insert = database.prepare("INSERT INTO locks VALUES (1)");
for (let round = 0;; round++) {
  database.exec("BEGIN IMMEDIATE");
  insert.run();
  const until = performance.now() + HELD_MS;
  while (performance.now() < until);
  database.exec("COMMIT");
  if (round === 0) console.log("locking");
}

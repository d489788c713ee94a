/** A second process that holds a database's write lock: `lock_holder.ts <path>`, until its input ends. */
import NativeDatabase from "libsql";

const database = new NativeDatabase(Deno.args[0] ?? "");
database.exec("PRAGMA journal_mode = WAL");
database.exec("BEGIN IMMEDIATE");
console.log("locked");
await new Response(Deno.stdin.readable).arrayBuffer();
database.exec("COMMIT");
database.close();

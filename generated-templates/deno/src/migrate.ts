/**
 * Applies pending migrations and ends. With `--baseline` it first records the first one as applied, in a database that has its
 * tables already.
 */
import { endOnFailedStart, readEnvironment, readMigrateArguments } from "quickback/platform";
import { openMigratedDatabase } from "./database.ts";

endOnFailedStart(Deno.env);
const isBaseline = readMigrateArguments(Deno.args);
const { database, recorded, applied } = await openMigratedDatabase(
  await readEnvironment(Deno.env),
  isBaseline,
);
await database.close();
if (recorded) console.log("Recorded the first migration as applied: its tables are there");
console.log(applied.length === 0 ? "Nothing to migrate" : `Applied ${applied.join(", ")}`);

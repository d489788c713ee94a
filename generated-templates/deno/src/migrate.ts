/** Applies pending migrations and ends. */
import { endOnFailedStart, readEnvironment } from "quickback/platform";
import { openMigratedDatabase } from "./database.ts";

endOnFailedStart(Deno.env);
const { database, applied } = await openMigratedDatabase(await readEnvironment(Deno.env));
await database.close();
console.log(applied.length === 0 ? "Nothing to migrate" : `Applied ${applied.join(", ")}`);

/** Applies pending migrations and ends. */
import { readEnvironment } from "quickback/platform";
import { openMigratedDatabase } from "./database.ts";

const { database, applied } = await openMigratedDatabase(await readEnvironment(Deno.env));
await database.close();
console.log(applied.length === 0 ? "Nothing to migrate" : `Applied ${applied.join(", ")}`);

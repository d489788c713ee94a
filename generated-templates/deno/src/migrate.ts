/**
 * Applies pending migrations and ends. `--baseline` first records the first migration as applied, for a database that has its
 * tables. `--renamed` takes over what the project migrated under another name. `--all` also migrates the databases of all
 * organizations.
 */
import { organizationEnding } from "quickback/accounts";
import {
  endOnFailedStart,
  exportFiles,
  readEnvironment,
  readMigrateArguments,
  systemClock as clock,
  systemRandomness as random,
} from "quickback/platform";
import { project } from "quickback/project";
import { runTenantCommand } from "quickback/runtime";
import { openMigratedDatabase } from "./database.ts";

endOnFailedStart(Deno.env);
const { isAll, ...options } = readMigrateArguments(Deno.args);
const environment = await readEnvironment(Deno.env);
const { database, tenants, migrations, recorded, applied } = await openMigratedDatabase(
  environment,
  options,
);
if (recorded) console.log("Recorded the first migration as applied: its tables are there");
console.log(applied.length === 0 ? "Nothing to migrate" : `Applied ${applied.join(", ")}`);
if (isAll && tenants) {
  const { lines, hasFailed } = await runTenantCommand({ kind: "migrate" }, {
    project,
    endOrganization: organizationEnding(project),
    directory: database,
    tenants,
    migrations,
    clock,
    random,
    files: exportFiles(environment.databaseAuthToken),
    progress: (done, all) => {
      if (Deno.stderr.isTerminal()) console.error(`${done} of ${all}`);
    },
  });
  console.log(lines.join("\n"));
  Deno.exitCode = hasFailed ? 1 : 0;
}
await tenants?.close();
await database.close();

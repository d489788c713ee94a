/** The databases of organizations: `deno task tenant list|export|import|restore|move|delete|split`, `deno task migrate --all`. */
import { organizationEnding } from "quickback/accounts";
import {
  exportFiles,
  openFiles,
  readEnvironment,
  readTenantCommand,
  startFailure,
  systemClock as clock,
  systemRandomness as random,
  systemTimer as timer,
  TenantUsageError,
} from "quickback/platform";
import { project } from "quickback/project";
import { hasFiles, runTenantCommand } from "quickback/runtime";
import { openMigratedDatabase } from "./database.ts";

try {
  const { command, isJson } = readTenantCommand(Deno.args);
  const environment = await readEnvironment(Deno.env);
  const { database, tenants, store, migrations } = await openMigratedDatabase(environment);
  if (tenants === null || store === null) throw new Error("This project has one database");
  const { lines, json, hasFailed } = await runTenantCommand(command, {
    project,
    endOrganization: organizationEnding(project),
    directory: database,
    tenants,
    migrations,
    clock,
    random,
    moving: { store, timer },
    files: exportFiles(environment.databaseAuthToken),
    objects: hasFiles(project) ? (await openFiles(environment)).store : null,
    progress: (done, all) => {
      if (Deno.stderr.isTerminal()) console.error(`${done} of ${all}`);
    },
  });
  await tenants.close();
  await database.close();
  console.log(isJson ? JSON.stringify(json) : lines.join("\n"));
  Deno.exitCode = hasFailed ? 1 : 0;
} catch (error) {
  console.error(startFailure(error, Deno.env) ?? (error instanceof Error ? error.message : error));
  Deno.exitCode = error instanceof TenantUsageError ? 2 : 1;
}

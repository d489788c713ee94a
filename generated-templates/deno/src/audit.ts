/** The history of records: `deno task audit verify|erase`. */
import {
  auditLines,
  AuditUsageError,
  readAuditCommand,
  readEnvironment,
  startFailure,
} from "quickback/platform";
import { runAuditCommand } from "quickback/runtime";
import { openMigratedDatabase } from "./database.ts";

try {
  const { command, isJson } = readAuditCommand(Deno.args);
  const { database, tenants } = await openMigratedDatabase(await readEnvironment(Deno.env));
  const outcome = await runAuditCommand(command, { database, tenants });
  await tenants?.close();
  await database.close();
  console.log(isJson ? JSON.stringify(outcome) : auditLines(outcome).join("\n"));
  Deno.exitCode = outcome.kind === "verified" && outcome.hasFailed ? 1 : 0;
} catch (error) {
  console.error(startFailure(error, Deno.env) ?? (error instanceof Error ? error.message : error));
  Deno.exitCode = error instanceof AuditUsageError ? 2 : 1;
}

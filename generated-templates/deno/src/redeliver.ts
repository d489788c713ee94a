/** Emits the events of failed deliveries again: `deno task redeliver --since 2026-01-31`. */
import {
  readEnvironment,
  readRedelivery,
  redeliveryReport,
  startFailure,
  systemClock as clock,
  systemRandomness as random,
} from "quickback/platform";
import { redeliver } from "quickback/runtime";
import { openMigratedDatabase } from "./database.ts";

try {
  const request = readRedelivery(Deno.args, clock.now());
  const { database, tenants } = await openMigratedDatabase(await readEnvironment(Deno.env));
  const redelivered = await redeliver(request, { database, tenants, clock, random });
  await tenants?.close();
  await database.close();
  console.log(redeliveryReport(request, redelivered));
} catch (error) {
  console.error(startFailure(error, Deno.env) ?? (error instanceof Error ? error.message : error));
  Deno.exitCode = 1;
}

/** Serves the API: settings from the environment, ports from this platform, everything else from the runtime. */
import { createAccounts } from "quickback/accounts";
import {
  consoleLogger,
  memoryRateLimiter,
  readEnvironment,
  systemClock as clock,
  systemRandomness as random,
} from "quickback/platform";
import { project } from "quickback/project";
import { createApp } from "quickback/runtime";
import { openMigratedDatabase } from "./database.ts";

const environment = await readEnvironment(Deno.env);
const { settings, port, sysadminEmails } = environment;
const { database } = await openMigratedDatabase(environment);
const logger = consoleLogger({ clock });
const limiter = memoryRateLimiter({ clock });
const accounts = createAccounts(project, { database, settings, logger, sysadminEmails });
const app = createApp(project, { database, clock, random, logger, accounts, limiter }, settings);

Deno.serve({ port }, (request, { remoteAddr }) =>
  app.fetch(request, {
    clientIp: remoteAddr.transport === "tcp" ? remoteAddr.hostname : null,
  }));

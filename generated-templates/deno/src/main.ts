/** Serves the API: settings from the environment, ports from this platform, everything else from the runtime. */
import { createAccounts } from "quickback/accounts";
import {
  consoleLogger,
  dohResolver,
  memoryRateLimiter,
  pinnedDialer,
  readEnvironment,
  runWorker,
  serve,
  systemClock as clock,
  systemRandomness as random,
} from "quickback/platform";
import { project } from "quickback/project";
import { createApp, createWebhookWorker, databaseQueue, type Ports } from "quickback/runtime";
import { openMigratedDatabase } from "./database.ts";

const environment = await readEnvironment(Deno.env);
const { settings, sysadminEmails } = environment;
const { database } = await openMigratedDatabase(environment);
const logger = consoleLogger({ clock });
const limiter = memoryRateLimiter({ clock });
const accounts = createAccounts(project, { database, settings, logger, sysadminEmails });
const webhooks = {
  queue: databaseQueue({ database, clock, random }),
  resolver: dohResolver({ url: environment.webhookResolverUrl }),
  dialer: pinnedDialer(),
  env: Deno.env.toObject(),
};
const ports: Ports = { database, clock, random, logger, accounts, limiter, webhooks };
const openapi = project.openapi.generate
  ? await Deno.readTextFile(new URL("../openapi.json", import.meta.url))
  : null;
const app = createApp(project, ports, settings, { openapi });

const worker = runWorker(
  createWebhookWorker(project, { database, clock, logger, webhooks }),
  { logger },
);

async function onClosed() {
  await worker.stop();
  await database.close();
}

await serve({ ...environment, fetch: app.fetch, onClosed });

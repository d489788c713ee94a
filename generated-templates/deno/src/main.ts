/** Serves the API, with settings of the environment and the adapters of this platform. */
import { createAccounts } from "quickback/accounts";
import { actions, schema } from "quickback/actions";
import {
  configuredEmail,
  configuredEmbeddings,
  configuredPush,
  consoleLogger,
  detached,
  docsBrowser,
  dohResolver,
  endOnFailedStart,
  logUncaught,
  nameRequestSpan,
  openDatabaseCopy,
  openFiles,
  openSharedState,
  pinnedDialer,
  readEnvironment,
  runWorker,
  serve,
  startFacts,
  systemClock as clock,
  systemRandomness as random,
  systemTimer as timer,
  watched,
} from "quickback/platform";
import { project } from "quickback/project";
import {
  createApp,
  createAuthHooks,
  createBackgroundWorker,
  createSecretBox,
  databaseQueue,
  filesWithAddresses,
  hasFiles,
  memoryPubSub,
  type Ports,
  requireServerClock,
  rowQuotaOf,
  startEntry,
} from "quickback/runtime";
import { authored } from "quickback/services";
import { openMigratedDatabase } from "./database.ts";

const start = endOnFailedStart(Deno.env);
const environment = await readEnvironment(Deno.env);
const { settings, sysadminEmails } = environment;
const opened = hasFiles(project) ? await openFiles(environment) : null;
const files = opened && filesWithAddresses(opened, settings, clock);
const { database, tenants, migrations, applied } = await openMigratedDatabase(environment);
const logger = consoleLogger({ clock });
const counts = { migrations: migrations.length, applied: applied.length };
logger.log(startEntry(project, { ...startFacts(environment), ...counts }));
if (settings.databaseMode !== "file") await requireServerClock(database, clock);
const rowQuota = rowQuotaOf(environment.rowsMaxPerTenant, clock);
const copy = await openDatabaseCopy(environment, { database, logger });
const { name } = project;
const state = await openSharedState({ ...environment, name, clock, logger, database });
const realtime = { pubSub: state.pubSub ?? memoryPubSub(clock), timer };
const accounts = createAccounts(project, {
  database,
  copy,
  settings,
  logger,
  limiter: state.ports.limiter,
  detached,
  sysadminEmails,
  hooks: createAuthHooks(
    project,
    { database, tenants, clock, random, logger, realtime, rowQuota },
    { authored, schema, env: Deno.env.toObject() },
  ),
  ...configuredEmail(project.email, environment.smtpUrl),
});
const webhooks = {
  queue: databaseQueue({ database, clock, random }),
  resolver: dohResolver({ url: environment.webhookResolverUrl }),
  dialer: pinnedDialer(),
  secrets: createSecretBox(settings, random),
  ...configuredEmbeddings(environment),
  ...await configuredPush(project.realtime, { ...environment, variables: Deno.env, logger }),
  env: Deno.env.toObject(),
};
const ports: Ports = {
  database,
  copy,
  tenants,
  clock,
  random,
  timer,
  logger,
  processors: navigator.hardwareConcurrency,
  accounts,
  ...state.ports,
  webhooks,
  realtime,
  files,
  rowQuota,
};
const described = async (name: string) =>
  project.openapi.generate ? await Deno.readTextFile(new URL(`../${name}`, import.meta.url)) : null;
const app = createApp(project, ports, settings, {
  asyncapi: await described("asyncapi.json"),
  openapi: await described("openapi.json"),
  actions,
  authored,
  schema,
  env: Deno.env.toObject(),
  migrations,
  onRouted: nameRequestSpan,
  ...await watched({ ...environment, name, contract: project.contract, logger }),
  ...documentation(),
});

const worker = runWorker(
  createBackgroundWorker(
    project,
    { database, tenants, clock, random, timer, logger, webhooks, realtime, files, rowQuota },
    { authored, schema, logsAttempts: environment.accessLog, jobSlots: environment.jobSlots },
  ),
  { logger },
);

function documentation() {
  const { docs } = project.openapi;
  return docs === false ? {} : { docs: docsBrowser(docs) };
}

function onListening() {
  start.started();
  logUncaught(logger);
}

async function onClosed() {
  await worker.stop();
  await state.close();
  await copy?.close();
  await tenants?.close();
  await database.close();
}

await serve({ ...environment, logger, fetch: app.fetch, onListening, onEnding: app.end, onClosed });

/** Serves the API as an edge worker, with settings and bindings of the platform. */
import { createAccounts } from "quickback/accounts";
import { actions, schema } from "quickback/actions";
import {
  bindingRateLimiter,
  consoleLogger,
  dohResolver,
  noDialer,
  openWorkerDatabase,
  queueOfBindings,
  readWorkerEnvironment,
  serveWorker,
  systemClock as clock,
  systemRandomness as random,
  type WorkerApi,
  workerTimer as timer,
} from "quickback/cloudflare";
import { asyncapi, openapi } from "quickback/openapi";
import { project } from "quickback/project";
import {
  createApp,
  createAuthHooks,
  createBackgroundWorker,
  createSecretBox,
  databaseQueue,
  type Ports,
  rowQuotaOf,
} from "quickback/runtime";
import { authored } from "quickback/services";

export default serveWorker(createWorker);

function createWorker(bindings: object): WorkerApi {
  const environment = readWorkerEnvironment(bindings);
  const { settings, sysadminEmails, variables: env } = environment;
  const { database, scoped } = openWorkerDatabase({
    url: environment.databaseUrl,
    authToken: environment.databaseAuthToken,
    limits: environment.statementLimits,
  });
  const rowQuota = rowQuotaOf(environment.rowsMaxPerTenant, clock);
  const logger = consoleLogger({ clock });
  const limiter = bindingRateLimiter(bindings, { clock });
  const accounts = createAccounts(project, {
    database,
    settings,
    logger,
    limiter,
    detached: (run) => run(),
    sysadminEmails,
    hooks: createAuthHooks(
      project,
      { database, clock, random, logger, rowQuota },
      { authored, schema, env },
    ),
  });
  const queue = queueOfBindings(bindings, { clock });
  const webhooks = {
    queue: queue ?? databaseQueue({ database, clock, random }),
    resolver: dohResolver({ url: environment.webhookResolverUrl }),
    dialer: noDialer(),
    secrets: createSecretBox(settings, random),
    env,
  };
  const ports: Ports = {
    database,
    clock,
    random,
    timer,
    logger,
    accounts,
    limiter,
    webhooks,
    rowQuota,
  };
  const app = createApp(project, ports, settings, {
    asyncapi,
    openapi,
    actions,
    authored,
    schema,
    env,
  });
  const worker = createBackgroundWorker(
    project,
    { database, clock, random, timer, logger, webhooks, rowQuota },
    { authored, schema },
  );
  return { fetch: app.fetch, work, queue, scoped };

  async function work(): Promise<void> {
    while (await worker.tick() > 0) await worker.settled();
  }
}

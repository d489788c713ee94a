/** Plants the project's seed once: `deno task seed`. */
import { createAccounts, hashPassword } from "quickback/accounts";
import { actions, schema } from "quickback/actions";
import {
  configuredPush,
  consoleLogger,
  detached,
  dohResolver,
  memoryRateLimiter,
  openFiles,
  pinnedDialer,
  readEnvironment,
  startFailure,
  systemClock as clock,
  systemRandomness as random,
  systemTimer as timer,
} from "quickback/platform";
import { project } from "quickback/project";
import {
  createAuthHooks,
  createSecretBox,
  databaseQueue,
  filesWithAddresses,
  hasFiles,
  memoryPubSub,
  plantSeed,
  type Seed,
} from "quickback/runtime";
import { authored } from "quickback/services";
import { openMigratedDatabase } from "./database.ts";

/** File of the seed. It exists in outputs of projects with a seed, as this module does. */
const SEED = new URL("../seed.json", import.meta.url).href;

try {
  const { default: seed }: { readonly default: Seed } = await import(SEED, {
    with: { type: "json" },
  });
  const environment = await readEnvironment(Deno.env);
  const { settings } = environment;
  const { database, tenants } = await openMigratedDatabase(environment);
  const logger = consoleLogger({ clock });
  const env = Deno.env.toObject();
  const realtime = { pubSub: memoryPubSub(clock), timer };
  const common = { database, clock, random, logger, realtime };
  const accounts = createAccounts(project, {
    ...common,
    settings,
    limiter: memoryRateLimiter({ clock }),
    detached,
    hooks: createAuthHooks(project, common, { authored, schema, env }),
    email: { send: () => Promise.resolve() },
  });
  const webhooks = {
    queue: databaseQueue(common),
    resolver: dohResolver({ url: environment.webhookResolverUrl }),
    dialer: pinnedDialer(),
    secrets: createSecretBox(settings, random),
    ...await configuredPush(project.realtime, { ...environment, variables: Deno.env, logger }),
    env,
  };
  const opened = hasFiles(project) ? await openFiles(environment) : null;
  const files = opened && filesWithAddresses(opened, settings, clock);
  const planted = await plantSeed(seed, {
    project,
    ports: { ...common, tenants, accounts, limiter: null, webhooks, files },
    settings,
    options: { openapi: null, actions, authored, schema, env },
    hashPassword,
  });
  console.log(
    planted === null ? "This seed has been planted" : `Planted ${seed.rows.length} rows`,
  );
  await tenants?.close();
  await database.close();
} catch (error) {
  console.error(startFailure(error, Deno.env) ?? (error instanceof Error ? error.message : error));
  Deno.exitCode = 1;
}

/**
 * One instance of an API, with a worker, as the template makes it: settings from the environment, the project from
 * `PROJECT_FILE`, accounts with `ACCOUNTS`. Deliveries go to `RECEIVER_PORT` on this machine, whatever their host, and so does what the handler of
 * inbound events hands on; `POST /__emit` emits an event, `POST /__enqueue` queues a job that does, in its own transaction.
 */
import { z } from "zod";
import {
  consoleLogger,
  detached,
  openDatabase,
  openDatabaseCopy,
  openSharedState,
  openTenantStore,
  pinnedDialer,
  readEnvironment,
  runWorker,
  systemClock as clock,
  systemRandomness as random,
  systemTimer as timer,
} from "../../library/platform/mod.ts";
import { createAccounts } from "../../shared/accounts/mod.ts";
import { emitWebhookEvent } from "../../shared/authoring/mod.ts";
import type { HandlerEnv } from "../../shared/model/authored.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import { isPerOrganization } from "../../shared/model/tenancy.ts";
import {
  createApp,
  createBackgroundWorker,
  createSecretBox,
  databaseQueue,
  emitEvent,
  memoryPubSub,
  openTenantDatabases,
  type Ports,
} from "../../shared/runtime/mod.ts";
import { DatabaseUnavailableError } from "../../shared/runtime/ports.ts";
import { jobQueuesOf } from "../../shared/runtime/authored/job_queue.ts";
import { NO_CODE } from "../../shared/surface/authored_code.ts";
import { migrationOf } from "./divided_database.ts";
import { schemaOf } from "./model_database.ts";
import { passwords } from "./passwords.ts";
import { PATIENT } from "./redis_server.ts";

const event = z.object({ type: z.string(), payload: z.unknown(), organizationId: z.string() });

const environment = await readEnvironment(Deno.env);
const project: ProjectModel = JSON.parse(await Deno.readTextFile(variable("PROJECT_FILE")));
const database = await openDatabase({ url: environment.databaseUrl });
const logger = Deno.env.get("QUIET") === "1" ? { log: () => {} } : consoleLogger({ clock });
const copy = await openDatabaseCopy(environment, { database, logger });
const { name } = project;
const tenants = isPerOrganization(project)
  ? openTenantDatabases({
    project,
    directory: database,
    store: await openTenantStore(environment),
    migrations: [migrationOf(schemaOf(project))],
    clock,
    logger,
    timer,
    poolSize: environment.tenants.poolSize,
  })
  : null;
const state = await openSharedState({
  ...environment,
  ...PATIENT,
  name,
  clock,
  logger,
  database,
});
const dialer = pinnedDialer();
const receiver = `http://hooks.example.com:${variable("RECEIVER_PORT")}/`;
const webhooks = {
  queue: databaseQueue({ database, clock, random }),
  resolver: {
    resolve: () => Promise.resolve({ addresses: ["8.8.8.8"], exists: true, failure: null }),
  },
  dialer: {
    post: (request: Parameters<typeof dialer.post>[0]) =>
      dialer.post({ ...request, url: receiver, address: "127.0.0.1" }),
  },
  secrets: createSecretBox(environment.settings, random),
  env: Deno.env.toObject(),
};
const { settings } = environment;
const accounts = Deno.env.get("ACCOUNTS") === "1"
  ? createAccounts(project, {
    database,
    copy,
    settings,
    logger,
    limiter: state.ports.limiter,
    detached,
    passwords,
  })
  : null;
const ports: Ports = {
  database,
  copy,
  tenants,
  clock,
  random,
  timer,
  logger,
  accounts,
  ...state.ports,
  webhooks,
  realtime: { pubSub: state.pubSub ?? memoryPubSub(clock), timer },
};
const handler = {
  on: "standard:*",
  async handle({ data }: { readonly data: unknown }) {
    const body = JSON.stringify({ data });
    const response = await fetch(`http://127.0.0.1:${variable("RECEIVER_PORT")}/`, {
      method: "POST",
      body,
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`The receiver answered ${response.status}`);
  },
};
const job = {
  input: event,
  async run({ input, env }: { readonly input: z.output<typeof event>; readonly env: HandlerEnv }) {
    const { type, payload, organizationId } = input;
    await emitWebhookEvent(type, payload, { organizationId }, env);
  },
};
const own = tenants?.of("org_a", "known") ?? database;
let enqueued = 0;
const authored = { ...NO_CODE, webhookHandlers: [handler], jobs: { emit: job } };
const jobs = jobQueuesOf({
  project,
  code: authored,
  ports: { clock, random, logger },
  // Where each organization has a database: every other job begins its way in the directory.
  queue: (work) =>
    (enqueued++ % 2 === 0 ? own : database).write((transaction) =>
      work(transaction, { organizationId: "org_a", userId: null, teamId: null })
    ),
});
const app = createApp(project, ports, settings, { openapi: null, authored });
if (Deno.env.get("WORKER") !== "off") {
  runWorker(
    createBackgroundWorker(project, { ...ports, webhooks, timer }, {
      authored,
      lease: Number(Deno.env.get("LEASE") ?? 1000),
      requeueAfter: Number(Deno.env.get("REQUEUE_AFTER") ?? 2000),
    }),
    { logger, interval: 10 },
  );
}

Deno.serve({
  port: 0,
  hostname: "127.0.0.1",
  onListen: ({ port }) => console.log(`Listening on ${port}`),
}, async (request) => {
  const { pathname } = new URL(request.url);
  if (pathname === "/__enqueue") {
    return Response.json({ id: await jobs["emit"]?.enqueue(await request.json()) });
  }
  if (pathname !== "/__emit") return await app.fetch(request, { clientIp: null });
  const emitted = event.parse(await request.json());
  try {
    const count = await own.write((transaction) => emitEvent(transaction, emitted, ports));
    return Response.json({ count });
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) return new Response("", { status: 503 });
    throw error;
  }
});

function variable(name: string): string {
  const value = Deno.env.get(name);
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}

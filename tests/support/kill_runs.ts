/**
 * Kills an API, which emits and delivers, takes in events and handles them, or queues jobs and runs them, without warning and at random moments, and
 * counts what came of it: `deno run -A tests/support/kill_runs.ts --runs 200 --redis --direction inbound`. With Redis,
 * that is killed now and then too.
 */
import { parseArgs } from "node:util";
import {
  openDatabase,
  openTenantStore,
  systemClock as clock,
  systemRandomness,
} from "../../library/platform/mod.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import { insertEndpoint } from "../../shared/runtime/data/webhooks/endpoints.ts";
import { newSecret, signatureOf } from "../../shared/runtime/webhooks/outbound/secret.ts";
import { type Database, openTenantDatabases } from "../../shared/runtime/mod.ts";
import { dividedProject, migrationOf } from "./divided_database.ts";
import { foundAccounts } from "./found_accounts.ts";
import { type Instance, type InstancesUnderTest, withInstances } from "./instances.ts";
import { schemaOf } from "./model_database.ts";
import { seededRandom } from "./random.ts";
import { webhooksProject } from "./webhooks.ts";

export interface KillRunOptions {
  readonly runs: number;
  readonly redis: boolean;
  /** `outbound`: events are emitted and delivered; `inbound`: taken in and handed to a handler; `jobs`: emitted by jobs. */
  readonly direction: "outbound" | "inbound" | "jobs";
  /** Default: one database. */
  readonly tenancy?: ProjectModel["database"]["tenancy"];
  readonly seed: number;
}

export interface KillRunFigures {
  readonly runs: number;
  /** Times that Redis was killed, and started again with nothing. */
  readonly redisKills: number;
  /** Events whose emission, or whose arrival, was answered. */
  readonly emitted: number;
  /** Of those, events that never arrived. */
  readonly lost: number;
  /** Events that arrived under more than one id. */
  readonly underTwoIds: number;
  /** Calls beyond the first that an event arrived with, under its one id. */
  readonly repeated: number;
}

/** Milliseconds that a process lives at most after it has answered. */
const LIFE_MAX = 500;
const INBOUND_SECRET = newSecret(systemRandomness);
const ENV = { LEASE: "400", STANDARD_WEBHOOK_SECRET: INBOUND_SECRET };
const EMITTERS = 4;
/** For what is left when the killing is over. */
const DRAIN_MAX_MS = 300_000;

export async function killRuns(options: KillRunOptions): Promise<KillRunFigures> {
  const { runs, redis, direction, seed, tenancy } = options;
  const cause = { outbound: emit, inbound: receive, jobs: enqueue }[direction];
  const random = seededRandom(seed);
  const emitted: string[] = [];
  let redisKills = 0;
  const grounds = {
    project: tenancy ? dividedProject(killedProject) : killedProject,
    database: "file",
    redis,
    prepare: tenancy ? registerApart : registerReceiver,
  } as const;
  return await withInstances(grounds, async (underTest) => {
    const failing = new Set<string>();
    // One event in ten is refused at first: what waits for its next attempt is killed too.
    underTest.answers(({ data }) => {
      const name = String(data);
      if (!name.endsWith("7") || failing.has(name)) return 200;
      failing.add(name);
      return 503;
    });
    for (let run = 0; run < runs; run += 1) {
      const instance = await underTest.start(ENV);
      const causing = (payload: string) => cause(instance, payload);
      const emitting = untilKilled(causing, `run-${run}`, emitted);
      // A busy machine may kill all others before their first event.
      while (run === 0 && emitted.length === 0) await passed(5);
      await passed(random.below(LIFE_MAX));
      if (underTest.redis !== null && run % 10 === 9) {
        await underTest.redis.restart();
        redisKills += 1;
      }
      await instance.kill();
      await emitting;
    }
    await drain(underTest, emitted);
    return { runs, redisKills, ...count(underTest, emitted) };
  });
}

/** With a job whose transaction emits an event: what is emitted twice arrives under two ids. */
export const killedProject: ProjectModel = {
  ...webhooksProject,
  authored: {
    ...webhooksProject.authored,
    jobs: [{ name: "emit", module: "quickback/jobs/emit.ts", timeout: 60 }],
  },
};

/** An endpoint of `org_a` that takes every event. */
export async function registerReceiver(databaseUrl: string): Promise<void> {
  const database = await openDatabase({ url: databaseUrl });
  await foundAccounts(database, { organizations: ["org_a"] });
  await insertReceiver(database);
  await database.close();
}

/** The same where `org_a` has a database of its own. */
async function registerApart(databaseUrl: string): Promise<void> {
  const directory = await openDatabase({ url: databaseUrl });
  await foundAccounts(directory, { organizations: ["org_a"] });
  const variables = {
    folder: null,
    adminUrl: null,
    adminToken: null,
    urlTemplate: null,
    poolSize: 1,
  };
  const tenants = openTenantDatabases({
    project: killedProject,
    directory,
    store: await openTenantStore({ databaseUrl, databaseAuthToken: null, tenants: variables }),
    migrations: [migrationOf(schemaOf(dividedProject(killedProject)))],
    clock,
    logger: { log() {} },
    poolSize: 1,
  });
  await insertReceiver(tenants.of("org_a", "known"));
  await tenants.close();
  await directory.close();
}

async function insertReceiver(database: Database): Promise<void> {
  const endpoint = {
    id: "wep_1",
    name: "Receiver",
    url: "https://hooks.example.com/",
    secret: newSecret(systemRandomness),
    previousSecrets: [],
    events: ["*"],
    enabled: true,
    createdAt: "2026-01-02T03:04:05.678Z",
  };
  const owner = { scope: { kind: "organization", id: "org_a" }, createdBy: null } as const;
  await database.write((transaction) => insertEndpoint(transaction, endpoint, owner));
}

/** Notes each event that the API said it has. */
async function untilKilled(
  cause: (payload: string) => Promise<boolean>,
  prefix: string,
  emitted: string[],
): Promise<void> {
  let next = 0;
  const emitter = async () => {
    for (;;) {
      const payload = `${prefix}-${next}`;
      next += 1;
      if (!await cause(payload)) return;
      emitted.push(payload);
      await passed(5);
    }
  };
  await Promise.all(Array.from({ length: EMITTERS }, emitter));
}

/** False when the connection broke: nobody knows whether the event was emitted. */
export function emit(instance: Instance, payload: string): Promise<boolean> {
  const body = JSON.stringify({ type: "user.created", payload, organizationId: "org_a" });
  return isAnswered(instance, "/__emit", { method: "POST", body });
}

export function enqueue(instance: Instance, payload: string): Promise<boolean> {
  const body = JSON.stringify({ type: "user.created", payload, organizationId: "org_a" });
  return isAnswered(instance, "/__enqueue", { method: "POST", body });
}

/** As a provider sends it: signed, and now and then twice. */
async function receive(instance: Instance, payload: string): Promise<boolean> {
  const body = JSON.stringify({ type: "user.created", data: payload });
  const timestamp = Math.floor(Date.now() / 1000);
  const headers = {
    "webhook-id": payload,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": await signatureOf({ id: payload, timestamp, body }, [INBOUND_SECRET]),
  };
  const send = () =>
    isAnswered(instance, "/webhooks/v1/inbound/standard", { method: "POST", body, headers });
  const [once] = await Promise.all([send(), send()]);
  return once;
}

async function isAnswered(instance: Instance, path: string, init: RequestInit): Promise<boolean> {
  try {
    const response = await instance.fetch(path, init);
    await response.body?.cancel();
    return response.ok;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

async function drain(underTest: InstancesUnderTest, emitted: readonly string[]): Promise<void> {
  await underTest.start(ENV);
  const end = Date.now() + DRAIN_MAX_MS;
  const isDone = () => {
    const arrived = new Set(underTest.received.map(({ data }) => data));
    return emitted.every((payload) => arrived.has(payload));
  };
  while (!isDone() && Date.now() < end) await passed(100);
}

function count({ received }: InstancesUnderTest, emitted: readonly string[]) {
  const ids = new Map<unknown, string[]>();
  for (const { id, data } of received) ids.set(data, [...ids.get(data) ?? [], id]);
  const all = [...ids.values()];
  return {
    emitted: emitted.length,
    lost: emitted.filter((payload) => !ids.has(payload)).length,
    underTwoIds: all.filter((list) => new Set(list).size > 1).length,
    repeated: all.reduce((sum, list) => sum + list.length - new Set(list).size, 0),
  };
}

function passed(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

if (import.meta.main) {
  const { values } = parseArgs({
    args: Deno.args,
    options: {
      runs: { type: "string" },
      redis: { type: "boolean", default: false },
      direction: { type: "string" },
      seed: { type: "string" },
    },
  });
  const direction = (["inbound", "jobs"] as const).find((one) => one === values.direction) ??
    "outbound";
  const runs = Math.min(Number(values.runs ?? 10), 1000);
  console.log(
    await killRuns({ runs, redis: values.redis, direction, seed: Number(values.seed ?? 1) }),
  );
}

/**
 * Three instances with copies of one primary's database, and Redis, all of which are killed and held still in turn under load:
 * `deno task chaos --actions 200 --seed 7`. What was acknowledged must be there, once; every event must arrive; no right may
 * outlive its bound; realtime must go on.
 */
import { parseArgs } from "node:util";
import { openDatabase } from "../../library/platform/mod.ts";
import type { Database } from "../../shared/runtime/ports.ts";
import * as load from "./instance_load.ts";
import { type Instance, type InstancesUnderTest, withInstances } from "./instances.ts";
import { registerReceiver } from "./kill_runs.ts";
import { type Random, seededRandom } from "./random.ts";
import { sqld } from "./sqld.ts";
import { until } from "./until.ts";
import { webhooksProject } from "./webhooks.ts";

export interface ChaosOptions {
  readonly sqld: string;
  readonly actions: number;
  readonly seed: number;
  readonly say?: (line: string) => void;
}

export interface ChaosFigures {
  readonly done: Readonly<Record<string, number>>;
  /** Rows by how often they may be there. */
  readonly written: Readonly<Record<string, number>>;
  /** Names of rows that are there another number of times, or under another id than was answered. */
  readonly wrong: readonly string[];
  readonly emitted: number;
  readonly undelivered: readonly string[];
  readonly underTwoIds: readonly string[];
  readonly rights: load.RightsFigures;
  readonly heard: { readonly rows: number; readonly resyncs: number; readonly returns: number };
}

const INSTANCES = 3;
const WRITERS = 6;
const limit = { limit: 1_000_000, period: 60 } as const;
const NO_LIMITS = { read: limit, create: limit, update: limit, delete: limit };

/** Rows with names that may repeat, so that only we keep them from it. */
const project = {
  ...webhooksProject,
  auth: {
    ...webhooksProject.auth,
    jwt: webhooksProject.auth.jwt && { ...webhooksProject.auth.jwt, revocationCheck: true },
    rateLimit: { enabled: false, window: null, max: null },
  },
  tables: webhooksProject.tables.map((table) => ({
    ...table,
    indexes: table.indexes.filter(({ unique }) => !unique),
  })),
  realtime: { ...webhooksProject.realtime, enabled: true },
  resources: webhooksProject.resources.map((resource) => ({
    ...resource,
    rateLimits: { ...resource.rateLimits, ...NO_LIMITS },
    realtime: { onInsert: true, onUpdate: true, onDelete: true, roles: null, fields: [] },
  })),
};

export function chaos(options: ChaosOptions): Promise<ChaosFigures> {
  const grounds = {
    project,
    database: { sqld: options.sqld },
    redis: true,
    prepare: registerReceiver,
  } as const;
  return withInstances(grounds, async (underTest) => {
    const database = await openDatabase({ url: underTest.databaseUrl });
    try {
      return await run(options, underTest, database);
    } finally {
      await database.close();
    }
  });
}

/** One place of an instance and its copy, whichever process holds it. */
interface Place {
  readonly replica: string;
  instance: Instance | null;
}

async function run(
  { actions, seed, say = () => {} }: ChaosOptions,
  underTest: InstancesUnderTest,
  database: Database,
): Promise<ChaosFigures> {
  const random = seededRandom(seed);
  const places: Place[] = Array.from({ length: INSTANCES }, (_, at) => ({
    replica: `${underTest.folder}/copies/${at}.db`,
    instance: null,
  }));
  await Promise.all(places.map((place) => started(underTest, place)));
  let isOver = false;
  const fleet: load.Fleet = {
    get instances() {
      return places.flatMap(({ instance }) => instance ?? []);
    },
    random: seededRandom(seed + 1),
    isOver: () => isOver,
  };
  const written: load.Written = { keyed: new Map(), plain: new Map() };
  const emitted: string[] = [];
  const rights: load.RightsFigures = { turns: 0, refused: 0, outlived: [] };
  const heard: load.Heard = { rows: new Set(), resyncs: 0, returns: 0 };
  const held = await rightsOf(fleet, database);
  const isHearing = listening(fleet, heard, written);
  const clients = [
    ...Array.from({ length: WRITERS }, (_, at) => load.writeRows(fleet, `row-${at}`, written)),
    load.emitEvents(fleet, emitted),
    ...held.map((right) => load.watchRight(fleet, right, rights)),
    load.listen(fleet, heard),
  ];
  const all = Promise.all(clients);
  // A client that fails ends all: nobody waits for the others.
  all.catch(() => isOver = true);
  const done: Record<string, number> = {};
  const cast = actionsOf(underTest, random);
  const names = Object.keys(cast);
  for (let turn = 0; turn < actions && !isOver; turn += 1) {
    const name = turn < names.length
      ? names[(turn + seed) % names.length] ?? ""
      : random.pick(names);
    say(`${turn} ${name}`);
    await cast[name]?.(random.pick(places));
    done[name] = (done[name] ?? 0) + 1;
    await load.passed(200 + random.below(800));
  }
  say("All runs again");
  if (!isOver) await until("who listens hears what is written", isHearing);
  isOver = true;
  say("The clients end");
  await all;
  say("Events arrive");
  const arrived = () => new Set(underTest.received.map(({ data }) => String(data)));
  await until("each event has arrived", () => emitted.every((one) => arrived().has(one)));
  return {
    done,
    ...await judged(database, written),
    emitted: emitted.length,
    undelivered: emitted.filter((one) => !arrived().has(one)),
    underTwoIds: underTwoIds(underTest),
    rights,
    heard: { ...heard, rows: heard.rows.size },
  };
}

async function started(underTest: InstancesUnderTest, place: Place): Promise<void> {
  const { replica } = place;
  place.instance = await underTest.start({
    DATABASE_REPLICA: replica,
    ACCOUNTS: "1",
    LEASE: "1000",
    RIGHTS_MAX_AGE_MS: String(load.RIGHTS_MAX_AGE_MS),
    RUST_LOG: "off",
  });
}

type Action = (place: Place) => Promise<void>;

/** What is done to instances, copies, primary and Redis. Each is over when everything runs again. */
function actionsOf(
  underTest: InstancesUnderTest,
  random: Random,
): Readonly<Record<string, Action>> {
  const { primary, redis } = underTest;
  if (primary === null || redis === null) throw new Error("A primary and Redis belong to it");
  const restarted: Action = async (place) => {
    const { instance } = place;
    place.instance = null;
    await instance?.kill();
    await started(underTest, place);
  };
  const stillFor = async (
    process: { pause(): Promise<void>; resume(): void } | null,
    milliseconds: number,
  ) => {
    await process?.pause();
    await load.passed(milliseconds);
    process?.resume();
  };
  return {
    "kill an instance": restarted,
    "hold an instance": ({ instance }) => stillFor(instance, 1500 + random.below(1500)),
    "kill the primary": async () => {
      await primary.kill();
      await load.passed(random.below(1000));
      await primary.restart();
    },
    "hold the primary": () => stillFor(primary, 300 + random.below(1000)),
    "hold the primary for long": () => stillFor(primary, 4000),
    "remove a copy": async ({ replica }) => {
      for (const part of ["", "-wal", "-shm", "-client_wal_index"]) {
        if (random.chance(60)) await Deno.remove(replica + part).catch(() => undefined);
      }
    },
    "cut the copy of an instance that is killed": async (place) => {
      const { instance, replica } = place;
      place.instance = null;
      await instance?.kill();
      const { size } = await Deno.stat(replica).catch(() => ({ size: 0 }));
      if (size > 0) await Deno.truncate(replica, random.below(size));
      await started(underTest, place);
    },
    "kill Redis": async () => {
      await redis.kill();
      await load.passed(random.below(500));
      await redis.restart();
    },
    "hold Redis": () => stillFor(redis, 300 + random.below(1000)),
  };
}

/** Two who sign in: one with keys and an organization, one who becomes a member of it again and again. */
async function rightsOf(fleet: load.Fleet, database: Database): Promise<readonly load.Right[]> {
  const run = (sql: string, ...args: string[]) =>
    database.write((transaction) => transaction.run({ sql, args }));
  const [anna, ben] = [await load.signUp(fleet, "anna"), await load.signUp(fleet, "ben")];
  const headers = { cookie: anna.cookie };
  const body = { name: "acme", slug: "acme" };
  const asked = { headers, body };
  await load.askUntil(
    fleet,
    "/auth/v1/organization/create",
    asked,
    ({ status }) => status === 200,
  );
  await run("UPDATE auth_member SET role = 'owner,admin'");
  // Another one is there already, and which comes first depends on this one's random id.
  const { rows: [[organization] = []] } = await database.run({
    sql: "SELECT id FROM auth_organization WHERE slug = 'acme'",
    args: [],
  });
  let turn = 0;
  const join = async () => {
    const id = `member_${turn += 1}`;
    for (let isDone = false; !isDone;) {
      try {
        await run(
          "INSERT OR IGNORE INTO auth_member (id, organization_id, user_id, role, created_at) VALUES (?, ?, ?, 'member', ?)",
          id,
          String(organization),
          ben.id,
          new Date().toISOString(),
        );
        const active = "UPDATE auth_session SET active_organization_id = ? WHERE user_id = ?";
        await run(active, String(organization), ben.id);
        isDone = true;
      } catch {
        await load.passed(50);
      }
    }
    return id;
  };
  return [
    load.tokenRight(fleet),
    load.keyRight(fleet, anna.cookie),
    load.memberRight(fleet, { admin: anna.cookie, member: ben, join }),
  ];
}

/** True when a row that is written now is heard by whoever has listened from the beginning. */
function listening(fleet: load.Fleet, heard: load.Heard, written: load.Written) {
  let turn = 0;
  return async () => {
    const name = `last-${turn += 1}`;
    const key = { as: load.CLERK, body: { name }, headers: { "idempotency-key": name } };
    const isDone = ({ status }: load.Outcome) => status === 201;
    const { body } = await load.askUntil(fleet, "/api/v1/projects", key, isDone);
    written.keyed.set(name, String(body["id"]));
    await load.passed(500);
    return heard.rows.has(String(body["id"]));
  };
}

/** Holds the rows that are there against what their writers were told. */
async function judged(database: Database, { keyed, plain }: load.Written) {
  const { rows } = await database.run({ sql: "SELECT name, id FROM projects", args: [] });
  const stored = new Map<string, string[]>();
  for (const [name, id] of rows) {
    stored.set(String(name), [...stored.get(String(name)) ?? [], String(id)]);
  }
  const isRight = (times: number, expected: "once" | "never" | "at most once") =>
    expected === "at most once" ? times <= 1 : times === (expected === "once" ? 1 : 0);
  const wrong = [
    ...[...keyed].filter(([name, id]) => stored.get(name)?.join() !== id),
    ...[...plain].filter(([name, times]) => !isRight(stored.get(name)?.length ?? 0, times)),
  ].map(([name, said]) => `${name}: ${said}, and ${stored.get(name)?.join() ?? "none"} is there`);
  // A key that was not answered when all ended.
  const others = [...stored].filter(([name]) => !keyed.has(name) && !plain.has(name));
  wrong.push(
    ...others.filter(([, ids]) => ids.length > 1).map(([name]) => `${name} is there twice`),
  );
  const count = (times: string) => [...plain.values()].filter((one) => one === times).length;
  return {
    wrong,
    written: {
      keyed: keyed.size,
      once: count("once"),
      never: count("never"),
      "at most once": count("at most once"),
    },
  };
}

function underTwoIds({ received }: InstancesUnderTest): readonly string[] {
  const ids = new Map<string, Set<string>>();
  for (const { id, data } of received) {
    ids.set(String(data), (ids.get(String(data)) ?? new Set()).add(id));
  }
  return [...ids].filter(([, { size }]) => size > 1).map(([data]) => data);
}

if (import.meta.main) {
  const { values } = parseArgs({
    args: Deno.args,
    options: { actions: { type: "string" }, seed: { type: "string" } },
  });
  const program = await sqld();
  if (program === null) Deno.exit(1);
  const actions = Number(values.actions ?? 100);
  const seed = Number(values.seed ?? 1);
  console.log(await chaos({ sqld: program, actions, seed, say: console.log }));
}

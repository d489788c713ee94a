/** Measures of the generated API alone: credentials, depths of a list, two processes, and a profile. */
import { join } from "node:path";
import { CASES } from "./cases.ts";
import { type Contender, startContender } from "./contender.ts";
import { profiled } from "./profile.ts";
import { addTickets, BASE_URL, copyOf, tokenOf, type World } from "./world.ts";
import { load, type WrkRequest } from "./wrk.ts";

/** A figure with the ratio to its reference. */
export interface Compared {
  readonly name: string;
  readonly requestsPerSecond: number;
  readonly cpuMicros: number;
  readonly failures: number;
  /** Ratio to the first row of its kind, by requests and by processor time. */
  readonly ratio: number;
  readonly cpuRatio: number;
}

export interface Rounds {
  readonly seconds: number;
  readonly rounds: number;
}

interface Asked {
  readonly name: string;
  readonly requests: readonly WrkRequest[];
  readonly headers: Readonly<Record<string, string>>;
}

const EXTRA_PORT = 18_420;

async function started(world: World, name: string, at: number): Promise<Contender> {
  const database = await copyOf(world, join(world.folder, `${name}.db`));
  return await startContender("generated", { world, database, port: EXTRA_PORT + at });
}

/** Measures several kinds of requests of one contender in turns. */
async function compared(
  world: World,
  contender: Contender,
  asked: readonly Asked[],
  { seconds, rounds }: Rounds,
): Promise<readonly Compared[]> {
  const sums = asked.map(() => ({ requests: 0, seconds: 0, cpu: 0, failures: 0 }));
  for (let round = 0; round <= rounds; round++) {
    for (const [at, { requests, headers }] of asked.entries()) {
      const before = await contender.cpuSeconds();
      const one = await load(contender.origin, requests, {
        headers,
        seconds,
        folder: world.folder,
      });
      const sum = sums[at];
      // The first round warms up.
      if (round === 0 || !sum) continue;
      sum.requests += one.requests;
      sum.seconds += one.requests / one.requestsPerSecond;
      sum.cpu += await contender.cpuSeconds() - before;
      sum.failures += one.failures;
    }
  }
  const rates = sums.map((one) => one.requests / one.seconds);
  const cpus = sums.map((one) => one.cpu / one.requests * 1e6);
  return asked.map(({ name }, at) => ({
    name,
    requestsPerSecond: rates[at] ?? NaN,
    cpuMicros: cpus[at] ?? NaN,
    failures: sums[at]?.failures ?? NaN,
    ratio: (rates[at] ?? NaN) / (rates[0] ?? NaN),
    cpuRatio: (cpus[at] ?? NaN) / (cpus[0] ?? NaN),
  }));
}

/** Measures single reads by token, by API key and by session cookie. */
export async function compareCredentials(
  world: World,
  rounds: Rounds,
): Promise<readonly Compared[]> {
  await using contender = await started(world, "credentials", 0);
  const ask = asking(contender.origin);
  const person = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };
  const { cookie } = await ask("/auth/v1/sign-up/email", person);
  const { body: { id: organization } } = await ask(
    "/auth/v1/organization/create",
    { name: "Bench", slug: "bench" },
    { cookie },
  );
  const { body: { key } } = await ask("/auth/v1/api-key/create", { name: "bench" }, { cookie });
  const { body: { user } } = await ask("/auth/v1/get-session", undefined, { cookie });
  const records = Array.from({ length: 100 }, (_, at) => ({ subject: `Ticket ${at}` }));
  const { body: { success } } = await ask("/api/v1/tickets/batch", { records }, { cookie });
  const requests = listOf(success).map((made) => ({
    method: "GET",
    path: `/api/v1/tickets/${memberOf(made, "id")}`,
  }));
  const token = await tokenOf({
    subject: String(memberOf(user, "id")),
    organization: String(organization),
    role: "owner",
  });
  return await compared(world, contender, [
    { name: "bearer token", requests, headers: { authorization: `Bearer ${token}` } },
    { name: "API key", requests, headers: { "x-api-key": String(key) } },
    { name: "session cookie", requests, headers: { cookie } },
  ], rounds);
}

function asking(origin: string) {
  return async (path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(origin + path, {
      headers: { "content-type": "application/json", origin: BASE_URL, ...headers },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    const said: Readonly<Record<string, unknown>> = JSON.parse(text);
    const cookie = response.headers.getSetCookie().map((one) => one.split(";")[0]).join("; ");
    return { body: said, cookie };
  };
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) throw new Error(`No "${name}" in an answer`);
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error("An answer has no list");
  return value;
}

const DEPTHS = [1, 1_000, 100_000];
const DEEP_ROWS = 1_000_000;

/** Measures pages of 20 by cursor, at several depths of a list of a million. */
export async function compareDepths(world: World, rounds: Rounds): Promise<readonly Compared[]> {
  const database = await copyOf(world, join(world.folder, "deep.db"));
  await addTickets(database, "deep", DEEP_ROWS);
  await using contender = await startContender("generated", {
    world,
    database,
    port: EXTRA_PORT + 1,
  });
  const headers = { authorization: `Bearer ${world.token}` };
  const asked: Asked[] = [];
  for (const depth of DEPTHS) {
    const path = `/api/v1/tickets?limit=1&offset=${depth - 1}`;
    const body: unknown = await (await fetch(contender.origin + path, { headers })).json();
    const cursor = memberOf(memberOf(body, "pagination"), "nextCursor");
    const requests = [{ method: "GET", path: `/api/v1/tickets?limit=20&starting_after=${cursor}` }];
    asked.push({ name: `cursor after ${depth.toLocaleString("en")}`, requests, headers });
  }
  return await compared(world, contender, asked, rounds);
}

/** Measures single reads of one process, and of two over the same file. */
export async function compareProcesses(world: World, rounds: Rounds): Promise<readonly Compared[]> {
  const requests = CASES.find(({ name }) => name === "single read")?.requests ?? [];
  const database = await copyOf(world, join(world.folder, "processes.db"));
  await using running = new AsyncDisposableStack();
  const contenders: Contender[] = [];
  for (const at of [2, 3]) {
    const options = { world, database, port: EXTRA_PORT + at };
    contenders.push(running.use(await startContender("generated", options)));
  }
  const options = {
    headers: { authorization: `Bearer ${world.token}` },
    seconds: rounds.seconds,
    folder: world.folder,
  };
  const rates: [number[], number[]] = [[], []];
  for (let round = 0; round <= rounds.rounds; round++) {
    for (const [at, taking] of [contenders.slice(0, 1), contenders].entries()) {
      const loads = await Promise.all(
        taking.map(({ origin }) => load(origin, requests, options)),
      );
      if (round > 0) rates[at]?.push(loads.reduce((sum, one) => sum + one.requestsPerSecond, 0));
    }
  }
  const [one = NaN, two = NaN] = rates.map((all) => all.reduce((a, b) => a + b, 0) / all.length);
  const row = (name: string, rate: number) => ({
    name,
    requestsPerSecond: rate,
    cpuMicros: NaN,
    failures: 0,
    ratio: rate / one,
    cpuRatio: NaN,
  });
  return [row("one process", one), row("two processes", two)];
}

/** Measures the memory of a process at rest and after single reads, in megabytes. */
export async function soak(
  world: World,
  requests: number,
): Promise<{ readonly restMb: number; readonly soakedMb: number; readonly requests: number }> {
  await using contender = await started(world, "soak", 4);
  const reads = CASES.find(({ name }) => name === "single read")?.requests ?? [];
  const restMb = await contender.memoryMb();
  let answered = 0;
  while (answered < requests) {
    const { requests: some } = await load(contender.origin, reads, {
      headers: { authorization: `Bearer ${world.token}` },
      seconds: 10,
      folder: world.folder,
    });
    answered += some;
  }
  return { restMb, soakedMb: await contender.memoryMb(), requests: answered };
}

/** Folders of the runtime and other parts, by the prefix of their path. */
const PARTS: readonly (readonly [name: string, beginnings: readonly string[]])[] = [
  ["SQLite, driver, the system", ["libsql", "library/platform/libsql"]],
  ["HTTP server of the platform", ["ext:", "library/platform/serve", "library/platform/client_ip"]],
  ["request and router", ["runtime/request", "runtime/router", "runtime/app", "ipaddr"]],
  ["1 authentication", ["runtime/layers/1", "accounts", "jose", "runtime/gate"]],
  ["2 rate limit", ["runtime/layers/2", "library/platform/memory_rate", "surface/rate"]],
  ["3 firewall", ["runtime/layers/3"]],
  ["4 access", ["runtime/layers/4", "surface/admission"]],
  ["5 guards", ["runtime/layers/5", "surface/writable"]],
  ["6 validation", ["runtime/layers/6", "surface/", "column_types", "zod", "lib/json"]],
  ["operation", ["runtime/operations"]],
  ["data and masking", ["runtime/data", "runtime/layers/7", "contract/masks"]],
  ["response and entity tag", ["runtime/response", "lib/texts"]],
];

export interface PartShare {
  readonly name: string;
  readonly share: number;
}

/** Returns shares of processor time by part of the runtime, from V8's samples. */
export async function shareOfParts(world: World, caseName: string): Promise<readonly PartShare[]> {
  const inspector = "127.0.0.1:18439";
  const database = await copyOf(world, join(world.folder, "profiled.db"));
  const options = { world, database, port: EXTRA_PORT + 5, flags: [`--inspect=${inspector}`] };
  await using contender = await startContender("generated", options);
  const requests = CASES.find(({ name }) => name === caseName)?.requests ?? [];
  const headers = {
    authorization: `Bearer ${world.token}`,
    "content-type": "application/json",
  };
  const samples = await profiled(inspector, { origin: contender.origin, requests }, {
    headers,
    seconds: 3,
    folder: world.folder,
  });
  const shares = new Map<string, number>();
  for (const { name, file, share } of samples) {
    const path = name.startsWith("libsql_js") ? "libsql" : file;
    const [part = "the rest"] = PARTS.find(([, beginnings]) =>
      beginnings.some((one) => path.startsWith(one))
    ) ?? [];
    const known = name === "(garbage collector)" ? "garbage collector" : part;
    shares.set(known, (shares.get(known) ?? 0) + share);
  }
  return [...shares].map(([name, share]) => ({ name, share }));
}

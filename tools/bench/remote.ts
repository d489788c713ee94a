/**
 * `deno run -A tools/bench/remote.ts [--only creates]`: measures writes to a libSQL server behind a slow line. First, creates
 * under wrk's load with 16 and 64 writers, and with 16 at each of two processes: requests per second, processor time of API and
 * server, requests to the server. Then the round trips of each kind of write, and writes per second with 1, 16 and 64 writers
 * in a Deno process (in brackets: requests to the server per write).
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openDatabase } from "../../library/platform/mod.ts";
import { sqld, withSqld } from "../../tests/support/sqld.ts";
import { type Contender, cpuSecondsOf, startContender } from "./contender.ts";
import { type SlowLine, slowLine } from "../../tests/support/slow_line.ts";
import { filled, idOf, withWorld, type World } from "./world.ts";
import { load, requireWrk } from "./wrk.ts";

const { values: { seconds: text, delays: list, only } } = parseArgs({
  options: {
    seconds: { type: "string", default: "3" },
    delays: { type: "string", default: "0,1,20" },
    only: { type: "string", default: "" },
  },
});
const SECONDS = Number(text);
/** Delays in milliseconds one way. */
const DELAYS = list.split(",").map(Number);
const WRITERS = [1, 16, 64];
/** Writers of each of two processes. */
const PAIRED_WRITERS = 16;
const PORT = 18_460;

interface Write {
  readonly name: string;
  /** Makes a request. `turn` counts the writes of this kind. */
  request(turn: number): { readonly path: string; readonly init: RequestInit };
}

const TICKET = { subject: "The printer prints nothing but stars", points: 3 };
const TICKETS = "/api/v1/tickets";

function post(body: unknown, headers: Record<string, string> = {}): RequestInit {
  return { method: "POST", body: JSON.stringify(body), headers };
}

const WRITES: readonly Write[] = [
  { name: "create", request: () => ({ path: TICKETS, init: post(TICKET) }) },
  {
    name: "create under a key",
    request: () => ({
      path: TICKETS,
      init: post(TICKET, { "idempotency-key": crypto.randomUUID() }),
    }),
  },
  {
    name: "update",
    request: (turn) => ({
      path: `${TICKETS}/${idOf("ticket", turn % 1000)}`,
      init: { ...post({ subject: `Prints again ${turn}` }), method: "PATCH" },
    }),
  },
  {
    name: "action with a transition",
    // Every third ticket is resolved from the start.
    request: (turn) => {
      const id = idOf("ticket", 3 * Math.floor(turn / 2) % 999);
      return { path: `${TICKETS}/${id}/${turn % 2 === 0 ? "reopen" : "resolve"}`, init: post({}) };
    },
  },
  {
    name: "changeset of four",
    request: () => {
      const operation = { op: "create", resource: "tickets", data: TICKET };
      return {
        path: "/api/v1/changeset",
        init: post({ operations: [operation, operation, operation, operation] }),
      };
    },
  },
];

interface Asking {
  readonly world: World;
  readonly origins: readonly string[];
}

let turns = 0;

async function ask({ world, origins }: Asking, write: Write): Promise<void> {
  turns += 1;
  const { path, init } = write.request(turns);
  const origin = origins[turns % origins.length];
  const headers = new Headers(init.headers);
  headers.set("authorization", `Bearer ${world.token}`);
  headers.set("content-type", "application/json");
  const answer = await fetch(`${origin}${path}`, { ...init, headers });
  const said = await answer.text();
  if (!answer.ok) throw new Error(`${write.name}: ${answer.status} ${said}`);
}

async function rateOf(write: () => Promise<void>, writers: number): Promise<number> {
  let done = 0;
  const since = performance.now();
  const until = since + SECONDS * 1000;
  await Promise.all(Array.from({ length: writers }, async () => {
    while (performance.now() < until) {
      await write();
      done += 1;
    }
  }));
  return done / ((performance.now() - since) / 1000);
}

/** Returns the requests to the server for one write without other load. */
async function tripsOf(asking: Asking, write: Write, line: SlowLine): Promise<number> {
  const trips: number[] = [];
  for (let round = 0; round < 9; round++) {
    const before = line.requests();
    await ask(asking, write);
    trips.push(line.requests() - before);
  }
  return trips.sort((a, b) => a - b)[4] ?? NaN;
}

async function measure(world: World, line: SlowLine, contenders: readonly Contender[]) {
  const [first, ...others] = contenders.map(({ origin }) => origin);
  if (first === undefined) throw new Error("There is no process to measure");
  const one = { world, origins: [first] };
  for (const write of WRITES) {
    console.log(`| ${write.name} | ${await tripsOf(one, write, line)} round trips |`);
  }
  for (const delay of DELAYS) {
    line.delay = delay;
    for (const write of WRITES) {
      const cells: string[] = [];
      for (const writers of WRITERS) {
        const before = { requests: line.requests(), turns };
        const rate = await rateOf(() => ask(one, write), writers);
        const each = (line.requests() - before.requests) / (turns - before.turns);
        cells.push(`${rate.toFixed(1)} (${each.toFixed(2)})`);
      }
      const both = { world, origins: [first, ...others] };
      const rate = await rateOf(() => ask(both, write), 2 * PAIRED_WRITERS);
      cells.push(rate.toFixed(1));
      console.log(`| ${delay} ms | ${write.name} | ${cells.join(" | ")} |`);
    }
  }
}

/** Measures creates with a load generator that costs little. */
async function measureCreates(
  world: World,
  { line, pid }: {
    readonly line: SlowLine;
    readonly pid: number;
  },
  contenders: readonly Contender[],
): Promise<void> {
  const headers = { authorization: `Bearer ${world.token}`, "content-type": "application/json" };
  const requests = [{ method: "POST", path: TICKETS, body: JSON.stringify(TICKET) }];
  const spent = async () => ({
    api: (await Promise.all(contenders.map((one) => one.cpuSeconds()))).reduce((a, b) => a + b, 0),
    server: await cpuSecondsOf(pid),
    asked: line.requests(),
  });
  for (const delay of DELAYS) {
    line.delay = delay;
    for (const [processes, connections] of [[1, 16], [1, 16], [2, 16], [2, 16], [1, 64]] as const) {
      const options = { headers, seconds: SECONDS, folder: world.folder, connections };
      const before = await spent();
      const loads = await Promise.all(
        contenders.slice(0, processes).map(({ origin }) => load(origin, requests, options)),
      );
      const after = await spent();
      const done = loads.reduce((sum, one) => sum + one.requests, 0);
      const rate = loads.reduce((sum, one) => sum + one.requestsPerSecond, 0);
      if (loads.some(({ failures }) => failures > 0)) throw new Error("Writes failed");
      const micros = (seconds: number) => `${(seconds / done * 1e6).toFixed()} µs`;
      const cells = [
        `${delay} ms`,
        `${processes} × ${connections}`,
        `${rate.toFixed()} a second`,
        `API ${micros(after.api - before.api)}`,
        `server ${micros(after.server - before.server)}`,
        `${((after.asked - before.asked) / done).toFixed(2)} requests`,
      ];
      console.log(`| creates | ${cells.join(" | ")} |`);
    }
  }
  line.delay = 0;
}

/** Measures the driver without an API: inserts of one round trip. */
async function measureDriver(line: SlowLine): Promise<void> {
  const database = await openDatabase({ url: line.url });
  await database.migrate([{ sql: "CREATE TABLE marks (id text PRIMARY KEY)", args: [] }]);
  const insert = () =>
    database.write(async (transaction) => {
      transaction.line?.conclude();
      const args = [crypto.randomUUID()];
      await transaction.run({ sql: "INSERT INTO marks VALUES (?)", args });
    });
  for (const delay of DELAYS) {
    line.delay = delay;
    const rates: string[] = [];
    for (const writers of WRITERS) rates.push((await rateOf(insert, writers)).toFixed(1));
    console.log(`| ${delay} ms | insert by the driver alone | ${rates.join(" | ")} |`);
  }
  line.delay = 0;
  await database.close();
}

await requireWrk();
const program = await sqld();
if (program === null) Deno.exit(1);
await withWorld((world) =>
  withSqld(program, async (server) => {
    await filled(world.output, server.url);
    const line = slowLine(server.url);
    try {
      if (only === "") await measureDriver(line);
      await using running = new AsyncDisposableStack();
      const contenders: Contender[] = [];
      for (const at of [0, 1]) {
        const database = join(world.folder, "unused.db");
        const options = { world, database, server: line.url, port: PORT + at };
        contenders.push(running.use(await startContender("generated", options)));
      }
      await measureCreates(world, { line, pid: server.pid ?? 0 }, contenders);
      if (only === "") await measure(world, line, contenders);
    } finally {
      line.close();
    }
  })
);

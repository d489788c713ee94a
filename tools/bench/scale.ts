/**
 * `deno run -A tools/bench/scale.ts`: measures 10,000 tenants in one database, whose rows and requests follow Zipf's law. It
 * prints requests per second, processor time and memory of each process, for processes on one file and for processes with
 * copies of a server's database. docs/scale.md draws the conclusions. `--seconds`, `--shapes file:1,copy:3` and `--connections`
 * shorten a run.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import NativeDatabase from "libsql";
import { seededRandom } from "../../tests/support/random.ts";
import { sqld, withSqld } from "../../tests/support/sqld.ts";
import { type Contender, cpuSecondsOf, startContender } from "./contender.ts";
import { copyOf, tokenOf, withWorld, type World } from "./world.ts";
import { load, requireWrk, type WrkRequest } from "./wrk.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "4" },
    shapes: { type: "string", default: "file:1,file:2,copy:1,copy:2,copy:3" },
    connections: { type: "string", default: "16" },
  },
});
const SECONDS = Number(values.seconds);
const CONNECTIONS = Number(values.connections);
const TENANTS = 10_000;
const ROWS = 50_000;
const REQUESTS = 4_000;
const PORT = 18_480;
const TICKETS = "/api/v1/tickets";

/** Returns the tenant of a row. Few tenants have most rows, uniformly on a logarithmic scale. */
function tenantOf(row: number): number {
  return Math.floor(TENANTS ** (((row * 7919) % ROWS) / ROWS));
}

/** Fills the file and returns the bytes of an empty tenant and of a row. */
function fill(path: string): { readonly tenant: number; readonly row: number } {
  const database = new NativeDatabase(path);
  const pages = () => {
    const [[count], [size]] = ["page_count", "page_size"].map((name) =>
      database.prepare(`PRAGMA ${name}`).raw(true).get() as [number]
    ) as [[number], [number]];
    return count * size;
  };
  const numbers = (count: number) =>
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})`;
  database.exec("PRAGMA journal_mode = DELETE");
  const before = pages();
  const at = "'2026-01-02T03:04:05.678Z'";
  database.exec(
    `${
      numbers(TENANTS)
    } INSERT INTO auth_user (id, name, email, email_verified, created_at, updated_at) ` +
      `SELECT printf('user_%024d', i), printf('User %d', i), printf('user%d@example.com', i), 1, ${at}, ${at} FROM n;` +
      `${numbers(TENANTS)} INSERT INTO auth_organization (id, name, slug, created_at) ` +
      `SELECT printf('org_%05d', i), printf('Organization %d', i), printf('org-%d', i), ${at} FROM n;` +
      `${
        numbers(TENANTS)
      } INSERT INTO auth_member (id, organization_id, user_id, role, created_at) ` +
      `SELECT printf('member_%024d', i), printf('org_%05d', i), printf('user_%024d', i), 'owner', ${at} FROM n;`,
  );
  const empty = pages();
  const tenants = JSON.stringify(Array.from({ length: ROWS }, (_, row) => tenantOf(row)));
  database.prepare(
    "INSERT INTO tickets (id, organization_id, subject, description, channel, priority, status, " +
      "points, due_at, created_at, created_by) " +
      "SELECT printf('scale_%032x', key), printf('org_%05d', value), printf('Ticket %d', key), " +
      "'It worked yesterday, and the day before that, really.', 'web', 'normal', 'open', " +
      `key % 13, ${at}, strftime('%Y-%m-%dT%H:%M:%fZ', 1767225600 + key, 'unixepoch'), 'user_1' ` +
      "FROM json_each(?)",
  ).run(tenants);
  database.exec("ANALYZE");
  const full = pages();
  database.close();
  return { tenant: (empty - before) / TENANTS, row: (full - empty) / ROWS };
}

/** Makes requests for uniformly drawn rows, so that tenants with many rows are requested more often. */
async function requestsOf(kinds: readonly string[]): Promise<readonly WrkRequest[]> {
  const random = seededRandom(17);
  const tokens = new Map<string, string>();
  const requests: WrkRequest[] = [];
  for (let count = 0; count < REQUESTS; count += 1) {
    const row = random.below(ROWS);
    const organization = `org_${String(tenantOf(row)).padStart(5, "0")}`;
    const token = tokens.get(organization) ??
      await tokenOf({ subject: "user_1", organization, role: "agent" });
    tokens.set(organization, token);
    const kind = kinds[count % kinds.length];
    requests.push(
      kind === "create"
        ? { method: "POST", path: TICKETS, body: CREATE, token }
        : kind === "list"
        ? { method: "GET", path: `${TICKETS}?limit=20`, token }
        : { method: "GET", path: `${TICKETS}/scale_${row.toString(16).padStart(32, "0")}`, token },
    );
  }
  return requests;
}

const CREATE = JSON.stringify({ subject: "The printer prints nothing but stars", points: 3 });
const MIXES: Readonly<Record<string, readonly string[]>> = {
  "list of 20": ["list"],
  "single read": ["single"],
  create: ["create"],
  "nine reads, one create": [
    "list",
    "single",
    "list",
    "single",
    "list",
    "single",
    "list",
    "single",
    "list",
    "create",
  ],
};

/** Sends each mix to all processes of a shape at once. */
async function measure(
  world: World,
  shape: string,
  { contenders, serverPid }: {
    readonly contenders: readonly Contender[];
    readonly serverPid: number | null;
  },
): Promise<void> {
  const spent = async () => ({
    api: (await Promise.all(contenders.map((one) => one.cpuSeconds()))).reduce((a, b) => a + b, 0),
    server: serverPid === null ? 0 : await cpuSecondsOf(serverPid),
  });
  for (const [name, kinds] of Object.entries(MIXES)) {
    const requests = await requestsOf(kinds);
    const options = {
      headers: { "content-type": "application/json" },
      seconds: SECONDS,
      folder: world.folder,
      connections: CONNECTIONS,
    };
    const before = await spent();
    const loads = await Promise.all(
      contenders.map(({ origin }) => load(origin, requests, options)),
    );
    const after = await spent();
    const done = loads.reduce((sum, one) => sum + one.requests, 0);
    const failures = loads.reduce((sum, one) => sum + one.failures, 0);
    if (failures > 0) throw new Error(`${failures} requests of "${name}" failed on ${shape}`);
    const rate = loads.reduce((sum, one) => sum + one.requestsPerSecond, 0);
    const micros = (seconds: number) => (seconds / done * 1e6).toFixed();
    const p99 = Math.max(...loads.map((one) => one.p99Ms)).toFixed();
    console.log(
      `| ${shape} | ${name} | ${rate.toFixed()} | ${micros(after.api - before.api)} µs | ` +
        `${micros(after.server - before.server)} µs | ${p99} ms |`,
    );
  }
  const memory = await Promise.all(contenders.map((one) => one.memoryMb()));
  console.log(
    `| ${shape} | memory of each process | ${memory.map((one) => one.toFixed()).join(", ")} MB |`,
  );
}

await requireWrk();
const program = await sqld();
if (program === null) Deno.exit(1);
await withWorld(async (world) => {
  const filled = await copyOf(world, join(world.folder, "tenants.db"));
  const { tenant, row } = fill(filled);
  console.log(
    `An empty tenant takes ${tenant.toFixed()} bytes, a row ${row.toFixed()} with its indexes`,
  );
  for (const shape of values.shapes.split(",")) {
    const [kind, processes] = shape.split(":");
    await using running = new AsyncDisposableStack();
    const start = async (
      at: number,
      place: { readonly database: string; readonly server?: string; readonly replica?: string },
    ) => running.use(await startContender("generated", { world, port: PORT + at, ...place }));
    const turns = Array.from({ length: Number(processes) }, (_, at) => at);
    if (kind === "file") {
      const database = join(world.folder, `${shape.replace(":", "-")}.db`);
      await Deno.copyFile(filled, database);
      const contenders = [];
      for (const at of turns) contenders.push(await start(at, { database }));
      await measure(world, shape, { contenders, serverPid: null });
    } else {
      await withSqld(program, async ({ url, pid }) => {
        const contenders = [];
        for (const at of turns) {
          const replica = join(world.folder, "copies", `${shape.replace(":", "-")}-${at}.db`);
          contenders.push(await start(at, { database: "", server: url, replica }));
        }
        await measure(world, shape, { contenders, serverPid: pid });
        await running.disposeAsync();
      }, { database: filled });
    }
  }
});

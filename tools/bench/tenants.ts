/**
 * `deno run -A tools/bench/tenants.ts`: measures a database for each organization in this process without network: the cost of
 * an empty and of an open one, the migration of all, and requests of organizations that follow Zipf's law. `--tenants`,
 * `--seconds` and `--pools` set the extent.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openTenantFiles } from "../../library/platform/libsql/tenant_files.ts";
import {
  openDatabase,
  systemClock as clock,
  systemRandomness as random,
} from "../../library/platform/mod.ts";
import { validate } from "../../shared/compiler/mod.ts";
import { applyMigrations, createApp, openTenantDatabases } from "../../shared/runtime/mod.ts";
import { AUTH_SECRET, BASE_URL, tokenFor } from "../../tests/support/api.ts";
import { migrationOf } from "../../tests/support/divided_database.ts";
import { schemaOf } from "../../tests/support/model_database.ts";
import { seededRandom } from "../../tests/support/random.ts";

const { values } = parseArgs({
  options: {
    tenants: { type: "string", default: "3000" },
    seconds: { type: "string", default: "10" },
    pools: { type: "string", default: "200,2000" },
  },
});
const TENANTS = Number(values.tenants);
const SECONDS = Number(values.seconds);
const POOLS = values.pools.split(",").map(Number);
const TOGETHER = 16;

const ROLES = `{ access: { roles: ["AUTHENTICATED"] } }`;
const FILES = {
  "quickback/quickback.config.ts": `import { defineConfig, defineDatabase } from "quickback";
export default defineConfig({
  name: "tenants",
  rateLimit: { read: { limit: 1000000, period: 60 }, create: { limit: 1000000, period: 60 } },
  providers: { database: defineDatabase("libsql", { tenancy: "perOrganization" }) },
});
`,
  "quickback/features/tickets/tickets.ts": `import { feature, q } from "quickback";
export default feature("tickets", {
  columns: {
    organizationId: q.scope("organization"),
    subject: q.text().required(),
    status: q.enum(["open", "closed"]).required().default("open"),
  },
  guards: { createable: ["subject"] },
  read: ${ROLES},
  create: ${ROLES},
});
`,
};

const folder = await Deno.makeTempDir({ prefix: "quickback-tenants-" });
try {
  await measure(folder);
} finally {
  await Deno.remove(folder, { recursive: true });
}

async function measure(folder: string): Promise<void> {
  const validation = validate(FILES);
  if (!validation.ok) throw new Error(JSON.stringify(validation.errors));
  const project = validation.model;
  const first = migrationOf(schemaOf(project));
  const directory = await openDatabase({ url: `file:${folder}/directory.db` });
  await applyMigrations(directory, [first], "directory");
  const open = async (migrations: typeof first[], poolSize: number) =>
    openTenantDatabases({
      project,
      directory,
      store: await openTenantFiles({
        folder: join(folder, "tenants"),
        busyTimeout: 5000,
        synchronous: "FULL",
      }),
      migrations,
      clock,
      logger: { log() {} },
      poolSize,
    });
  const ids = Array.from({ length: TENANTS }, (_, at) => `org_${String(at).padStart(6, "0")}`);

  const making = await open([first], 4);
  const made = await timed(() => inParallel(ids, 4, (id) => making.found(id)));
  await making.close();
  const bytes = await bytesOf(join(folder, "tenants"));
  tell("making an empty one", `${perThousand(made)} s a thousand`);
  tell("disk of an empty one", `${Math.round(bytes / TENANTS / 1024)} kB`);

  const second = { tag: "0001_note", when: 2, sql: "ALTER TABLE tickets ADD note text" };
  const migrating = await open([first, second], 4);
  const migrated = await timed(() => inParallel(ids, 4, (id) => migrating.found(id)));
  await migrating.close();
  tell("a migration of a column", `${perThousand(migrated)} s a thousand, four at a time`);

  const opened = Math.min(TENANTS, 1000);
  const keeping = await open([first, second], opened);
  const before = Deno.memoryUsage().rss;
  for (const id of ids.slice(0, opened)) {
    await keeping.of(id, "never").run({ sql: "SELECT count(*) FROM tickets", args: [] });
  }
  const grown = Deno.memoryUsage().rss - before;
  tell("memory of an open one", `${Math.round(grown / opened / 1024)} kB`);
  await keeping.close();

  for (const pool of POOLS) {
    await simulate(project, { directory, ids, pool, open: () => open([first, second], pool) });
  }
  await directory.close();
}

interface Simulated {
  readonly directory: Awaited<ReturnType<typeof openDatabase>>;
  readonly ids: readonly string[];
  /** Most open databases. */
  readonly pool: number;
  open(): Promise<ReturnType<typeof openTenantDatabases>>;
}

async function simulate(
  project: Parameters<typeof createApp>[0],
  { directory, ids, pool, open }: Simulated,
): Promise<void> {
  const tenants = await open();
  const settings = {
    baseUrl: BASE_URL,
    authSecret: AUTH_SECRET,
    production: true,
    exposeErrorStack: false,
    allowedHosts: null,
  };
  const ports = {
    ...{ database: directory, copy: null, tenants, clock, random, logger: { log() {} } },
    ...{ accounts: null, limiter: null },
  };
  const app = createApp(project, ports, settings, { openapi: null });
  const choose = zipf(ids);
  const tokens = new Map<string, string>();
  const tokenOf = async (id: string) => {
    const claims = { sub: `user_${id}`, orgId: id, roles: ["member"] };
    const token = tokens.get(id) ?? await tokenFor(claims, clock.now());
    tokens.set(id, token);
    return token;
  };
  for (const id of ids) await tokenOf(id);
  const latencies: number[] = [];
  const end = performance.now() + SECONDS * 1000;
  const cpu = cpuSeconds();
  const client = async () => {
    for (let at = 0; performance.now() < end; at += 1) {
      const id = choose();
      const isCreate = at % 10 === 9;
      const headers = new Headers({
        authorization: `Bearer ${await tokenOf(id)}`,
        host: new URL(BASE_URL).host,
        ...(isCreate ? { "content-type": "application/json" } : {}),
      });
      const request = new Request(`${BASE_URL}/api/v1/tickets`, {
        method: isCreate ? "POST" : "GET",
        headers,
        ...(isCreate ? { body: JSON.stringify({ subject: `Ticket ${at}` }) } : {}),
      });
      const began = performance.now();
      const response = await app.fetch(request, { clientIp: null });
      await response.arrayBuffer();
      latencies.push(performance.now() - began);
      if (!response.ok) throw new Error(`Answered ${response.status}`);
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, client));
  const used = cpuSeconds() - cpu;
  latencies.sort((one, other) => one - other);
  const at = (share: number) => (latencies[Math.floor(latencies.length * share)] ?? 0).toFixed(1);
  tell(
    `${ids.length} organizations by Zipf's law, ${pool} open, nine lists and one create`,
    `${Math.round(latencies.length / SECONDS)} requests a second, ` +
      `${Math.round(used / latencies.length * 1e6)} µs of processor each, ` +
      `half within ${at(0.5)} ms, 99 % within ${at(0.99)} ms`,
  );
  tell("memory of the process", `${Math.round(Deno.memoryUsage().rss / 1024 / 1024)} MB`);
  app.end();
  await tenants.close();
}

/** Returns a function that draws organizations by Zipf's law. */
function zipf(ids: readonly string[]): () => string {
  const weights = ids.map((_, at) => 1 / (at + 1));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const random = seededRandom(3);
  return () => {
    let left = random.below(1_000_000) / 1_000_000 * all;
    const at = weights.findIndex((weight) => (left -= weight) <= 0);
    return ids.at(at) ?? "";
  };
}

async function inParallel(
  ids: readonly string[],
  count: number,
  work: (id: string) => Promise<void>,
): Promise<void> {
  const left = ids.values();
  await Promise.all(Array.from({ length: count }, async () => {
    for (const id of left) await work(id);
  }));
}

/** Returns the seconds that the work takes. */
async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

function perThousand(seconds: number): string {
  return (seconds / TENANTS * 1000).toFixed(1);
}

async function bytesOf(folder: string): Promise<number> {
  let bytes = 0;
  for await (const { name } of Deno.readDir(folder)) {
    if (name.endsWith(".db")) bytes += (await Deno.stat(join(folder, name))).size;
  }
  return bytes;
}

/** Returns this process's processor seconds as the system counts them. */
function cpuSeconds(): number {
  const fields = Deno.readTextFileSync("/proc/self/stat").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function tell(what: string, figure: string): void {
  console.log(`${what}: ${figure}`);
}

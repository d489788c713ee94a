/** Tests of a project: the compiled API in this process, without a server (`quickback/testing`). */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ApiShape } from "../client/mod.ts";
import { createAccounts, hashPassword } from "../../shared/accounts/mod.ts";
import { detached, memoryRateLimiter, openDatabase } from "../platform/mod.ts";
import { seededBytes } from "../../shared/lib/seeded_bytes.ts";
import type { Principal, SeedPrincipal } from "../../shared/model/mod.ts";
import * as runtime from "../../shared/runtime/mod.ts";
import { BASE_URL, type CallerHeaders, type TestCaller, testCaller } from "./callers.ts";
import { principalOf, type TestPrincipal } from "./test_principal.ts";
import { type CompiledOutput, compiledOutput } from "./compiled_output.ts";
import { seedPrincipalOf, type SeedRows, seedRowsOf } from "./seed_rows.ts";
import { type NewAccount, type SignedUp, signedUp } from "./sign_up.ts";

export type { SeedRows, SignedUp, TestCaller, TestPrincipal };

/** A request that the API sent: a webhook or a push message. It was answered with 200 and never left the process. */
export interface SentRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The API without a caller; `as` makes callers. `Api` is the project's generated type. */
export interface TestApp<Api extends ApiShape = ApiShape> extends TestCaller<Api>, AsyncDisposable {
  as(principal: TestPrincipal): TestCaller<Api>;
  /** Makes a signed-in account, which sends its session's cookie. Throws if strangers cannot sign up by password. */
  signUp(account?: Partial<NewAccount>): Promise<SignedUp<Api>>;
  /**
   * Without rows: plants the project's seed once. With rows: creates them as the seed's `as`, or as the `$by` of each. Returns
   * the named rows. Throws, and keeps nothing, if the API refuses one.
   */
  seed(rows?: SeedRows): Promise<runtime.PlantedRows>;
  /** Moves the API's clock, which stands still otherwise. */
  advance(seconds: number): void;
  /** Runs all work that is due by the API's clock: jobs, schedules, deliveries. */
  runJobs(): Promise<void>;
  /** Returns the requests sent so far, the oldest first. */
  outbox(): readonly SentRequest[];
  close(): Promise<void>;
}

export interface TestAppOptions {
  /** Time at the start. Default: 2026-01-01T00:00:00Z. */
  readonly now?: Date;
  /** Variables that the author's code gets as `env`. Default: none. */
  readonly env?: Readonly<Record<string, string>>;
}

const START = Date.UTC(2026, 0, 1);
const RANDOM_SEED = 0x7e57ab1e;
/** A timer that never fires, because the test controls time. */
const NO_TIMER: runtime.Timer = { after: () => () => {} };

/**
 * Starts the API of an output over an empty database. Each request passes all layers except rate limits. Ids and times are the
 * same in every run. `output` is a compiled output's folder, the URL of its `src/project.ts`
 * (`import.meta.resolve("quickback/project")`), or a folder of definitions, which is compiled once per process. Throws if there
 * is neither, if the definitions do not compile, if the output has another version, and under another runtime than Deno.
 */
export async function createTestApp<Api extends ApiShape = ApiShape>(
  output: string | URL,
  { now = new Date(START), env = {} }: TestAppOptions = {},
): Promise<TestApp<Api>> {
  // The package's other exports also run under Node.
  if (!("Deno" in globalThis)) {
    throw new Error(
      "createTestApp runs the API, which needs Deno: npx deno test -A --config <output>/deno.json <tests>",
    );
  }
  const compiled = await compiledOutput(output);
  const folder = await Deno.makeTempDir({ prefix: "quickback-testing-" });
  const file = join(folder, "test.db");
  const remove = () => Deno.remove(folder, { recursive: true });
  try {
    for (const { suffix, bytes } of await emptyDatabase(compiled, folder)) {
      await Deno.writeFile(file + suffix, bytes);
    }
    const database = await openDatabase(optionsFor(file));
    const close = async () => {
      await database.close();
      await remove();
    };
    return startApp(compiled, { database, env, time: { now: now.getTime() }, close });
  } catch (error) {
    await remove();
    throw error;
  }
}

interface DatabaseFile {
  readonly suffix: string;
  readonly bytes: Uint8Array;
}

/** Migrated databases without rows. A copy is much faster than the migrations. */
const EMPTY = new WeakMap<CompiledOutput, Promise<readonly DatabaseFile[]>>();

function emptyDatabase(
  compiled: CompiledOutput,
  folder: string,
): Promise<readonly DatabaseFile[]> {
  const made = EMPTY.get(compiled) ?? migratedDatabase(compiled, folder);
  EMPTY.set(compiled, made);
  return made;
}

async function migratedDatabase(
  compiled: CompiledOutput,
  folder: string,
): Promise<readonly DatabaseFile[]> {
  const file = join(folder, "empty.db");
  const database = await openDatabase(optionsFor(file));
  try {
    await runtime.applyMigrations(database, compiled.migrations);
    // The database is open and idle, so nothing moves from its log (`-wal`) to its file during the copy.
    return await Promise.all(
      ["", "-wal"].map(async (suffix) => ({
        suffix,
        bytes: await Deno.readFile(file + suffix),
      })),
    );
  } finally {
    await database.close();
  }
}

function optionsFor(file: string) {
  return { url: pathToFileURL(file).href, synchronous: "NORMAL" } as const;
}

interface Start {
  readonly database: runtime.Database;
  readonly env: Readonly<Record<string, string>>;
  readonly time: { now: number };
  readonly close: () => Promise<void>;
}

function startApp<Api extends ApiShape>(
  { project, ...code }: CompiledOutput,
  { env, time, ...start }: Start,
): TestApp<Api> {
  const sent: SentRequest[] = [];
  const callers: Principal[] = [];
  const { webhooks, ...ports } = portsOf(project, code, { env, time, callers, sent, ...start });
  const options = { ...code, env };
  const app = runtime.createApp(project, { ...ports, webhooks }, SETTINGS, options);
  const worker = runtime.createBackgroundWorker(
    project,
    { ...ports, webhooks, timer: NO_TIMER },
    code,
  );
  const soil = {
    project,
    ports: { ...ports, webhooks },
    settings: SETTINGS,
    options,
    hashPassword,
  };
  const plant = async (rows: SeedRows, by: SeedPrincipal | null) =>
    await runtime.plantSeed({ users: [], organizations: [], rows: seedRowsOf(rows, by) }, soil) ??
      {};
  const callerWith = (headers: CallerHeaders, by: Principal | null): TestCaller<Api> => {
    const seed = (rows: SeedRows) => plant(rows, by && seedPrincipalOf(by));
    return { ...testCaller<Api>(app, project.contract, headers), seed };
  };
  const nobody = callerWith({}, null);
  const close = async () => {
    app.end();
    await worker.settled();
    await start.close();
  };
  return {
    ...nobody,
    as(principal) {
      const caller = principalOf(principal);
      callers.push(caller);
      return callerWith({ "x-api-key": KEY + (callers.length - 1) }, caller);
    },
    async signUp(account = {}) {
      const { userId, headers } = await signedUp(nobody, project.contract, account);
      const by = { ...NO_RIGHTS, credential: "session", userId } as const;
      return { ...callerWith(headers, by), userId };
    },
    async seed(rows) {
      const { seed } = code;
      if (rows !== undefined) return await plant(rows, seed?.rows[0]?.by ?? null);
      if (seed === null) throw new Error("The project has no quickback/seed.ts");
      return await runtime.plantSeed(seed, soil) ?? {};
    },
    advance: (seconds) => void (time.now += seconds * 1000),
    async runJobs() {
      while (await worker.tick() > 0) await worker.settled();
    },
    outbox: () => [...sent],
    close,
    [Symbol.asyncDispose]: close,
  };
}

const NO_RIGHTS = { organizationId: null, teamId: null, roles: [], userRole: null };

const SETTINGS: runtime.Settings = {
  // No provider can be used in such a test.
  variable: (name) => name,
  baseUrl: BASE_URL,
  authSecret: new TextEncoder().encode("a secret of tests, which keeps nothing from anybody"),
  production: false,
  exposeErrorStack: false,
  allowedHosts: null,
};

/** Prefix of the callers' keys. A real account has no such key. */
const KEY = "quickback-testing-";

interface Doubles extends Start {
  readonly callers: readonly Principal[];
  readonly sent: SentRequest[];
}

function portsOf(
  project: runtime.ProjectModel,
  { authored, schema }: Pick<CompiledOutput, "authored" | "schema">,
  { database, env, time, callers, sent }: Doubles,
) {
  const clock = { now: () => time.now };
  const common = {
    database,
    clock,
    random: { bytes: seededBytes(RANDOM_SEED) },
    // As in production, an answer contains no details of a failure.
    logger: {
      log: ({ level, message, error }: runtime.LogEntry) => {
        if (level === "error") console.error(message, error ?? "");
      },
    },
    realtime: { pubSub: runtime.memoryPubSub(clock), timer: NO_TIMER },
  };
  const accounts = createAccounts(project, {
    ...common,
    settings: SETTINGS,
    limiter: memoryRateLimiter({ clock }),
    detached,
    hooks: runtime.createAuthHooks(project, common, { authored, schema, env }),
    email: { send: () => Promise.resolve() },
  });
  return {
    ...common,
    limiter: null,
    files: runtime.hasFiles(project) ? runtime.memoryFiles({ clock, settings: SETTINGS }) : null,
    accounts: {
      ...accounts,
      apiKey(key: string) {
        const principal = key.startsWith(KEY) ? callers[Number(key.slice(KEY.length))] : undefined;
        if (principal === undefined) return accounts.apiKey(key);
        return Promise.resolve({ kind: "principal", principal } as const);
      },
    },
    webhooks: webhookPorts(common, { env, sent }),
  };
}

function webhookPorts(
  { database, clock, random }: Pick<runtime.Ports, "database" | "clock" | "random">,
  { env, sent }: Pick<Doubles, "env" | "sent">,
): runtime.WebhookPorts {
  return {
    queue: runtime.databaseQueue({ database, clock, random }),
    secrets: runtime.createSecretBox(SETTINGS, random),
    resolver: {
      resolve: () => Promise.resolve({ addresses: ["8.8.8.8"], exists: true, failure: null }),
    },
    dialer: {
      post({ url, headers, body }) {
        sent.push({
          url,
          headers,
          body: typeof body === "string" ? body : new TextDecoder().decode(body),
        });
        const answer = { status: 200, location: null, retryAfter: null, body: "" };
        return Promise.resolve({ kind: "answered", ...answer });
      },
    },
    // Push messages are plain text, which tests can read.
    push: {
      seal: (_target, payload) =>
        Promise.resolve({ headers: {}, body: new TextEncoder().encode(payload) }),
    },
    env,
  };
}

/** Tests of a project in their author's own words: the compiled API in this process, without a server (`quickback/testing`). */
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

/** Request that the API sent: a webhook or a push message. It was answered with 200, and nothing left the process. */
export interface SentRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The API as nobody asks it; `as` gives callers. `Api` is the generated type of the project. */
export interface TestApp<Api extends ApiShape = ApiShape> extends TestCaller<Api>, AsyncDisposable {
  as(principal: TestPrincipal): TestCaller<Api>;
  /** An account of its own, signed in: asks with its session's cookie. Throws where strangers cannot sign up with a password. */
  signUp(account?: Partial<NewAccount>): Promise<SignedUp<Api>>;
  /**
   * Without rows: plants the project's seed, once. With rows: creates them as the seed's `as`, or as the `$by` of each.
   * Gives the rows that have a name. Throws, and leaves nothing, when the API refuses one.
   */
  seed(rows?: SeedRows): Promise<runtime.PlantedRows>;
  /** Moves the API's clock, which stands still otherwise. */
  advance(seconds: number): void;
  /** Runs what is due by the API's clock: jobs, schedules, deliveries. Resolves when none is left. */
  runJobs(): Promise<void>;
  /** All that was sent so far, oldest first. */
  outbox(): readonly SentRequest[];
  close(): Promise<void>;
}

export interface TestAppOptions {
  /** Time at the start; default: 2026-01-01T00:00:00Z. */
  readonly now?: Date;
  /** Variables that the author's code gets as `env`; default: none. */
  readonly env?: Readonly<Record<string, string>>;
}

const START = Date.UTC(2026, 0, 1);
const RANDOM_SEED = 0x7e57ab1e;
/** No timer fires: time is the test's. */
const NO_TIMER: runtime.Timer = { after: () => () => {} };

/**
 * Starts the API of an output over an empty database of its own. Each request passes all layers but the limits on rates;
 * ids and times are the same in every run.
 *
 * `output`: a compiled output's folder, the address of its `src/project.ts` (`import.meta.resolve("quickback/project")`), or
 * a folder of definitions, which is compiled once per process. Throws when there is neither, when the definitions do not
 * compile, for an output of another version, and where another runtime than Deno runs the test.
 */
export async function createTestApp<Api extends ApiShape = ApiShape>(
  output: string | URL,
  { now = new Date(START), env = {} }: TestAppOptions = {},
): Promise<TestApp<Api>> {
  // The package's other imports run under Node, too.
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

/** Migrated databases without rows: a copy takes a fraction of the time that the migrations take. */
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
    // The database is open and idle, so nothing moves from its log (`-wal`) into its file while both are copied.
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
  // Nobody signs in through a provider in a test of this kind.
  variable: (name) => name,
  baseUrl: BASE_URL,
  authSecret: new TextEncoder().encode("a secret of tests, which keeps nothing from anybody"),
  production: false,
  exposeErrorStack: false,
  allowedHosts: null,
};

/** Keys of callers, by their places: an account of the API has none that begins so. */
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
    // An answer tells no more of a failure than it would in production.
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
    // As plain text, which tests can read.
    push: {
      seal: (_target, payload) =>
        Promise.resolve({ headers: {}, body: new TextEncoder().encode(payload) }),
    },
    env,
  };
}

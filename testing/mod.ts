/** Tests of a project in their author's own words: the compiled API in this process, without a server (`quickback/testing`). */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createAccounts } from "../shared/accounts/mod.ts";
import { detached, memoryRateLimiter, openDatabase } from "../platform/mod.ts";
import { seededBytes } from "../shared/lib/seeded_bytes.ts";
import type { Principal } from "../shared/model/principal.ts";
import * as runtime from "../shared/runtime/mod.ts";
import { type CompiledOutput, compiledOutput } from "./compiled_output.ts";

/** A caller as tests name one: no account is needed, as with a token. */
export interface TestPrincipal {
  readonly userId: string;
  /** Absent: without an active organization. */
  readonly organizationId?: string | null;
  readonly teamId?: string | null;
  /** Roles in that organization; absent: none. */
  readonly roles?: readonly string[];
  readonly userRole?: Principal["userRole"];
}

/** Asks the API. Paths begin with `/`; a body that is not a text is sent as JSON. */
export interface TestCaller {
  fetch(path: string, init?: RequestInit): Promise<Response>;
  get(path: string): Promise<Response>;
  post(path: string, body?: unknown): Promise<Response>;
  patch(path: string, body: unknown): Promise<Response>;
  delete(path: string): Promise<Response>;
}

/** Request that the API sent: a webhook or a push message. It was answered with 200, and nothing left the process. */
export interface SentRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The API as nobody asks it; `as` gives callers. */
export interface TestApp extends TestCaller, AsyncDisposable {
  as(principal: TestPrincipal): TestCaller;
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

const BASE_URL = "http://localhost:8000";
const START = Date.UTC(2026, 0, 1);
const RANDOM_SEED = 0x7e57ab1e;
const NOBODY = { clientIp: "127.0.0.1" };
/** No timer fires: time is the test's. */
const NO_TIMER: runtime.Timer = { after: () => () => {} };

/**
 * Starts the API of an output over an empty database of its own. Each request passes all layers but the limits on rates;
 * ids and times are the same in every run.
 *
 * `output`: a compiled output's folder, the address of its `src/project.ts` (`import.meta.resolve("quickback/project")`), or
 * a folder of definitions, which is compiled once per process. Throws when there is neither, when the definitions do not
 * compile, and for an output of another version.
 */
export async function createTestApp(
  output: string | URL,
  { now = new Date(START), env = {} }: TestAppOptions = {},
): Promise<TestApp> {
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
  return EMPTY.getOrInsertComputed(compiled, async () => {
    const file = join(folder, "empty.db");
    const database = await openDatabase(optionsFor(file));
    try {
      await runtime.applyMigrations(database, compiled.migrations);
      // Open and idle: nobody moves what is in the log into the file meanwhile.
      return await Promise.all(
        ["", "-wal"].map(async (suffix) => ({
          suffix,
          bytes: await Deno.readFile(file + suffix),
        })),
      );
    } finally {
      await database.close();
    }
  });
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

function startApp({ project, ...code }: CompiledOutput, { env, time, ...start }: Start): TestApp {
  const sent: SentRequest[] = [];
  const callers: Principal[] = [];
  const { webhooks, ...ports } = portsOf(project, code, { env, time, callers, sent, ...start });
  const app = runtime.createApp(project, { ...ports, webhooks }, SETTINGS, { ...code, env });
  const worker = runtime.createWebhookWorker(
    project,
    { ...ports, webhooks, timer: NO_TIMER },
    code,
  );
  const callerWith = (headers: Readonly<Record<string, string>>): TestCaller => {
    const fetch: TestCaller["fetch"] = (path, init) =>
      app.fetch(requestOf(path, init, headers), NOBODY);
    const send = (method: string, path: string, body: unknown) =>
      fetch(path, { method, ...(body === undefined ? {} : { body: textOf(body) }) });
    return {
      fetch,
      get: (path) => fetch(path),
      post: (path, body) => send("POST", path, body),
      patch: (path, body) => send("PATCH", path, body),
      delete: (path) => fetch(path, { method: "DELETE" }),
    };
  };
  const close = async () => {
    app.end();
    await worker.settled();
    await start.close();
  };
  return {
    ...callerWith({}),
    as(principal) {
      callers.push(principalOf(principal));
      return callerWith({ "x-api-key": KEY + (callers.length - 1) });
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

const SETTINGS: runtime.Settings = {
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

function principalOf(
  { userId, organizationId = null, teamId = null, roles = [], userRole = null }: TestPrincipal,
): Principal {
  return { credential: "token", userId, organizationId, teamId, roles, userRole };
}

function requestOf(
  path: string,
  init: RequestInit = {},
  caller: Readonly<Record<string, string>>,
): Request {
  if (!path.startsWith("/")) {
    throw new Error(
      `A path of the API begins with "/", as in "/api/v1/notes"; this one is "${path}"`,
    );
  }
  const headers = new Headers(init.headers);
  headers.set("host", new URL(BASE_URL).host);
  if (typeof init.body === "string" && !headers.has("content-type")) {
    headers.set("content-type", "application/json");
  }
  for (const [name, value] of Object.entries(caller)) headers.set(name, value);
  return new Request(BASE_URL + path, { ...init, headers });
}

function textOf(body: unknown): string {
  return typeof body === "string" ? body : JSON.stringify(body);
}

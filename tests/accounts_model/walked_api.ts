/** The API that the walks ask, in this process over a database of its own: its mails, what it sends, and its streams. */
import { setImmediate } from "node:timers";
import {
  detached,
  memoryRateLimiter,
  systemClock,
  systemRandomness,
} from "../../library/platform/mod.ts";
import type { PasswordHasher } from "../../shared/accounts/dependencies.ts";
import type {
  Database,
  DialRequest,
  EmailMessage,
  LogEntry,
  RateLimiter,
  Settings,
  SqlValue,
  Timer,
} from "../../shared/runtime/mod.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import { type AuthOperation, authOperationsOf } from "../../shared/surface/auth_operations.ts";
import { withDatabase } from "../support/databases.ts";
import { CLIENT, type OidcServer, oidcServer } from "../support/oidc_server.ts";
import type { WalkedOutput } from "./walked_output.ts";

export const BASE_URL = "https://desk.example.com";

/** The address of the operator, whose account is `sysadmin` once the address is proved. */
export const SYSADMIN_EMAIL = "ops@example.com";

export interface WalkedApi {
  /** Every account route of the project, by its record. */
  readonly routes: readonly AuthOperation[];
  readonly provider: OidcServer;
  /** Messages that were sent since the last reset. */
  readonly mails: readonly EmailMessage[];
  /** Webhooks and push messages that were sent since the last reset. */
  readonly sent: readonly DialRequest[];
  /** What the service logged as its own failure since the last reset. */
  readonly failures: readonly LogEntry[];
  fetch(request: Request): Promise<Response>;
  /** Resolves when nothing that a request began goes on. */
  settle(): Promise<void>;
  /** Delivers what is to be sent. */
  deliver(): Promise<void>;
  /** Lets the service's own timers run, as many seconds later. */
  elapse(seconds: number): Promise<void>;
  /** Every row of every table, as one text. */
  contents(): Promise<string>;
  /** Forgets all accounts and all that happened. */
  reset(): Promise<void>;
}

/** Gives the body the API of the output. */
export function withWalkedApi<T>(
  output: WalkedOutput,
  body: (api: WalkedApi) => Promise<T>,
): Promise<T> {
  return withDatabase(async (database) => {
    await using provider = await oidcServer();
    await output.runtime.applyMigrations(database, output.migrations);
    const api = await startApi(output, database, provider);
    try {
      return await body(api);
    } finally {
      api.end();
    }
  });
}

/** Passwords are never hashed here: a walk sets dozens. */
const PLAIN: PasswordHasher = {
  hash: (password) => Promise.resolve(`plain:${password}`),
  verify: ({ hash, password }) => Promise.resolve(hash === `plain:${password}`),
};

const VARIABLES: Readonly<Record<string, string>> = {
  BASE_URL,
  HOUSE_CLIENT_ID: CLIENT.id,
  HOUSE_CLIENT_SECRET: CLIENT.secret,
};

const SETTINGS: Settings = {
  baseUrl: BASE_URL,
  authSecret: new TextEncoder().encode("a secret of the walks, which keeps nothing from anybody"),
  production: true,
  exposeErrorStack: false,
  allowedHosts: null,
  variable: (name) => VARIABLES[name] ?? null,
};

/** Turns of the event loop after which nothing that a request began goes on, and nothing that a timer began. */
const REQUEST_TURNS = 3;
const LOOK_TURNS = 12;

async function startApi(
  { runtime, accounts, ...output }: WalkedOutput,
  database: Database,
  provider: OidcServer,
): Promise<WalkedApi & { end(): void }> {
  const project = withProvider(output.project, provider.issuer);
  const mails: EmailMessage[] = [];
  const sent: DialRequest[] = [];
  const failures: LogEntry[] = [];
  const clock = { late: 0, now: () => systemClock.now() + clock.late };
  const timers = steppedTimer();
  const begun = new Set<Promise<unknown>>();
  let limiter = memoryRateLimiter({ clock });
  const limits: RateLimiter = {
    take: (...hit) => limiter.take(...hit),
    lend: (...hit) => limiter.lend(...hit),
  };
  const random = systemRandomness;
  const common = {
    database,
    clock,
    random,
    logger: {
      log: (entry: LogEntry) => void (entry.level === "error" && failures.push(entry)),
    },
    realtime: { pubSub: runtime.memoryPubSub(clock), timer: timers },
  };
  const ports = {
    ...common,
    limiter: limits,
    accounts: accounts.createAccounts(project, {
      ...common,
      settings: SETTINGS,
      limiter: limits,
      passwords: PLAIN,
      detached<R>(run: () => R): R {
        const result = detached(run);
        if (result instanceof Promise) {
          const ended = result.catch(() => {}).finally(() => begun.delete(ended));
          begun.add(ended);
        }
        return result;
      },
      email: { send: (message: EmailMessage) => Promise.resolve(void mails.push(message)) },
      sysadminEmails: [SYSADMIN_EMAIL],
    }),
    webhooks: {
      queue: runtime.databaseQueue(common),
      secrets: runtime.createSecretBox(SETTINGS, random),
      resolver: {
        resolve: () => Promise.resolve({ addresses: ["8.8.8.8"], exists: true, failure: null }),
      },
      dialer: {
        post(request: DialRequest) {
          sent.push(request);
          const answer = { status: 200, location: null, retryAfter: null, body: "" };
          return Promise.resolve({ kind: "answered", ...answer } as const);
        },
      },
      push: {
        seal: (_target: unknown, payload: string) =>
          Promise.resolve({ headers: {}, body: new TextEncoder().encode(payload) }),
      },
      env: {},
    },
  };
  const { schema, authored, actions } = output;
  const options = { ...output, actions, schema, authored, env: {} };
  const app = runtime.createApp(project, ports, SETTINGS, {
    ...options,
    openapi: output.openapi ?? "",
    asyncapi: output.asyncapi ?? "",
  });
  const worker = runtime.createBackgroundWorker(
    project,
    { ...ports, timer: timers },
    { authored, schema },
  );
  const settle = async (turns = REQUEST_TURNS) => {
    for (let turn = 0; turn < turns || begun.size > 0; turn += 1) {
      await Promise.all(begun);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const tables = await tablesOf(database);
  return {
    routes: authOperationsOf(project),
    provider,
    mails,
    sent,
    failures,
    fetch: (request) => app.fetch(request, { clientIp: "203.0.113.7" }),
    settle: () => settle(),
    async deliver() {
      while (await worker.tick() > 0) await worker.settled();
      await worker.settled();
    },
    async elapse(seconds) {
      clock.late += seconds * 1000;
      for (let look = 0; look < 2; look += 1) {
        timers.fire();
        await settle(LOOK_TURNS);
      }
    },
    async contents() {
      const all = await Promise.all(tables.map(async ({ name }) => {
        const { rows } = await database.run({ sql: `SELECT * FROM "${name}"`, args: [] });
        return [name, rows.map((row) => row.map(textOf))] as const;
      }));
      return JSON.stringify(all);
    },
    async reset() {
      limiter = memoryRateLimiter({ clock });
      for (const all of [mails, sent, failures]) all.length = 0;
      await database.write(async (transaction) => {
        for (const { name, keeps } of tables) {
          if (!keeps) await transaction.run({ sql: `DELETE FROM "${name}"`, args: [] });
        }
      });
    },
    end: () => app.end(),
  };
}

function withProvider(project: ProjectModel, issuer: string): ProjectModel {
  const { signIn } = project.auth;
  if (!signIn) throw new Error("The walked project has no ways to sign in");
  const oidc = signIn.oidc.map((one) => ({ ...one, issuer }));
  return { ...project, auth: { ...project.auth, signIn: { ...signIn, oidc } } };
}

function textOf(value: SqlValue | undefined): string {
  return value instanceof Uint8Array ? value.toHex() : String(value);
}

/** The API looks there for what is newer than what it has seen, and would miss what begins anew. */
const FOLLOWED = /cutoff|revo/;

interface TableOfService {
  readonly name: string;
  /** True for rows that the migrations made, and for what the API follows. */
  readonly keeps: boolean;
}

/** Children before their parents. */
async function tablesOf(database: Database): Promise<readonly TableOfService[]> {
  const { rows } = await database.run({
    sql: `SELECT "name" FROM "sqlite_schema" WHERE "type" = 'table' AND "name" NOT LIKE 'sqlite%'
      ORDER BY "rowid" DESC`,
    args: [],
  });
  return await Promise.all(rows.map(async ([found]) => {
    const name = String(found);
    const { rows } = await database.run({ sql: `SELECT 1 FROM "${name}" LIMIT 1`, args: [] });
    return { name, keeps: rows.length > 0 || FOLLOWED.test(name) };
  }));
}

interface SteppedTimer extends Timer {
  /** Runs all that waits, once. */
  fire(): void;
}

function steppedTimer(): SteppedTimer {
  const waiting = new Set<() => void>();
  return {
    after(_milliseconds, run) {
      const once = () => run();
      waiting.add(once);
      return () => void waiting.delete(once);
    },
    fire() {
      for (const run of [...waiting]) if (waiting.delete(run)) run();
    },
  };
}

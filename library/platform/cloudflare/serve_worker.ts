/** The handlers of an edge platform: `fetch` for requests, `scheduled` and `queue` for background work. */
import { AsyncLocalStorage } from "node:async_hooks";
import { setting as settingOf } from "../../../shared/lib/variables.ts";
import type {
  Connection,
  Database,
  Dialer,
  Settings,
  Timer,
} from "../../../shared/runtime/ports.ts";
import * as values from "../environment_values.ts";
import { openRemote, type RemoteOptions } from "../libsql/remote_database.ts";
import type { StatementLimits } from "../libsql/reading_turns.ts";
import type { BindingQueue, MessageBatch } from "./bindings.ts";

export interface WorkerApi {
  fetch(request: Request, connection: Connection): Promise<Response>;
  /** Does all work that is due. */
  readonly work: () => Promise<void>;
  /** Null: no queue is bound. */
  readonly queue: BindingQueue | null;
  readonly scoped: <T>(run: () => Promise<T>) => Promise<T>;
}

/** The platform's handle of an event. */
export interface Background {
  waitUntil(promise: Promise<unknown>): void;
}

/** The platform's header, which overwrites a caller's value (contract 8.1.4). */
const CLIENT_IP_HEADER = "cf-connecting-ip";

/** Makes the handlers. The first event makes the API, because settings are known only then. */
export function serveWorker<Bindings extends object>(create: (bindings: Bindings) => WorkerApi) {
  const made = new WeakMap<Bindings, WorkerApi>();
  const apiFor = (bindings: Bindings) => {
    const api = made.get(bindings) ?? create(bindings);
    made.set(bindings, api);
    return api;
  };
  return {
    async fetch(request: Request, bindings: Bindings, background: Background): Promise<Response> {
      const { work, scoped, ...api } = apiFor(bindings);
      const clientIp = request.headers.get(CLIENT_IP_HEADER);
      const response = await scoped(() => api.fetch(request, { clientIp }));
      if (request.method !== "GET") background.waitUntil(scoped(work));
      return response;
    },
    async scheduled(_event: unknown, bindings: Bindings): Promise<void> {
      const { work, scoped } = apiFor(bindings);
      await scoped(work);
    },
    async queue(batch: MessageBatch, bindings: Bindings): Promise<void> {
      const { work, queue, scoped } = apiFor(bindings);
      if (queue === null) throw new Error("A queue calls this worker, and none is bound to it");
      await scoped(() => queue.consume(batch, work));
    },
  };
}

/** Reads an operator's variables and secrets of a worker (definitions 8). It refuses an invalid value. */
export interface WorkerEnvironment {
  readonly databaseUrl: string;
  readonly databaseAuthToken: string | null;
  readonly statementLimits: StatementLimits;
  /** Most rows of an organization, or of an owner; null: any number. */
  readonly rowsMaxPerTenant: number | null;
  readonly settings: Settings;
  readonly sysadminEmails: readonly string[];
  readonly webhookResolverUrl: string;
  /** All variables, for handlers. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Reads the environment. The secret and the database are required, because a worker stores nothing between starts. */
export function readWorkerEnvironment(bindings: object): WorkerEnvironment {
  // A variable of `wrangler.toml` may be a number or a boolean.
  const variables = Object.fromEntries(
    Object.entries(bindings).flatMap(([name, value]) =>
      ["string", "number", "boolean"].includes(typeof value) ? [[name, String(value)]] : []
    ),
  );
  const named = new Map(Object.entries(variables));
  const setting = (name: string) => settingOf(named, name);
  const text = setting("DATABASE_URL");
  if (text === null || !/^(libsql|https?):\/\/./.test(text)) {
    throw new Error(
      "Cannot start: DATABASE_URL must name a libSQL server, as in 'libsql://…' or 'https://…'",
    );
  }
  return {
    databaseUrl: text,
    databaseAuthToken: setting("DATABASE_AUTH_TOKEN"),
    statementLimits: values.readStatementLimits(named),
    rowsMaxPerTenant: values.readRowsMax(named),
    settings: {
      ...values.readRequestLimits(named),
      baseUrl: values.readBaseUrl(setting("BASE_URL")),
      ...values.readSecrets(setting("AUTH_SECRET") ?? "", setting("AUTH_SECRET_PREVIOUS")),
      isMailOff: values.readMailOff(setting("EMAIL_PROVIDER")),
      variable: setting,
      databaseMode: "remote",
      production: values.readProduction(setting("APP_ENV"), true),
      exposeErrorStack: setting("EXPOSE_ERROR_STACK") === "1",
      allowedHosts: null,
    },
    sysadminEmails: values.readEmails("SYSADMIN_EMAILS", setting("SYSADMIN_EMAILS")),
    webhookResolverUrl: values.readResolverUrl(setting("WEBHOOK_RESOLVER_URL")),
    variables,
  };
}

/** Timers of an isolate. They last as long as their request. */
export const workerTimer: Timer = {
  after(milliseconds, run) {
    const id = setTimeout(run, milliseconds);
    return () => clearTimeout(id);
  },
};

/**
 * A dialer that sends nothing. A worker's `fetch` resolves the name again, so a connection cannot be pinned to a checked
 * address (contract 8.2.5).
 */
export function noDialer(): Dialer {
  const reason = "Workers cannot connect to the address that was checked";
  return { post: () => Promise.resolve({ kind: "failed", reason }) };
}

/**
 * A libSQL server over HTTP in a worker. A request cannot wait for a connection that another one opened, so each has a client
 * and a write queue of its own. Opening one costs nothing before its first statement.
 */
interface WorkerDatabase {
  readonly database: Database;
  /** Runs one request's work with a client of its own. */
  readonly scoped: <T>(run: () => Promise<T>) => Promise<T>;
}

const BUSY_TIMEOUT_MS = 5000;

export function openWorkerDatabase(options: Omit<RemoteOptions, "busyTimeout">): WorkerDatabase {
  const clients = new AsyncLocalStorage<Database>();
  const open = () => openRemote({ ...options, busyTimeout: BUSY_TIMEOUT_MS });
  const current = () => clients.getStore() ?? open();
  return {
    scoped: (run) => clients.run(open(), run),
    database: {
      run: (statement) => current().run(statement),
      runAll: (statements) => current().runAll(statements),
      write: (body, options) => current().write(body, options),
      migrate: (statements) => current().migrate(statements),
      close: () => Promise.resolve(),
    },
  };
}

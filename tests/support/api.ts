/** A running API in this process, over a database of its own, asked as a client would ask it. */
import { SignJWT } from "jose";
import { type RawFiles, validate } from "../../shared/compiler/mod.ts";
import { emitAsyncApi } from "../../shared/compiler/phases/6-emit/asyncapi.ts";
import { emitOpenApi } from "../../shared/compiler/phases/6-emit/openapi/emit_openapi.ts";
import { CONTRACT_VERSIONS } from "../../shared/contract/versions.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import {
  type Accounts,
  type App,
  type AppOptions,
  createApp,
  type Database,
  type DatabaseCopy,
  type DocsBrowser,
  type FilePorts,
  type LogEntry,
  type Ports,
  type Randomness,
  type RateLimiter,
  type RealtimePorts,
  type RevocationFeed,
  rowQuotaOf,
  type Settings,
  type TenantDatabases,
  type Timer,
  type WebhookPorts,
} from "../../shared/runtime/mod.ts";
import { hasFiles } from "../../shared/model/files.ts";
import type { Step } from "../../shared/surface/layer_order.ts";
import { DEFAULT_DRIVER, type DriverUnderTest } from "./databases.ts";
import { isPerOrganization } from "../../shared/model/tenancy.ts";
import { dividedDatabase, dividedProject } from "./divided_database.ts";
import { memoryFiles } from "./memory_files.ts";
import { schemaOf } from "./model_database.ts";
import { assertDescribed, type OpenApiCheck, openApiCheck, type Witness } from "./openapi_check.ts";
import { seededRandom } from "./random.ts";

export const BASE_URL = "http://localhost:8000";
export const AUTH_SECRET = new TextEncoder().encode("runtime-test-secret-of-more-than-32-bytes");
export const START = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

export interface ApiOptions {
  readonly driver?: DriverUnderTest;
  readonly limiter?: RateLimiter;
  readonly processors?: number;
  readonly timer?: Timer;
  readonly revocations?: RevocationFeed;
  readonly docs?: DocsBrowser;
  readonly settings?: Partial<Settings>;
  readonly webhooks?: (ports: Pick<Ports, "database" | "clock" | "random">) => WebhookPorts;
  readonly realtime?: (ports: Pick<Ports, "clock">) => RealtimePorts;
  /** Stands for the store in memory that a project with files has otherwise. */
  readonly files?: FilePorts;
  /** The code of the project's actions, and drizzle's tables for it. */
  readonly actions?: Pick<AppOptions, "actions" | "schema" | "env" | "authored">;
  readonly accounts?: (database: Database, copy: DatabaseCopy | null) => Accounts;
  /** What its host knows and watches. */
  readonly host?: Pick<AppOptions, "metrics" | "migrations" | "observe">;
  /** Rows that a tenant may have; absent: any number. */
  readonly rowsMax?: number;
  /** Is told which declared answers were seen. */
  readonly witness?: Witness;
  /** Of another copy of the runtime than this tree's. */
  readonly createApp?: typeof createApp;
  /** Stands between the API and its database. */
  readonly wrap?: (database: Database) => Database;
  /** Stands between the API and the databases of organizations. */
  readonly wrapTenants?: (tenants: TenantDatabases) => TenantDatabases;
}

/** What a bearer token says of its bearer. */
export interface Claims {
  readonly sub: string;
  readonly orgId?: string;
  readonly teamId?: string;
  readonly roles?: readonly string[];
  readonly userRole?: string;
  /** Of a scope token. */
  readonly scope?: string;
  /** Default: "test". */
  readonly jti?: string;
  /** Default: the API itself. */
  readonly iss?: string;
}

export interface Ask {
  readonly method?: string;
  /** Absent: anonymous. */
  readonly as?: Claims;
  /** Sent as JSON; a text, bytes or a stream is sent as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly clientIp?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; an empty object when it is not a JSON object. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The steps that the operation took. */
  readonly steps: readonly Step[];
}

export interface ApiUnderTest {
  readonly project: ProjectModel;
  readonly database: Database;
  /** As they are, whatever stands between the API and them; null: there is one database. */
  readonly tenants: TenantDatabases | null;
  readonly log: readonly LogEntry[];
  readonly ports: Ports;
  readonly settings: Settings;
  /** Moves the clock. */
  pass(milliseconds: number): void;
  /**
   * Asks a path below the contract's base; one that begins with `/` is asked as it is. Every answer is held against the
   * emitted description.
   */
  ask(path: string, ask?: Ask): Promise<Answer>;
  fetch: App["fetch"];
  end: App["end"];
}

/** Gives the body an API over a fresh database with the project's tables. */
export function withApi(
  project: ProjectModel,
  body: (api: ApiUnderTest) => Promise<void>,
  options: ApiOptions = {},
): Promise<void> {
  const driver = options.driver ?? DEFAULT_DRIVER;
  return driver.with(async (database, copy, store = null) => {
    const asked = store === null ? project : dividedProject(project);
    const schema = schemaOf(asked);
    await database.migrate(schema);
    if (store === null || !isPerOrganization(asked)) {
      return await body(startApi(asked, { database, copy }, options));
    }
    const wrap = options.wrap ?? ((one: Database) => one);
    const time = { now: START };
    const clock = { now: () => time.now };
    const { tenants, whole } = dividedDatabase(asked, { database, store, schema, wrap, clock });
    try {
      await body(startApi(asked, { database, copy, tenants, whole, time }, options));
    } finally {
      await tenants.close();
    }
  });
}

/** The same for definition files, by their paths. */
export function withDefinitions(
  files: RawFiles,
  body: (api: ApiUnderTest) => Promise<void>,
  options: ApiOptions = {},
): Promise<void> {
  const validation = validate(files);
  if (!validation.ok) throw new Error(JSON.stringify(validation.errors, null, 2));
  return withApi(validation.model, body, options);
}

/** Descriptions are dear to make, and the same for equal models: by the model itself, and by its text. */
const DESCRIPTIONS = new WeakMap<ProjectModel, Description>();
const DESCRIPTIONS_BY_TEXT = new Map<string, Description>();

interface Description {
  readonly text: string;
  readonly asyncapi: string;
  readonly check: OpenApiCheck;
}

function descriptionOf(project: ProjectModel): Description {
  const known = DESCRIPTIONS.get(project);
  if (known) return known;
  const model = JSON.stringify(project);
  const description = DESCRIPTIONS_BY_TEXT.get(model) ?? describe(project);
  DESCRIPTIONS_BY_TEXT.set(model, description);
  DESCRIPTIONS.set(project, description);
  return description;
}

function describe(project: ProjectModel): Description {
  const text = emitOpenApi(project);
  let check: OpenApiCheck | null = null;
  return {
    text,
    asyncapi: emitAsyncApi(project),
    // Whoever only fetches needs none.
    check: (exchange, witness) => (check ??= openApiCheck(text))(exchange, witness),
  };
}

function startApi(
  project: ProjectModel,
  { database, copy, tenants, whole = database, time = { now: START } }:
    & Pick<Ports, "database" | "copy" | "tenants">
    & { readonly whole?: Database; readonly time?: { now: number } },
  options: ApiOptions,
): ApiUnderTest {
  const log: LogEntry[] = [];
  const steps: Step[] = [];
  const description = descriptionOf(project);
  const common = {
    database: options.wrap?.(database) ?? database,
    clock: { now: () => time.now },
    random: repeatableRandomness(),
  };
  const ports: Ports = {
    ...common,
    copy: copy ?? null,
    tenants: tenants ? options.wrapTenants?.(tenants) ?? tenants : null,
    logger: { log: (entry) => void log.push(entry) },
    accounts: options.accounts?.(database, copy ?? null) ?? null,
    limiter: options.limiter ?? null,
    ...(options.processors ? { processors: options.processors } : {}),
    ...(options.timer ? { timer: options.timer } : {}),
    ...(hasFiles(project) ? { files: options.files ?? memoryFiles(common.clock.now) } : {}),
    ...(options.rowsMax ? { rowQuota: rowQuotaOf(options.rowsMax, common.clock) } : {}),
    ...(options.revocations ? { revocations: options.revocations } : {}),
    ...(options.webhooks ? { webhooks: options.webhooks(common) } : {}),
    ...(options.realtime ? { realtime: options.realtime(common) } : {}),
  };
  const settings = { ...SETTINGS, ...options.settings };
  const create = options.createApp ?? createApp;
  const app = create(
    project,
    ports,
    settings,
    {
      openapi: description.text,
      asyncapi: description.asyncapi,
      ...options.actions,
      ...options.host,
      ...(options.docs ? { docs: options.docs } : {}),
      trace: (_requestId, step) => void steps.push(step),
    },
  );
  return {
    project,
    database: whole,
    tenants: tenants ?? null,
    log,
    ports,
    settings,
    pass: (milliseconds) => void (time.now += milliseconds),
    fetch: app.fetch,
    end: app.end,
    async ask(path, ask = {}) {
      steps.length = 0;
      const request = await requestOf(addressOf(path, project), ask, time.now);
      const response = heardBy(
        request,
        await app.fetch(request, { clientIp: ask.clientIp ?? null }),
      );
      if (request.method !== "OPTIONS") {
        const { method, url } = request;
        const { witness } = options;
        const told = { method, path: url, ...(witness ? { witness } : {}) };
        await assertDescribed(description.check, told, response);
      }
      return await answerOf(response, [...steps]);
    },
  };
}

/** A server sends no body to `HEAD`. */
function heardBy({ method }: Request, response: Response): Response {
  if (method !== "HEAD") return response;
  void response.body?.cancel();
  return new Response(null, response);
}

const SETTINGS: Settings = {
  baseUrl: BASE_URL,
  authSecret: AUTH_SECRET,
  production: false,
  exposeErrorStack: false,
  allowedHosts: null,
};

function addressOf(path: string, project: ProjectModel): string {
  const base = CONTRACT_VERSIONS[project.contract].apiBase;
  return path.startsWith("/") ? BASE_URL + path : `${BASE_URL}${base}/${path}`;
}

async function requestOf(url: string, ask: Ask, now: number): Promise<Request> {
  const headers = new Headers({ host: new URL(BASE_URL).host });
  if (ask.as) headers.set("authorization", `Bearer ${await tokenFor(ask.as, now)}`);
  const hasBody = ask.body !== undefined;
  if (hasBody) headers.set("content-type", "application/json");
  for (const [name, value] of Object.entries(ask.headers ?? {})) headers.set(name, value);
  const isRaw = typeof ask.body === "string" || ask.body instanceof ReadableStream ||
    ask.body instanceof Uint8Array;
  const text = (isRaw ? ask.body : JSON.stringify(ask.body)) as BodyInit;
  return new Request(url, {
    method: ask.method ?? (hasBody ? "POST" : "GET"),
    headers,
    ...(hasBody ? { body: text } : {}),
  });
}

/** A good token for any claims, as definitions 7 ("JWT") describes it. */
export async function tokenFor(claims: Claims, now = START): Promise<string> {
  const seconds = Math.floor(now / 1000);
  return await new SignJWT({ jti: "test", iss: BASE_URL, ...claims, aud: BASE_URL })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + 900)
    .sign(AUTH_SECRET);
}

async function answerOf(response: Response, steps: readonly Step[]): Promise<Answer> {
  const text = await response.text();
  const isJson = /json/.test(response.headers.get("content-type") ?? "");
  const parsed: unknown = isJson && text !== "" ? JSON.parse(text) : {};
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isRecord(parsed) ? parsed : {},
    steps,
  };
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The same ids in every run. */
function repeatableRandomness(): Randomness {
  const random = seededRandom(7);
  return { bytes: (length) => Uint8Array.from({ length }, () => random.below(256)) };
}

/** Reads an operator's variables of a generated API (definitions 8). It refuses to start with an invalid value. */
import { dirname, join } from "node:path";
import { readPort, SECRET_MIN_BYTES, setting, type Variables } from "../../shared/lib/variables.ts";
import type { Settings } from "../../shared/runtime/ports.ts";
import {
  DEFAULT_DATABASE_URL,
  readBaseUrl,
  readEmails,
  readMailOff,
  readMetricsToken,
  readNumber,
  readProduction,
  readRequestLimits,
  readResolverUrl,
  readRowsMax,
  readSecrets,
  readStatementLimits,
  readSwitch,
  shownDatabase,
} from "./environment_values.ts";
import { readStorage, type StoragePlace } from "./files/storage_place.ts";
import type { EmbeddingsOptions } from "./embeddings.ts";
import type { StatementLimits } from "./libsql/reading_turns.ts";
import { filePathOf } from "./open_database.ts";
import { keptText } from "./own_file.ts";

export interface Environment {
  readonly port: number;
  /** Address to listen on; null: all addresses of this machine. */
  readonly hostname: string | null;
  readonly databaseUrl: string;
  readonly databaseAuthToken: string | null;
  readonly statementLimits: StatementLimits;
  /** Path of this process's copy of the database; null: none. */
  readonly databaseReplica: string | null;
  /** Databases of organizations, for projects that have them. */
  readonly tenants: TenantPlace;
  /** File store, for projects with files. */
  readonly storage: StoragePlace;
  readonly settings: Settings;
  /** Redis that several instances share; null: each instance counts alone. */
  readonly redisUrl: string | null;
  /** Mail server; null: none. */
  readonly smtpUrl: string | null;
  /** Service that makes vectors of texts; null: they wait. */
  readonly embeddings: EmbeddingsOptions | null;
  /** Header in which the reverse proxy sends the client's address; null: there is no proxy. */
  readonly clientIpHeader: string | null;
  /** Accounts with one of these addresses are `sysadmin` after it was confirmed. */
  readonly sysadminEmails: readonly string[];
  /** The trusted DNS-over-HTTPS resolver for webhook destinations (contract 8.2.5). */
  readonly webhookResolverUrl: string;
  /** True to log a line for each request. */
  readonly accessLog: boolean;
  /** Token for reading `/metrics`; null: nobody may read it. */
  readonly metricsToken: string | null;
  /** Most rows of an organization, or of an owner; null: any number. */
  readonly rowsMaxPerTenant: number | null;
  /** Most concurrent jobs of this process; undefined: the runtime's default. */
  readonly jobSlots: number | undefined;
}

export interface TenantPlace {
  /** Folder of the databases; null: beside the directory. */
  readonly folder: string | null;
  /** Admin interface that creates and removes namespaces; null: none. */
  readonly adminUrl: string | null;
  readonly adminToken: string | null;
  /** URLs with `{tenant}` in place of the name; null: names are namespaces of one URL. */
  readonly urlTemplate: string | null;
  /** Most open databases. */
  readonly poolSize: number;
}

const DEFAULT_POOL_SIZE = 200;
const DEFAULT_PORT = 8000;
const SECRET_FILE = "auth_secret";
/** Folder beside the database file, unless variables name other places. */
export const FILES_FOLDER = "files";
export const TENANTS_FOLDER = "tenants";

/** Reads the settings of this process. In development a missing `AUTH_SECRET` is made and stored beside the database. */
export async function readEnvironment(variables: Variables): Promise<Environment> {
  const port = readPort(variables, DEFAULT_PORT);
  const databaseUrl = setting(variables, "DATABASE_URL") ?? DEFAULT_DATABASE_URL;
  const production = readProduction(setting(variables, "APP_ENV"), false);
  const databaseReplica = readReplica(setting(variables, "DATABASE_REPLICA"), databaseUrl);
  const given = setting(variables, "AUTH_SECRET");
  if (given === null && production) {
    throw new Error("Cannot start: AUTH_SECRET must be set when APP_ENV is 'production'");
  }
  const previous = setting(variables, "AUTH_SECRET_PREVIOUS");
  return {
    port,
    hostname: setting(variables, "HOST"),
    databaseUrl,
    databaseAuthToken: setting(variables, "DATABASE_AUTH_TOKEN"),
    statementLimits: readStatementLimits(variables),
    databaseReplica,
    tenants: readTenantPlace(variables),
    storage: readStorage(variables),
    settings: {
      baseUrl: readBaseUrl(setting(variables, "BASE_URL") ?? `http://localhost:${port}`),
      ...readSecrets(given ?? await keptSecret(databaseUrl), previous),
      production,
      isMailOff: readMailOff(setting(variables, "EMAIL_PROVIDER")),
      variable: (name) => setting(variables, name),
      databaseMode: databaseReplica !== null
        ? "replica"
        : databaseUrl.startsWith("file:")
        ? "file"
        : "remote",
      ...readRequestLimits(variables),
      exposeErrorStack: setting(variables, "EXPOSE_ERROR_STACK") === "1",
      allowedHosts: null,
      devPlaces: {
        playground: readUrl("DEV_PLAYGROUND_URL", variables, ["http:"]),
        page: readUrl("DEV_PAGE_URL", variables, ["http:"]),
        database: setting(variables, "DEV_DATABASE"),
      },
    },
    redisUrl: readUrl("REDIS_URL", variables, ["redis:", "rediss:"]),
    smtpUrl: readUrl("SMTP_URL", variables, ["smtp:", "smtps:"]),
    embeddings: readEmbeddings(variables),
    clientIpHeader: readHeaderName(setting(variables, "CLIENT_IP_HEADER")),
    sysadminEmails: readEmails("SYSADMIN_EMAILS", setting(variables, "SYSADMIN_EMAILS")),
    webhookResolverUrl: readResolverUrl(setting(variables, "WEBHOOK_RESOLVER_URL")),
    accessLog: readSwitch("ACCESS_LOG", setting(variables, "ACCESS_LOG")),
    metricsToken: readMetricsToken(setting(variables, "METRICS_TOKEN")),
    rowsMaxPerTenant: readRowsMax(variables),
    jobSlots: readNumber(
      setting(variables, "JOBS_CONCURRENCY"),
      /^[1-9]\d{0,2}$/,
      "JOBS_CONCURRENCY must be a number of jobs from 1 to 999",
    ) ?? undefined,
  };
}

/** Reads the place of organizations' databases. */
export function readTenantPlace(variables: Variables): TenantPlace {
  return {
    folder: setting(variables, "DATABASE_TENANTS"),
    adminUrl: readUrl("DATABASE_ADMIN_URL", variables, ["http:", "https:"]),
    adminToken: setting(variables, "DATABASE_ADMIN_TOKEN"),
    urlTemplate: readTemplate(setting(variables, "DATABASE_TENANT_URL")),
    poolSize: readNumber(
      setting(variables, "DATABASE_POOL"),
      /^[1-9]\d{0,5}$/,
      "DATABASE_POOL must be a number of open databases",
    ) ?? DEFAULT_POOL_SIZE,
  };
}

const TOPOLOGIES = { file: "a file", remote: "a server", replica: "a server with a copy" } as const;

/** Returns the facts for the log line of a start: names, and of values only the database's place. */
export function startFacts(environment: Environment) {
  const { databaseUrl, redisUrl, smtpUrl, clientIpHeader, settings, accessLog, metricsToken } =
    environment;
  const switches: Readonly<Record<string, boolean>> = {
    production: settings.production,
    Redis: redisUrl !== null,
    "mail server": smtpUrl !== null,
    "embeddings service": environment.embeddings !== null,
    "reverse proxy": clientIpHeader !== null,
    "previous secret": settings.authSecretPrevious != null,
    "access log": accessLog,
    metrics: metricsToken !== null,
  };
  return {
    database: shownDatabase(databaseUrl),
    topology: TOPOLOGIES[settings.databaseMode ?? "file"],
    switches: Object.keys(switches).filter((name) => switches[name]),
  };
}

function readUrl(
  name: string,
  variables: Variables,
  protocols: readonly string[],
): string | null {
  const text = setting(variables, name);
  const url = text === null ? null : URL.parse(text);
  // The value may contain a password, so it is not repeated.
  if (text === null || (url?.host && protocols.includes(url.protocol))) return text;
  throw new Error(`Cannot start: ${name} must be a URL such as '${protocols[0]}//host:port'`);
}

function readTemplate(text: string | null): string | null {
  const url = text === null ? null : URL.parse(text.replaceAll("{tenant}", "t-0"));
  const isKnown = url !== null && ["libsql:", "https:", "http:"].includes(url.protocol);
  if (text === null || (isKnown && text.split("{tenant}").length === 2)) return text;
  throw new Error(
    "Cannot start: DATABASE_TENANT_URL must be an address such as 'libsql://{tenant}-acme.turso.io'",
  );
}

/** Reads the embeddings service. Its key and model have no meaning without it. */
function readEmbeddings(variables: Variables): EmbeddingsOptions | null {
  const url = readUrl("EMBEDDINGS_URL", variables, ["https:", "http:"]);
  const key = setting(variables, "EMBEDDINGS_KEY");
  const model = setting(variables, "EMBEDDINGS_MODEL");
  if (url !== null) return { url, key, model };
  if (key === null && model === null) return null;
  const name = key === null ? "EMBEDDINGS_MODEL" : "EMBEDDINGS_KEY";
  throw new Error(`Cannot start: ${name} needs EMBEDDINGS_URL, the service that it is for`);
}

function readHeaderName(text: string | null): string | null {
  if (text === null || /^[A-Za-z0-9-]+$/.test(text)) return text;
  throw new Error(`Cannot start: CLIENT_IP_HEADER must be the name of a header, not '${text}'`);
}

/** Reads the path of the copy. A database in a file needs no copy. */
function readReplica(path: string | null, databaseUrl: string): string | null {
  if (path === null || !databaseUrl.startsWith("file:")) return path;
  throw new Error(
    "Cannot start: DATABASE_REPLICA needs a DATABASE_URL that names a server, as in 'libsql://db.example.com'",
  );
}

/** Returns the secret of an earlier start, or a new one. */
async function keptSecret(databaseUrl: string): Promise<string> {
  const made = crypto.getRandomValues(new Uint8Array(SECRET_MIN_BYTES)).toHex();
  return (await keptText(join(folderOf(databaseUrl), SECRET_FILE), made)).trim();
}

/** Returns the folder for files of development: beside the database, or its own if the database is elsewhere. */
export function folderOf(databaseUrl: string): string {
  return databaseUrl.startsWith("file:") ? dirname(filePathOf(databaseUrl)) : "./data";
}

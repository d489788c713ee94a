/** Reads what an operator sets for a worker (definitions 8), in its variables and secrets; refuses anything doubtful. */
import type { Settings } from "../../shared/runtime/ports.ts";
import { PUBLIC_RESOLVER } from "../webhooks/doh_resolver.ts";

export interface WorkerEnvironment {
  readonly databaseUrl: string;
  readonly databaseAuthToken: string | null;
  readonly settings: Settings;
  readonly sysadminEmails: readonly string[];
  readonly webhookResolverUrl: string;
  /** Every variable, for handlers. */
  readonly variables: Readonly<Record<string, string>>;
}

const SECRET_MIN_BYTES = 32;

/** A worker keeps nothing between two starts: the secret and the database are always named. */
export function readWorkerEnvironment(bindings: object): WorkerEnvironment {
  const variables = Object.fromEntries(
    Object.entries(bindings).filter((entry): entry is [string, string] =>
      typeof entry[1] === "string"
    ),
  );
  const setting = (name: string) =>
    (Object.hasOwn(variables, name) ? variables[name] : undefined)?.trim() || null;
  return {
    databaseUrl: readDatabaseUrl(setting("DATABASE_URL")),
    databaseAuthToken: setting("DATABASE_AUTH_TOKEN"),
    settings: {
      baseUrl: readBaseUrl(setting("BASE_URL")),
      authSecret: readSecret(setting("AUTH_SECRET")),
      production: setting("APP_ENV") !== "development",
      exposeErrorStack: setting("EXPOSE_ERROR_STACK") === "1",
      allowedHosts: null,
    },
    sysadminEmails: (setting("SYSADMIN_EMAILS") ?? "").split(",")
      .map((address) => address.trim()).filter((address) => address !== ""),
    webhookResolverUrl: setting("WEBHOOK_RESOLVER_URL") ?? PUBLIC_RESOLVER,
    variables,
  };
}

function readDatabaseUrl(text: string | null): string {
  if (text !== null && /^(libsql|https?):\/\/./.test(text)) return text;
  throw new Error(
    "Cannot start: DATABASE_URL must name a libSQL server, as in 'libsql://…' or 'https://…'",
  );
}

function readBaseUrl(text: string | null): string {
  const url = text === null ? null : URL.parse(text);
  const isOrigin = url !== null && ["http:", "https:"].includes(url.protocol) &&
    url.origin === text?.replace(/\/$/, "").toLowerCase();
  if (isOrigin) return url.origin;
  throw new Error("Cannot start: BASE_URL must be an origin such as 'https://api.example.com'");
}

function readSecret(text: string | null): Uint8Array {
  const secret = new TextEncoder().encode(text ?? "");
  if (secret.length >= SECRET_MIN_BYTES) return secret;
  throw new Error(`Cannot start: AUTH_SECRET must have at least ${SECRET_MIN_BYTES} bytes`);
}

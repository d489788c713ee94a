/** Reads what an operator sets for a worker (definitions 8), in its variables and secrets; refuses anything doubtful. */
import { setting as settingOf } from "../../shared/lib/variables.ts";
import type { Settings } from "../../shared/runtime/ports.ts";
import { readBaseUrl, readEmails, readResolverUrl, readSecret } from "../environment_values.ts";

export interface WorkerEnvironment {
  readonly databaseUrl: string;
  readonly databaseAuthToken: string | null;
  readonly settings: Settings;
  readonly sysadminEmails: readonly string[];
  readonly webhookResolverUrl: string;
  /** Every variable, for handlers. */
  readonly variables: Readonly<Record<string, string>>;
}

/** A worker keeps nothing between two starts: the secret and the database are always named. */
export function readWorkerEnvironment(bindings: object): WorkerEnvironment {
  const variables = Object.fromEntries(
    Object.entries(bindings).filter((entry): entry is [string, string] =>
      typeof entry[1] === "string"
    ),
  );
  const named = new Map(Object.entries(variables));
  const setting = (name: string) => settingOf(named, name);
  return {
    databaseUrl: readDatabaseUrl(setting("DATABASE_URL")),
    databaseAuthToken: setting("DATABASE_AUTH_TOKEN"),
    settings: {
      baseUrl: readBaseUrl(setting("BASE_URL")),
      authSecret: readSecret(setting("AUTH_SECRET") ?? ""),
      production: setting("APP_ENV") !== "development",
      exposeErrorStack: setting("EXPOSE_ERROR_STACK") === "1",
      allowedHosts: null,
    },
    sysadminEmails: readEmails("SYSADMIN_EMAILS", setting("SYSADMIN_EMAILS")),
    webhookResolverUrl: readResolverUrl(setting("WEBHOOK_RESOLVER_URL")),
    variables,
  };
}

function readDatabaseUrl(text: string | null): string {
  if (text !== null && /^(libsql|https?):\/\/./.test(text)) return text;
  throw new Error(
    "Cannot start: DATABASE_URL must name a libSQL server, as in 'libsql://…' or 'https://…'",
  );
}

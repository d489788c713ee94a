/** Reads an operator's variables for the build service (definitions 8). It refuses to start with an invalid value. */
import { readList, readPort, setting, type Variables } from "../shared/lib/variables.ts";
import type { CorsOrigins, ServicePorts, Sessions } from "../shared/service/mod.ts";

interface ServiceEnvironment {
  readonly port: number;
  /** Address to listen on; null: all addresses of this machine. */
  readonly hostname: string | null;
  readonly baseUrl: string;
  /** Keys; empty when none is set. */
  readonly apiKeys: readonly string[];
  /** Signs and verifies sessions; null: nobody can sign in. */
  readonly sessions: Sessions | null;
  /** Origins whose pages may use the service; null: any. */
  readonly corsOrigins: CorsOrigins;
}

export function readServiceEnvironment(
  variables: Variables,
  defaultPort: number,
): ServiceEnvironment {
  const port = readPort(variables, defaultPort);
  return {
    port,
    hostname: setting(variables, "HOST"),
    baseUrl: readOrigin("BASE_URL", variables) ?? `http://localhost:${port}`,
    apiKeys: readList(setting(variables, "SERVICE_API_KEY")),
    sessions: readSessions(setting(variables, "SERVICE_AUTH_SECRET")),
    corsOrigins: readCorsOrigins(setting(variables, "SERVICE_CORS_ORIGINS")),
  };
}

const SECRET_MIN_BYTES = 32;

function readSessions(text: string | null): Sessions | null {
  if (text === null) return null;
  const secret = new TextEncoder().encode(text);
  if (secret.byteLength >= SECRET_MIN_BYTES) return { secret, now: Date.now };
  throw new Error(
    `Cannot start: SERVICE_AUTH_SECRET must have at least ${SECRET_MIN_BYTES} bytes; generate one with 'openssl rand -base64 48'`,
  );
}

/** Returns the path of the accounts' file; null: the process hosts no accounts. */
export function readAccountsFile(
  variables: Variables,
  { sessions }: ServiceEnvironment,
): string | null {
  const file = setting(variables, "SERVICE_ACCOUNTS_FILE");
  if (file === null || sessions !== null) return file;
  throw new Error("Cannot start: SERVICE_ACCOUNTS_FILE needs SERVICE_AUTH_SECRET beside it");
}

/** Returns the keys. Throws without one, because a process that others can reach needs one. */
export function requireApiKeys({ apiKeys }: ServiceEnvironment): readonly string[] {
  if (apiKeys.length > 0) return apiKeys;
  throw new Error(
    "Cannot start: SERVICE_API_KEY is not set; generate one with 'openssl rand -base64 32'",
  );
}

/** Reads an origin such as `https://edge.example.com`; null when the variable is not set. */
export function readOrigin(name: string, variables: Variables): string | null {
  const text = setting(variables, name);
  if (text === null) return null;
  const origin = originOf(text);
  if (origin !== null) return origin;
  throw new Error(`Cannot start: ${name} must be an origin such as 'https://build.example.com'`);
}

/** Returns an origin as browsers write it. */
function originOf(text: string): string | null {
  const url = URL.parse(text);
  // `href` and `origin` both omit an explicit default port.
  const isOrigin = url !== null && ["http:", "https:"].includes(url.protocol) &&
    url.href === `${url.origin}/` && !text.endsWith("//");
  return isOrigin ? url.origin : null;
}

function readCorsOrigins(text: string | null): CorsOrigins {
  if (text === null || text === "*") return null;
  return readList(text).map((item) => {
    // URL parsers accept `https://*.example.com`, but no browser sends it.
    const origin = item.includes("*") ? null : originOf(item);
    if (origin !== null) return origin;
    throw new Error(
      `Cannot start: SERVICE_CORS_ORIGINS lists origins such as 'https://ide.example.com', parted by commas, or is '*' or unset for any; '${item}' is no origin`,
    );
  });
}

const KEY_MIN_LENGTH = 16;

/** Warns at each start of a key that can be guessed. */
export function warnOfWeakKeys(
  { apiKeys }: ServiceEnvironment,
  logger: ServicePorts["logger"],
): void {
  if (apiKeys.every((key) => key.length >= KEY_MIN_LENGTH)) return;
  logger.log({
    level: "warn",
    message:
      `A key in SERVICE_API_KEY has less than ${KEY_MIN_LENGTH} characters and can be guessed; ` +
      "generate one with 'openssl rand -base64 32'",
  });
}

/** Meaning of a generated API's variables on every platform (definitions 8). It refuses to start with an invalid value. */
import * as limits from "../../shared/contract/limits.ts";
import { readList, SECRET_MIN_BYTES, setting, type Variables } from "../../shared/lib/variables.ts";
import type { Secrets, Settings } from "../../shared/runtime/ports.ts";
import type { StatementLimits } from "./libsql/reading_turns.ts";
import { PUBLIC_RESOLVER } from "./webhooks/doh_resolver.ts";

/** Default of `DATABASE_URL`. */
export const DEFAULT_DATABASE_URL = "file:./data/app.db";

/** Returns a database's address for the log. Of a server's URL only the host is shown, because the rest may contain a token. */
export function shownDatabase(url: string): string {
  if (url.startsWith("file:")) return url;
  const { protocol = "", host = "" } = URL.parse(url) ?? {};
  return `${protocol}//${host}`;
}

/** Parses a switch: true for `1`, false when it is not set. */
export function readSwitch(name: string, text: string | null): boolean {
  if (text === null || text === "1") return text === "1";
  throw new Error(`Cannot start: ${name} must be 1, or nothing, not '${text}'`);
}

/** Parses `APP_ENV`: true for `production`, false for `development`. */
export function readProduction(text: string | null, whenUnset: boolean): boolean {
  if (text === null) return whenUnset;
  if (text === "production" || text === "development") return text === "production";
  throw new Error(`Cannot start: APP_ENV must be 'production' or 'development', not '${text}'`);
}

/** Parses `EMAIL_PROVIDER`: true for `none`, false when the project's own setting applies. */
export function readMailOff(text: string | null): boolean {
  if (text === null || text === "none") return text === "none";
  throw new Error(`Cannot start: EMAIL_PROVIDER must be 'none', or nothing, not '${text}'`);
}

/** Parses a token as a header carries it. An invalid value is not repeated in the error. */
export function readMetricsToken(text: string | null): string | null {
  if (text === null || /^[\x21-\x7e]+$/.test(text)) return text;
  throw new Error("Cannot start: METRICS_TOKEN must be visible ASCII characters without blanks");
}

export function readBaseUrl(text: string | null): string {
  const url = text === null ? null : URL.parse(text);
  const isOrigin = url !== null && ["http:", "https:"].includes(url.protocol) &&
    url.origin === text?.replace(/\/$/, "").toLowerCase();
  if (isOrigin) return url.origin;
  throw new Error("Cannot start: BASE_URL must be an origin such as 'https://api.example.com'");
}

export function readResolverUrl(text: string | null): string {
  if (text === null) return PUBLIC_RESOLVER;
  if (["http:", "https:"].includes(URL.parse(text)?.protocol ?? "")) return text;
  throw new Error(
    "Cannot start: WEBHOOK_RESOLVER_URL must be a URL such as 'https://dns.example.com/dns-query'",
  );
}

/** Parses addresses separated by commas. */
export function readEmails(name: string, text: string | null): readonly string[] {
  const addresses = readList(text);
  const wrong = addresses.find((address) => !/^[^\s@]+@[^\s@]+$/.test(address));
  if (wrong === undefined) return addresses;
  throw new Error(
    `Cannot start: ${name} must be e-mail addresses with commas between them, as in 'you@example.com', not '${wrong}'`,
  );
}

/** Parses the secret and the previous one. Errors never contain them. */
export function readSecrets(text: string, previous: string | null): Required<Secrets> {
  if (text === previous) {
    throw new Error(
      "Cannot start: AUTH_SECRET_PREVIOUS is the same as AUTH_SECRET: give AUTH_SECRET a new one, or take AUTH_SECRET_PREVIOUS away",
    );
  }
  return {
    authSecret: secretBytes("AUTH_SECRET", text),
    authSecretPrevious: previous === null ? null : secretBytes("AUTH_SECRET_PREVIOUS", previous),
  };
}

function secretBytes(name: string, text: string): Uint8Array {
  const secret = new TextEncoder().encode(text);
  if (secret.length >= SECRET_MIN_BYTES) return secret;
  throw new Error(`Cannot start: ${name} must have at least ${SECRET_MIN_BYTES} bytes`);
}

/** Parses `READ_TIMEOUT_MS`, `STATEMENT_TIMEOUT_MS` and `TRANSACTION_MAX_MS`. */
export function readStatementLimits(variables: Variables): StatementLimits {
  return {
    readMs: readMilliseconds("READ_TIMEOUT_MS", variables) ?? limits.READ_TIMEOUT_MS,
    statementMs: readMilliseconds("STATEMENT_TIMEOUT_MS", variables) ?? limits.STATEMENT_TIMEOUT_MS,
    transactionMs: readMilliseconds("TRANSACTION_MAX_MS", variables) ?? limits.TRANSACTION_MAX_MS,
  };
}

type RequestLimits = Pick<
  Settings,
  "rightsMaxAgeMs" | "actionTimeoutMs" | "hookTimeoutMs" | "clientRateLimit"
>;

/** Parses `RIGHTS_MAX_AGE_MS`, `ACTION_TIMEOUT_MS`, `HOOK_TIMEOUT_MS` and `CLIENT_RATE_LIMIT`. */
export function readRequestLimits(variables: Variables): Required<RequestLimits> {
  return {
    rightsMaxAgeMs: readNumber(
      setting(variables, "RIGHTS_MAX_AGE_MS"),
      /^\d{1,9}$/,
      "RIGHTS_MAX_AGE_MS must be a number of milliseconds",
    ) ?? limits.RIGHTS_MAX_AGE_MS,
    actionTimeoutMs: readMilliseconds("ACTION_TIMEOUT_MS", variables) ?? limits.ACTION_TIMEOUT_MS,
    hookTimeoutMs: readMilliseconds("HOOK_TIMEOUT_MS", variables) ?? limits.HOOK_TIMEOUT_MS,
    clientRateLimit: readNumber(
      setting(variables, "CLIENT_RATE_LIMIT"),
      /^[1-9]\d{0,8}$/,
      "CLIENT_RATE_LIMIT must be a number of requests per minute",
    ),
  };
}

/** Parses `ROWS_MAX_PER_TENANT`; null: any number. */
export function readRowsMax(variables: Variables): number | null {
  return readNumber(
    setting(variables, "ROWS_MAX_PER_TENANT"),
    /^[1-9]\d{0,14}$/,
    "ROWS_MAX_PER_TENANT must be a number of rows from 1",
  );
}

/** Parses a number of this form; null when the variable is not set. */
export function readNumber(text: string | null, form: RegExp, rule: string): number | null {
  if (text === null) return null;
  if (form.test(text)) return Number(text);
  throw new Error(`Cannot start: ${rule}, not '${text}'`);
}

const TIMEOUT_MS = { min: 100, max: 600_000 };

function readMilliseconds(name: string, variables: Variables): number | null {
  const { min, max } = TIMEOUT_MS;
  const rule = `${name} must be a number of milliseconds from ${min} to ${max}`;
  const text = setting(variables, name);
  const number = readNumber(text, /^\d{1,9}$/, rule);
  if (number === null || (number >= min && number <= max)) return number;
  throw new Error(`Cannot start: ${rule}, not '${text}'`);
}

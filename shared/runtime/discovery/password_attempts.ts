/**
 * Passwords, counted by account and client before they are checked, so that as many at once are no more than as many in a
 * row (contract 7.2): beyond the limit this client is refused this account for a while, right password or not, with
 * `AUTH_RATE_LIMITED`. Other clients and other accounts are not locked out.
 */
import { PASSWORD_ATTEMPTS, RETRY_AFTER_SECONDS } from "../../contract/rate_limits.ts";
import { parsedJson } from "../../lib/parsed_json.ts";
import { passwordBucket } from "../../surface/rate_buckets.ts";
import type { RequestContext } from "../context.ts";
import type { LentHit } from "../ports.ts";
import { refuse } from "../refusal.ts";

/** Paths below the auth base where somebody proves who they are, or asks for the means to. */
const ATTEMPTS =
  /^\/(sign-in|sign-up|request-password-reset|reset-password|change-password|verify-password|send-verification-email)(\/|$)/;

/** The code for the account library's own limit: an attempt to authenticate, or a request like any other. */
export function refuseTooMany(path: string): never {
  return ATTEMPTS.test(path) ? refuseAttempt() : refuse("RATE_LIMITED");
}

function refuseAttempt(): never {
  return refuse("AUTH_RATE_LIMITED", { headers: { "retry-after": String(RETRY_AFTER_SECONDS) } });
}

/**
 * Counts a password for this account (its address), or refuses. Whoever calls this checks the password afterwards, and gives
 * the hit back when it was right. Null: nothing counts here (contract 8.1.5).
 */
export async function passwordAttempt(
  { app: { ports: { limiter } }, clientIp }: RequestContext,
  account: string,
): Promise<LentHit | null> {
  if (limiter === null) return null;
  const bucket = passwordBucket(clientIp, await digestOf(account.trim().toLowerCase()));
  const { limit, period } = PASSWORD_ATTEMPTS;
  return await limiter.lend(bucket, limit, period) ?? refuseAttempt();
}

interface AccountRequest {
  /** Below the auth base. */
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The account whose password this account route is asked to check; null: it checks none. */
export async function challengedAccount(
  { app, headers }: RequestContext,
  { path, bytes }: AccountRequest,
): Promise<string | null> {
  if (bytes.byteLength === 0 || CHOOSES_PASSWORD.has(path)) return null;
  // A body that is no JSON has no members: the account library says so.
  const body = parsedJson(new TextDecoder().decode(bytes));
  if (PASSWORD_MEMBERS.every((name) => textAt(body, name) === null)) return null;
  if (path.startsWith("/sign-in/")) return textAt(body, "email");
  return await app.ports.accounts?.accountOf(headers) ?? null;
}

/** Members of a body that prove an identity; a new password stands under another name. */
const PASSWORD_MEMBERS = ["password", "currentPassword"] as const;

/** The password of an account that is not there yet. */
const CHOOSES_PASSWORD: ReadonlySet<string> = new Set(["/sign-up/email", "/admin/create-user"]);

function textAt(value: unknown, name: string): string | null {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return null;
  const member: unknown = Reflect.get(value, name);
  return typeof member === "string" ? member : null;
}

async function digestOf(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

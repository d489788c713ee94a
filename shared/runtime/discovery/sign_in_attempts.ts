/**
 * Wrong passwords, counted by address and account (contract 7.2): beyond the limit this address is refused this account for a
 * while, right password or not, with `AUTH_RATE_LIMITED`. Other addresses and other accounts are not locked out.
 */
import { FAILED_SIGN_INS, RETRY_AFTER_SECONDS } from "../../contract/rate_limits.ts";
import { parsedJson } from "../../lib/parsed_json.ts";
import { failedSignInBucket } from "../../surface/rate_buckets.ts";
import type { RequestContext } from "../context.ts";
import { refuse } from "../refusal.ts";

/** Paths below the auth base where somebody proves who they are, or asks for the means to. */
const ATTEMPTS =
  /^\/(sign-in|sign-up|request-password-reset|reset-password|change-password|verify-password|send-verification-email)(\/|$)/;

/** What the account library's own limit is called here: an attempt to authenticate, or a request like any other. */
export function refuseTooMany(path: string): never {
  return ATTEMPTS.test(path) ? refuseAttempt() : refuse("RATE_LIMITED");
}

function refuseAttempt(): never {
  return refuse("AUTH_RATE_LIMITED", { headers: { "retry-after": String(RETRY_AFTER_SECONDS) } });
}

interface SignInAttempt {
  /** Refuses an address that failed too often. */
  requireAllowed(): void;
  failed(): Promise<void>;
}

/** Null: no sign-in, or nothing to count by. */
export async function signInAttempt(
  { app, clientIp }: RequestContext,
  { path, bytes }: { readonly path: string; readonly bytes: Uint8Array<ArrayBuffer> },
): Promise<SignInAttempt | null> {
  const { lockedSignIns, ports: { limiter, clock } } = app;
  const account = path === "/sign-in/email" ? accountOf(bytes) : null;
  if (account === null || limiter === null || clientIp === null) return null;
  const bucket = failedSignInBucket(clientIp, await digestOf(account));
  return {
    requireAllowed() {
      if (clock.now() < (lockedSignIns.get(bucket) ?? 0)) refuseAttempt();
    },
    async failed() {
      const { limit, period } = FAILED_SIGN_INS;
      if (await limiter.take(bucket, limit, period)) return;
      lockedSignIns.delete(bucket);
      lockedSignIns.set(bucket, clock.now() + period * 1000);
      if (lockedSignIns.size > LOCKED_MAX) forgetOldest(lockedSignIns);
      refuseAttempt();
    },
  };
}

/** Pairs of address and account that one process remembers. */
const LOCKED_MAX = 10_000;

function forgetOldest(locked: Map<string, number>): void {
  const [oldest] = locked.keys();
  if (oldest !== undefined) locked.delete(oldest);
}

/** Accounts are found by their address in lower case. */
function accountOf(bytes: Uint8Array): string | null {
  // What is no JSON has no account: the account library says so.
  const body = parsedJson(new TextDecoder().decode(bytes));
  const isThere = typeof body === "object" && body !== null && Object.hasOwn(body, "email");
  const email: unknown = isThere ? Reflect.get(body, "email") : null;
  return typeof email === "string" ? email.trim().toLowerCase() : null;
}

async function digestOf(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

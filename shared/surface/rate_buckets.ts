/** Builds keys of the rate limiter (contract 8.1.4). */
import type { RateOperation } from "../contract/mod.ts";

/** Returns the key of a caller: the actor of `actorOf`, else the address, else one key for all anonymous callers. */
export function callerKey(actor: string | null, clientIp: string | null): string {
  return actor ?? clientIp ?? "anon";
}

/** Returns the key of all requests of one address. */
export function addressBucket(clientIp: string): string {
  return `address:${clientIp}`;
}

/** Returns the key of requests with invalid credentials. */
export function failedAttemptsBucket(clientIp: string): string {
  return `authentication:failed:${clientIp}`;
}

/**
 * Returns the key of password attempts for one account. The key contains a digest of the account, so that no person's address
 * is stored in it.
 */
export function passwordBucket(clientIp: string | null, account: string): string {
  return `authentication:password:${callerKey(null, clientIp)}:${account}`;
}

export function resourceBucket(resource: string, operation: RateOperation, caller: string): string {
  return `${resource}:${operation}:${caller}`;
}

export function recordActionBucket(resource: string, action: string, caller: string): string {
  return `${resource}:action:${action}:${caller}`;
}

export function standaloneActionBucket(path: string, caller: string): string {
  return `standalone:${path}:${caller}`;
}

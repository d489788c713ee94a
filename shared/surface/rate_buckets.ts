/** Keys of the rate limiter (contract 8.1.4). */
import type { RateOperation } from "../contract/mod.ts";

/** A caller is whoever acts, by `actorOf`, else their address, else all anonymous callers together. */
export function callerKey(actor: string | null, clientIp: string | null): string {
  return actor ?? clientIp ?? "anon";
}

/** All requests of one address. */
export function addressBucket(clientIp: string): string {
  return `address:${clientIp}`;
}

/** Credentials that proved nothing. */
export function failedAttemptsBucket(clientIp: string): string {
  return `authentication:failed:${clientIp}`;
}

/** Passwords for one account; the account as a digest, so that no address of a person becomes a key. */
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

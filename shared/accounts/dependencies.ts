/** Ports that accounts need from their host. */
import type * as ports from "../runtime/ports.ts";

export interface AccountsDependencies {
  readonly database: ports.Database;
  /** A copy of the database that may answer who somebody is. Null or absent: the database answers. */
  readonly copy?: ports.Reader | null;
  readonly settings:
    & Pick<ports.Settings, "baseUrl" | "production" | "variable" | "isMailOff">
    & ports.Secrets;
  readonly logger: ports.Logger;
  /** Counts requests for the library's limits, across all instances that share it. */
  readonly limiter: ports.RateLimiter;
  /** Runs work outside of the asynchronous context of a request, where the library keeps the request. */
  readonly detached: <T>(run: () => T) => T;
  /** Absent: messages are logged. */
  readonly email?: ports.EmailSender;
  /** Accounts with one of these addresses, once it is confirmed, are `sysadmin` (definitions 8, `SYSADMIN_EMAILS`). */
  readonly sysadminEmails?: readonly string[];
  /** Absent: there are no hooks. */
  readonly hooks?: ports.AuthHooks;
  /** Absent: the library's hasher, scrypt with a salt for each password. */
  readonly passwords?: PasswordHasher;
}

export interface PasswordHasher {
  /** Returns the text that is stored for a password. */
  hash(password: string): Promise<string>;
  /** True when a stored hash belongs to this password. */
  verify(given: { readonly hash: string; readonly password: string }): Promise<boolean>;
}

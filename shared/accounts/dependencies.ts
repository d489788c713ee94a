/** Ports that accounts need from their host. */
import type * as ports from "../runtime/ports.ts";

export interface AccountsDependencies {
  readonly database: ports.Database;
  /** Answers who somebody is; null or absent: the database does. */
  readonly copy?: ports.Reader | null;
  readonly settings:
    & Pick<ports.Settings, "baseUrl" | "production" | "variable" | "isMailOff">
    & ports.Secrets;
  readonly logger: ports.Logger;
  /** Counts requests for the library's own limits, for all instances that share it. */
  readonly limiter: ports.RateLimiter;
  /** Runs work outside of any request's asynchronous context: the library keeps its requests there. */
  readonly detached: <T>(run: () => T) => T;
  /** Default: messages go to the log. */
  readonly email?: ports.EmailSender;
  /** Accounts with one of these addresses, once it is confirmed, are `sysadmin` (definitions 8, `SYSADMIN_EMAILS`). */
  readonly sysadminEmails?: readonly string[];
  /** Default: none. */
  readonly hooks?: ports.AuthHooks;
  /** Default: the library's own, scrypt with a salt for each password. */
  readonly passwords?: PasswordHasher;
}

export interface PasswordHasher {
  /** The text that is stored in the password's place. */
  hash(password: string): Promise<string>;
  /** True when a stored hash is this password's. */
  verify(given: { readonly hash: string; readonly password: string }): Promise<boolean>;
}

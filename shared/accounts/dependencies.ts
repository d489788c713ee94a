/** Ports that accounts need from their host. */
import type {
  AuthHooks,
  Database,
  EmailSender,
  Logger,
  RateLimiter,
  Settings,
} from "../runtime/ports.ts";

export interface AccountsDependencies {
  readonly database: Database;
  readonly settings: Pick<Settings, "baseUrl" | "authSecret" | "production">;
  readonly logger: Logger;
  /** Counts requests for the library's own limits, for all instances that share it. */
  readonly limiter: RateLimiter;
  /** Runs work outside of any request's asynchronous context: the library keeps its requests there. */
  readonly detached: <T>(run: () => T) => T;
  /** Default: messages go to the log. */
  readonly email?: EmailSender;
  /** Accounts with one of these addresses, once it is confirmed, are `sysadmin` (definitions 8, `SYSADMIN_EMAILS`). */
  readonly sysadminEmails?: readonly string[];
  /** Default: none. */
  readonly hooks?: AuthHooks;
}

/** What accounts need from their host. */
import type { Database, EmailSender, Logger, Settings } from "../runtime/ports.ts";

export interface AccountsDependencies {
  readonly database: Database;
  readonly settings: Pick<Settings, "baseUrl" | "authSecret" | "production">;
  readonly logger: Logger;
  /** Default: messages go to the log. */
  readonly email?: EmailSender;
  /** Accounts that sign up with one of these addresses are `sysadmin` (definitions 8, `SYSADMIN_EMAILS`). */
  readonly sysadminEmails?: readonly string[];
}

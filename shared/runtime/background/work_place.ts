/** Capabilities, options and means of work in one database. */
import type { ProjectModel } from "../../model/mod.ts";
import type { AuthoredCode } from "../../surface/mod.ts";
import type { DrizzleSchema } from "../data/scoped_db/open_scoped_db.ts";
import type {
  Clock,
  Database,
  FilePorts,
  Logger,
  Randomness,
  RealtimePorts,
  RowQuota,
  TenantDatabases,
  Timer,
  WebhookPorts,
} from "../ports.ts";
import type { Slots } from "./consumer.ts";

export interface BackgroundPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Randomness;
  readonly logger: Logger;
  readonly webhooks: WebhookPorts;
  /** Absent: writes of handlers are not published. */
  readonly realtime?: RealtimePorts;
  /** Required by projects with files only. */
  readonly files?: FilePorts | null;
  /** Required by projects with jobs only. */
  readonly timer?: Timer;
  /** Databases of organizations. Null or absent: one database has all rows. */
  readonly tenants?: TenantDatabases | null;
  /** Null or absent: a tenant may have any number of rows. */
  readonly rowQuota?: RowQuota | null;
}

export interface BackgroundOptions {
  /** Code of `onWebhookEvent` and `defineWebhookProvider` (contract 6.2). */
  readonly authored?: AuthoredCode;
  /** Drizzle's tables, for the databases of handlers. */
  readonly schema?: DrizzleSchema;
  /** Milliseconds after which the jobs of a dead worker continue. */
  readonly lease?: number;
  /** Milliseconds after which an overdue job counts as lost by the queue. */
  readonly requeueAfter?: number;
  /** True to log every attempt. Default: only errors of this process. */
  readonly logsAttempts?: boolean;
  /** Most concurrent jobs. */
  readonly jobSlots?: number | undefined;
}

export interface WorkMeans extends BackgroundOptions {
  /** Places for running jobs, in all databases together. */
  readonly slots: Slots;
  /** Wraps a database so that its changes are published. */
  readonly published: (database: Database) => Database;
  readonly onFree: () => void;
  /** Database in which jobs of the organization run. Absent: not an organization's database. */
  readonly running?: Database;
  /** Database with the accounts. Absent: not an organization's database. */
  readonly directory?: Database;
  /** Disables endpoints whose account has ended. Absent: not an organization's database. */
  readonly endEndpoints?: () => Promise<void>;
}

/** One database with its work. */
export interface WorkPlace {
  readonly project: ProjectModel;
  readonly ports: BackgroundPorts;
  readonly means: WorkMeans;
}

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
  /** Needed by projects with files, and by no other. */
  readonly files?: FilePorts | null;
  /** Needed by projects with jobs, and by no other. */
  readonly timer?: Timer;
  /** Databases of organizations; null or absent: the one database has all rows. */
  readonly tenants?: TenantDatabases | null;
  /** Null or absent: a tenant may have any number of rows. */
  readonly rowQuota?: RowQuota | null;
}

export interface BackgroundOptions {
  /** Code of `onWebhookEvent` and `defineWebhookProvider` (contract 6.2). */
  readonly authored?: AuthoredCode;
  /** Drizzle's tables, for the databases of handlers. */
  readonly schema?: DrizzleSchema;
  /** Milliseconds after which the jobs of a dead worker go on. */
  readonly lease?: number;
  /** Milliseconds after which a job that should have been done is taken for lost by the queue. */
  readonly requeueAfter?: number;
  /** Each attempt is logged, whatever its end; default: only what went wrong here. */
  readonly logsAttempts?: boolean;
  /** Jobs under way at a time. */
  readonly jobSlots?: number | undefined;
}

export interface WorkMeans extends BackgroundOptions {
  /** Places of running jobs, in all databases together. */
  readonly slots: Slots;
  /** The database with what is told of its writes. */
  readonly published: (database: Database) => Database;
  readonly onFree: () => void;
  /** Of an organization: where its jobs run. */
  readonly running?: Database;
  /** Of an organization: has the accounts. */
  readonly directory?: Database;
  /** Of an organization: disables endpoints that are over. */
  readonly endEndpoints?: () => Promise<void>;
}

/** One database with its work. */
export interface WorkPlace {
  readonly project: ProjectModel;
  readonly ports: BackgroundPorts;
  readonly means: WorkMeans;
}

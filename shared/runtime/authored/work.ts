/** Parts of one call of authored code, and parts that all calls share (contract 2.11, definitions 6). */
import type { HandlerEnv, ResourceModel, TableModel } from "../../model/mod.ts";
import type { AuthoredCode, MaskSource } from "../../surface/mod.ts";
import type {
  DrizzleSchema,
  OpenScopedDb,
  ScopedDbOptions,
} from "../data/scoped_db/open_scoped_db.ts";
import type { ReadOrigins } from "../data/scoped_db/read_origins.ts";
import type { DataLayer } from "../data/types.ts";
import type { FilePorts, Reader, Timer, Transaction } from "../ports.ts";
import type { EmissionMeans } from "./emit_event.ts";
import type { HandlerFiles } from "./handler_files.ts";
import type { HookTime } from "./hook_time.ts";
import type { JobQueues } from "./job_queue.ts";

/** Parts of authored code that all handlers of one application share. */
export interface HandlerHome {
  readonly openDb: OpenScopedDb<DrizzleSchema>;
  readonly env: HandlerEnv;
  /** Of the project, outside of features. */
  readonly code: AuthoredCode;
  /** Masks for what their results may hold. */
  readonly maskSources: readonly MaskSource[];
  /** Tables with files. */
  readonly fileTables: readonly TableModel[];
  readonly records: RecordsHome;
  /** Has the accounts, where organizations have databases of their own; undefined: every transaction has. */
  readonly directory: Reader | undefined;
}

/** The rows of one application, and what its model says of them, by the name of their table. */
interface RecordsHome {
  readonly data: DataLayer;
  readonly tables: ReadonlyMap<string, TableModel>;
  readonly resources: ReadonlyMap<string, ResourceModel>;
}

export interface WorkOptions extends Omit<ScopedDbOptions, "records"> {
  /** The transaction's database: what is asked of it holds no writer. */
  readonly reader: Reader;
  readonly home: HandlerHome;
  readonly means: Omit<EmissionMeans, "directory"> & {
    readonly ports: { readonly files?: FilePorts | null; readonly timer?: Timer | undefined };
  };
  /** The transaction as the writes of `db.records` are told in it; absent: as all writes are. */
  readonly told?: Transaction;
  /** Of hooks; absent: any. */
  readonly time?: HookTime;
  /** Hooks by whose writes this work is asked for; absent: none. */
  readonly depth?: number;
}

export interface Work {
  readonly db: unknown;
  /** Null: the action or job declares no `unsafe`. */
  readonly unsafeDb: unknown;
  readonly services: Readonly<Record<string, unknown>>;
  readonly jobs: JobQueues;
  /** Null: the project has none. */
  readonly files: HandlerFiles | null;
  readonly env: HandlerEnv;
  /** Origins of the values in the rows that it read. */
  readonly origins: ReadOrigins;
  /** Lets what was begun finish, and refuses what comes later. To be called before the commit. */
  close(): Promise<void>;
}

export type OpenWork = (options: WorkOptions) => Work;

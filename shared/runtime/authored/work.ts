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

/** Parts that all handlers of one application share. */
export interface HandlerHome {
  readonly openDb: OpenScopedDb<DrizzleSchema>;
  readonly env: HandlerEnv;
  /** Code outside of features. */
  readonly code: AuthoredCode;
  /** Masks of the columns that results may contain. */
  readonly maskSources: readonly MaskSource[];
  /** Tables with files. */
  readonly fileTables: readonly TableModel[];
  readonly records: RecordsHome;
  /** Database with the accounts, if organizations have their own; undefined: every transaction has them. */
  readonly directory: Reader | undefined;
}

/** Records of one application: its rows, and its model by the name of the table. */
interface RecordsHome {
  readonly data: DataLayer;
  readonly tables: ReadonlyMap<string, TableModel>;
  readonly resources: ReadonlyMap<string, ResourceModel>;
}

export interface WorkOptions extends Omit<ScopedDbOptions, "records"> {
  /** Reads of the transaction's database. They do not occupy the writer. */
  readonly reader: Reader;
  readonly home: HandlerHome;
  readonly means: Omit<EmissionMeans, "directory"> & {
    readonly ports: { readonly files?: FilePorts | null; readonly timer?: Timer | undefined };
  };
  /** Transaction in which writes of `db.records` are published in their own way; absent: they are published like all writes. */
  readonly told?: Transaction;
  /** Time limit of hooks; absent: none. */
  readonly time?: HookTime;
  /** Number of hooks whose writes led to this work; absent: none. */
  readonly depth?: number;
}

export interface Work {
  readonly db: unknown;
  /** Null: the action or job does not declare `unsafe`. */
  readonly unsafeDb: unknown;
  readonly services: Readonly<Record<string, unknown>>;
  readonly jobs: JobQueues;
  /** Null: the project has no files. */
  readonly files: HandlerFiles | null;
  readonly env: HandlerEnv;
  /** Origins of the values in rows that were read. */
  readonly origins: ReadOrigins;
  /** Waits for started statements and refuses later ones. Call it before the commit. */
  close(): Promise<void>;
}

export type OpenWork = (options: WorkOptions) => Work;

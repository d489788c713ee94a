/** The record of a service table: what every place that handles service tables has to know of one. */
import type { Home } from "./tenancy.ts";
import type { ProjectModel } from "./project.ts";
import type { SqlTable } from "./sql_table.ts";

/** Says which organization a row belongs to. */
export type Ownership =
  /** The column has the organization's id. `orNobody`: rows of a copy need not have one. */
  | { readonly kind: "named"; readonly column: string; readonly orNobody?: true }
  /** The column has the key of a row of another service table, which says it. */
  | { readonly kind: "service"; readonly column: string; readonly table: SqlTable }
  /** The column has the key of a record of this table of the project, which says it where the table is scoped. */
  | { readonly kind: "record"; readonly column: string; readonly table: string };

interface AnyServiceTable {
  readonly table: SqlTable;
  /** True for projects that have it. */
  readonly wanted: (project: ProjectModel) => boolean;
  /**
   * Treatment when the one database of a project is split into one for each organization: rows that stay in the directory are
   * copied and compared, copied without a comparison because a process that only started leaves rows too, or left behind.
   */
  readonly onSplit: "copy" | "copyUnchecked" | "leave";
  /** Columns with ids of accounts and organizations by which a proof finds the rows that it left; empty: it leaves none. */
  readonly sweptBy: readonly string[];
  /** Part of an API with this table that no copy of its database has; absent: none. */
  readonly beside?: "databases" | "files";
  /** Its rows stand for work, which a worker does. */
  readonly outbox?: OutboxRecord;
}

interface TableOfNobody extends AnyServiceTable {
  /** Databases with rows of it where each organization has its own; `both`: each database has rows for itself. */
  readonly home: "directory" | "both";
  readonly ownedBy: null;
  readonly onPurge: "keep";
  readonly inExport: false;
}

interface TableOfOrganizations extends AnyServiceTable {
  /** Databases with rows of it where each organization has its own; `tenant`: what is no organization's is in the directory. */
  readonly home: Home | "both";
  readonly ownedBy: Ownership;
  /** End of an organization's rows when it is deleted; `erase`: all columns that may be null become null. */
  readonly onPurge: "delete" | "erase" | "keep";
  /** Rows of an organization are part of its export, its import and its database after a split. */
  readonly inExport: boolean;
}

export type ServiceTable = TableOfNobody | TableOfOrganizations;

/**
 * Names of a table whose rows stand for work (contract 3.3, 3.4). It has `id`, `attempts`, `created_at`, and `queued_at`: null
 * until a queue knows the row.
 */
export interface OutboxLayout {
  /** Column of whom the work is for, which is a job's payload. */
  readonly receiver: string;
  /** Due rows of one receiver in the queue at a time, each receiver served in turn; absent: the oldest rows first. */
  readonly queuedPerReceiver?: number;
  /** Column of the time of the next attempt; absent: a row is due once it is queued. */
  readonly nextAttempt?: string;
  /** Column that counts how often a row got all of its attempts anew, each time as another job. */
  readonly round?: string;
  /** Column that counts attempts that began, in all rounds: a later one makes what an earlier one still does void. */
  readonly fence?: string;
  /** Column of the time at which the last attempt began. */
  readonly startedAt?: string;
  /** Columns of which only one row may have the same values: a second one is not written. */
  readonly unique?: readonly string[];
  /** Absent: there is no `status`, and a row is there for as long as it waits. */
  readonly states?: OutboxStates;
}

export interface OutboxRecord extends OutboxLayout {
  /** Name of its queue. */
  readonly queue: string;
  /** Value of the label `outbox` of its metrics. */
  readonly label: string;
  /** Its attempts connect to addresses that somebody registered, which a worker on an edge platform cannot. */
  readonly dials: boolean;
}

/** Values of `status`. */
export interface OutboxStates<Status extends string = string> {
  readonly fresh: Status;
  /** While an attempt is under way, which is counted when it begins; absent: it is counted when it has ended. */
  readonly begun?: Status;
  /** Waits for its next attempt. */
  readonly again: Status;
  readonly done: Status;
  /** Failed for good. */
  readonly dead: Status;
  /** Attempts in all, which separate `again` from `dead` where both have one name; absent: their names differ. */
  readonly attempts?: number;
}

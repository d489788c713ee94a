/** The record of a service table: all that other parts must know about it. */
import type { Home } from "./tenancy.ts";
import type { ProjectModel } from "./project.ts";
import type { SqlTable } from "./sql_table.ts";

/** How the organization of a row is found. */
export type Ownership =
  /** The column has the organization's id. With `orNobody` rows of a copy may lack one. */
  | { readonly kind: "named"; readonly column: string; readonly orNobody?: true }
  /** The column has the key of a row of another service table, whose organization counts. */
  | { readonly kind: "service"; readonly column: string; readonly table: SqlTable }
  /** The column has the key of a record of this table of the project, whose organization counts if the table is scoped. */
  | { readonly kind: "record"; readonly column: string; readonly table: string };

interface AnyServiceTable {
  readonly table: SqlTable;
  /** True for projects that have this table. */
  readonly wanted: (project: ProjectModel) => boolean;
  /**
   * Treatment when a project's one database is split into one for each organization. `copy`: rows that stay in the directory
   * are copied and compared. `copyUnchecked`: copied without a comparison, because a process that merely started writes rows
   * too. `leave`: not copied.
   */
  readonly onSplit: "copy" | "copyUnchecked" | "leave";
  /**
   * Columns with ids of accounts and organizations, by which a proof finds and removes the rows that it caused; empty: it
   * causes none.
   */
  readonly sweptBy: readonly string[];
  /** The part of an API that no copy of its database contains although this table refers to it. Absent: there is none. */
  readonly beside?: "databases" | "files";
  /** Set when its rows are work for a worker. */
  readonly outbox?: OutboxRecord;
}

interface TableOfNobody extends AnyServiceTable {
  /** The databases that have rows of it when each organization has its own. `both`: each database has its own rows. */
  readonly home: "directory" | "both";
  readonly ownedBy: null;
  readonly onPurge: "keep";
  readonly inExport: false;
}

interface TableOfOrganizations extends AnyServiceTable {
  /**
   * The databases that have rows of it when each organization has its own. With `tenant`, rows without an organization are in
   * the directory.
   */
  readonly home: Home | "both";
  readonly ownedBy: Ownership;
  /** Treatment of the rows of a deleted organization. `erase` sets every nullable column to null. */
  readonly onPurge: "delete" | "erase" | "keep";
  /** True when an organization's rows are part of its export, its import and its database after a split. */
  readonly inExport: boolean;
}

export type ServiceTable = TableOfNobody | TableOfOrganizations;

/**
 * Column names of a table whose rows are work (contract 3.3, 3.4). It has `id`, `attempts`, `created_at`, and `queued_at`,
 * which is null until a queue has the row.
 */
export interface OutboxLayout {
  /** Column with the receiver of the work, which becomes the job's payload. */
  readonly receiver: string;
  /** Most due rows of one receiver that the queue holds at a time; receivers take turns. Absent: the oldest rows go first. */
  readonly queuedPerReceiver?: number;
  /** Column with the time of the next attempt. Absent: a row is due as soon as it is queued. */
  readonly nextAttempt?: string;
  /** Column that counts how often the row's attempts started over. Each time the queue gets another job. */
  readonly round?: string;
  /** Column that counts all attempts that began. A later attempt invalidates what an earlier one still writes. */
  readonly fence?: string;
  /** Column with the time at which the last attempt began. */
  readonly startedAt?: string;
  /** Columns whose values together are unique. A second row with the same values is not written. */
  readonly unique?: readonly string[];
  /** Absent: the table has no `status`, and a row exists only while it waits. */
  readonly states?: OutboxStates;
}

export interface OutboxRecord extends OutboxLayout {
  /** Name of the queue. */
  readonly queue: string;
  /** Value of the label `outbox` of its metrics. */
  readonly label: string;
  /** True when attempts connect to addresses that somebody registered, which a worker on an edge platform cannot do. */
  readonly dials: boolean;
}

/** The values of `status`. */
export interface OutboxStates<Status extends string = string> {
  readonly fresh: Status;
  /** Status during an attempt, which counts when it begins. Absent: an attempt counts when it has ended. */
  readonly begun?: Status;
  /** Status while the row waits for its next attempt. */
  readonly again: Status;
  readonly done: Status;
  /** Status of a row that failed for good. */
  readonly dead: Status;
  /** Number of attempts that separates `again` from `dead` when both have the same name. Absent: their names differ. */
  readonly attempts?: number;
}

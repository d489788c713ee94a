/**
 * Finding of an audit: a statement may reach rows that the definitions hide from its caller. Also the reasons that allow a use.
 */
import type { FirewallPredicate, TableModel } from "../../shared/model/mod.ts";
import type { RecordedRequest, RecordedStatement } from "./statement_record.ts";

export type Fault =
  /** The statement could use a row that this predicate hides. */
  | {
    readonly kind: "predicateMissing";
    readonly table: TableModel;
    readonly predicate: FirewallPredicate;
    readonly role: "read" | "update" | "delete" | "upsert";
  }
  /** The statement could move a row to another owner or organization. */
  | { readonly kind: "scopeNotWritten"; readonly table: TableModel; readonly column: string }
  /** The statement is an `INSERT OR REPLACE`, which removes any conflicting row. */
  | { readonly kind: "replacesRows"; readonly table: TableModel }
  /** The statement could read a change of another organization's records. */
  | { readonly kind: "chainNotBound" }
  | { readonly kind: "unknownTable"; readonly name: string }
  | { readonly kind: "unreadable" };

export interface Finding {
  readonly fault: Fault;
  readonly request: Omit<RecordedRequest, "statements">;
  readonly statement: RecordedStatement;
}

/** Reason that allows a use of a table. */
export type Clearance =
  /** Each predicate of the table's definition binds the use. */
  | "scoped"
  /** The row is new, and stamped with its caller's scope. */
  | "stamped"
  /** The table is the service's own, and no definition describes it. */
  | "service"
  /** The action declares `unsafe`. */
  | "unsafe"
  /** A job's run sees the rows of every owner in its tenant. */
  | "job"
  /** The same transaction wrote the rows, or met them in scope. */
  | "written"
  /**
   * The statement only checks whether a row that was not found is the caller's own and soft-deleted; it reads nothing else of
   * it.
   */
  | "deletionProbe"
  /** The statement sums the sizes of the tenant's files; it reads nothing else of their rows. */
  | "fileBytes"
  /**
   * The statement reads which numbers of a sequence rows of the organization have, whether or not the caller sees them; it
   * reads nothing else of them.
   */
  | "takenNumbers"
  /**
   * The statement checks whether living rows of the tenant prevent a deletion, whether or not the caller sees them; it reads
   * nothing else of them.
   */
  | "livingChildren"
  /** The statement reads the organization of a row that the input of an action names; it reads nothing else of it. */
  | "namedTenant"
  /** The statement reads related rows as a rule of the project does: in the tenant, with the caller's own values. */
  | "related"
  /** The transaction that changed the rows reads rows of the tenant, to judge a frame for each subscriber. */
  | "framedRows"
  /** The rows are soft-deleted, and read or restored by a caller who may restore them. */
  | "restorable"
  /** The database itself clears or removes the rows with a row in scope, because their foreign key declares it. */
  | "cascade";

/**
 * A finding of an audit: a statement that may reach rows which its caller's definitions keep from them, or the ground on
 * which it may.
 */
import type { FirewallPredicate, TableModel } from "../../shared/model/mod.ts";
import type { RecordedRequest, RecordedStatement } from "./statement_record.ts";

export type Fault =
  /** A row that this predicate hides could be used. */
  | {
    readonly kind: "predicateMissing";
    readonly table: TableModel;
    readonly predicate: FirewallPredicate;
    readonly role: "read" | "update" | "delete" | "upsert";
  }
  /** A row could become another's. */
  | { readonly kind: "scopeNotWritten"; readonly table: TableModel; readonly column: string }
  /** `INSERT OR REPLACE` removes whichever row is in its way. */
  | { readonly kind: "replacesRows"; readonly table: TableModel }
  /** A change of another organization's records could be read. */
  | { readonly kind: "chainNotBound" }
  | { readonly kind: "unknownTable"; readonly name: string }
  | { readonly kind: "unreadable" };

export interface Finding {
  readonly fault: Fault;
  readonly request: Omit<RecordedRequest, "statements">;
  readonly statement: RecordedStatement;
}

/** A reason that makes a use of a table allowed. */
export type Clearance =
  /** Each predicate of its definition binds it. */
  | "scoped"
  /** A new row, stamped with its caller's scope. */
  | "stamped"
  /** The table is the service's own, and no definition's. */
  | "service"
  /** The action declares it. */
  | "unsafe"
  /** A job's run sees the rows of every owner in its tenant. */
  | "job"
  /** Rows that this very transaction wrote, or met in scope. */
  | "written"
  /** Looks only at whether a row that was not found is the caller's own and soft-deleted; reads nothing of it. */
  | "deletionProbe"
  /** Sums up how many bytes the tenant's files have; reads nothing else of their rows. */
  | "fileBytes"
  /** Looks only at which numbers of a sequence rows of the organization have, whoever may see them; reads nothing of them. */
  | "takenNumbers"
  /** Looks only at whether living rows of the tenant keep a row, whoever may see them; reads nothing of them. */
  | "livingChildren"
  /** Asks of a row that the input of an action names which organization it is of; reads nothing else of it. */
  | "namedTenant"
  /** Asks for related rows as a rule of the project does: in the tenant, with the caller's own values. */
  | "related"
  /** Rows of the tenant by which a frame is judged for each subscriber, read by the transaction that changed them. */
  | "framedRows"
  /** Soft-deleted rows, asked for or taken back by a caller who may restore them. */
  | "restorable"
  /** Rows that the database itself clears or removes with a row in scope, because their foreign key says so. */
  | "cascade";

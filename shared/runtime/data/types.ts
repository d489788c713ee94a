/** The terms in which operations talk to the data layer. SQL is known only behind them (architecture, invariant 3). */
import type { FilterOperator } from "../../contract/operators.ts";
import type { ResourceModel } from "../../model/resource.ts";
import type { SortKey } from "../../model/view.ts";
import type { RowRule } from "../../surface/admission.ts";
import type { Firewall } from "../layers/3-firewall/firewall.ts";
import type { Reader, SqlValue, Transaction } from "../ports.ts";

export type { Firewall };

/** A typed filter, its value already coerced to the column's stored form. */
export interface Filter {
  readonly column: string;
  readonly operator: FilterOperator;
  /** One value; several for `in`. Null compares as IS NULL. */
  readonly values: readonly SqlValue[];
}

/** Which fields of a record leave the service, and as whom they are masked. */
export interface Projection {
  readonly resource: ResourceModel;
  /** API names in output order; labels of listed foreign keys follow them. */
  readonly columns: readonly string[];
}

export interface PageQuery {
  readonly firewall: Firewall;
  /** Row conditions of the access rule; null: every row behind the firewall. */
  readonly rule: RowRule | null;
  readonly projection: Projection;
  readonly filters: readonly Filter[];
  /** Columns to search with a substring; null: no search. */
  readonly search: { readonly columns: readonly string[]; readonly text: string } | null;
  /** Without the closing primary key: the data layer appends it. */
  readonly sort: readonly SortKey[];
  readonly limit: number;
  readonly offset: number;
  readonly withTotal: boolean;
}

export interface Page {
  /** The records as JSON texts, masked for the caller, at most `limit`. */
  readonly records: readonly string[];
  readonly hasMore: boolean;
  /** Null without `withTotal`. */
  readonly total: number | null;
}

/** A stored row as JavaScript values by API column name, unmasked: for conditions and ownership, never for an answer. */
export type StoredRow = ReadonlyMap<string, SqlValue>;

/** Who writes, and when: the same for everything that one request changes. */
export interface Stamps {
  /** ISO date-time as stored: `YYYY-MM-DDTHH:mm:ss.sssZ`. */
  readonly now: string;
  /** Null for an anonymous caller. */
  readonly userId: string | null;
}

/** Stored values by API column name (see `toStored`). */
export type ColumnValues = ReadonlyMap<string, SqlValue>;

/** One row behind a firewall. */
export interface RowKey {
  readonly firewall: Firewall;
  readonly id: SqlValue;
}

export interface RecordQuery extends RowKey {
  readonly projection: Projection;
}

export interface Insertion {
  /** Of the new row: says whose row it becomes. */
  readonly firewall: Firewall;
  /** Null: the database numbers it (`serial`). */
  readonly id: SqlValue;
  /** What the client may set; omitted columns take their default or null, system and scope columns are stamped. */
  readonly values: ColumnValues;
  readonly stamps: Stamps;
}

export interface Update extends RowKey {
  readonly values: ColumnValues;
  readonly stamps: Stamps;
  /** Conditions that the row must still meet; null: none beyond the firewall. */
  readonly rule: RowRule | null;
}

export interface Deletion extends RowKey {
  readonly stamps: Stamps;
  readonly rule: RowRule | null;
}

/** A row of `audit_events` (definitions 7). */
export interface AuditEvent {
  readonly id: string;
  readonly requestId: string | null;
  readonly actorUserId: string | null;
  readonly actorOrgId: string | null;
  readonly actionName: string | null;
  readonly resource: string | null;
  readonly operation: string | null;
  readonly targetScope: string | null;
  readonly targetOrgId: string | null;
  readonly targetRecordId: string | null;
  readonly unsafeReason: string | null;
  readonly result: "denied" | "success" | "error";
  readonly errorCode: string | null;
  readonly createdAt: string;
}

/** The only way to a project's rows. Made once per app; keeps the SQL texts that it has built. */
export interface DataLayer {
  selectPage(reader: Reader, query: PageQuery): Promise<Page>;
  /** The record as JSON text, masked for the caller; null behind the firewall. */
  selectRecord(reader: Reader, query: RecordQuery): Promise<string | null>;
  /** Like `selectRecord` for a row that this very transaction wrote, even if it has left its writer's sight since. */
  selectWritten(transaction: Transaction, query: RecordQuery): Promise<string | null>;
  selectStored(reader: Reader, key: RowKey): Promise<StoredRow | null>;
  /** True for a soft-deleted row that would be the caller's own otherwise. */
  probeDeleted(reader: Reader, key: RowKey): Promise<boolean>;
  /** Those of `ids` that the caller may see: for foreign keys in a body. */
  readableIds(
    reader: Reader,
    query: { readonly firewall: Firewall; readonly ids: readonly SqlValue[] },
  ): Promise<ReadonlySet<SqlValue>>;
  /** Returns the new row's id. */
  insertRow(transaction: Transaction, insertion: Insertion): Promise<SqlValue>;
  /** False when no row was there to change. */
  updateRow(transaction: Transaction, update: Update): Promise<boolean>;
  /** Stamps the row and, at every level, the rows that refer to it (contract 3.1). */
  softDeleteRow(transaction: Transaction, deletion: Deletion): Promise<boolean>;
  hardDeleteRow(transaction: Transaction, deletion: Omit<Deletion, "stamps">): Promise<boolean>;
  insertAudit(transaction: Transaction, event: AuditEvent): Promise<void>;
}

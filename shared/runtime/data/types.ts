/** The types between operations and the data layer. Only the data layer knows SQL (architecture, invariant 3). */
import type { FilterOperator } from "../../column_types/mod.ts";
import type { AggregationModel, Condition, FullTextModel, GroupKeyModel } from "../../model/mod.ts";
import type { ResourceModel, SortKey, TableModel } from "../../model/mod.ts";
import type { ChangeKind, Relation, RowRule, VectorColumn } from "../../surface/mod.ts";
import type { Firewall } from "../layers/3-firewall/firewall.ts";
import type { Reader, SqlValue, Transaction } from "../ports.ts";
import type { Soon } from "../../lib/soon.ts";
import type { PageContent, RecordWithIncluded } from "../response/record.ts";

export type { Firewall };

/** A typed filter. Its value is in stored form. */
export interface Filter {
  readonly column: string;
  readonly operator: FilterOperator;
  /** One value; several for `in`. Null compares as IS NULL. */
  readonly values: readonly SqlValue[];
}

/** Conditions of a caller, each related table behind its own firewall and read rule (contract 4.3). */
export type RowFilter =
  | { readonly kind: "conditions"; readonly conditions: readonly Condition[] }
  | { readonly kind: "all" | "any"; readonly of: readonly RowFilter[] }
  | { readonly kind: "not"; readonly of: RowFilter }
  | Related;

/** Conditions on rows of another table. With `none` no row may meet them. */
export interface Related {
  readonly kind: "related";
  readonly relation: Relation;
  readonly quantifier: "some" | "none";
  /** Of the related table. */
  readonly firewall: Firewall;
  readonly rule: RowRule | null;
  /** Conditions that each need a row. Different rows may meet different ones. */
  readonly of: readonly RowFilter[];
}

/** Fields of a record that leave the service, in their order. */
export interface Projection {
  readonly resource: ResourceModel;
  /** API names in output order; labels of listed foreign keys follow them. */
  readonly columns: readonly string[];
}

/** Accounts that rows of one organization are to name. */
export interface MembersQuery {
  /** Null: the project has no organizations. */
  readonly organizationId: string | null;
  readonly ids: readonly SqlValue[];
  readonly now: string;
}

/** A place in the order of a list: the values of its sort keys, closed by the primary key. */
export type Place = readonly SqlValue[];

/** A foreign key whose targets are included, with what the caller may see of them. */
export interface Embedding {
  /** The resource that holds the key. */
  readonly source: ResourceModel;
  /** Name in `included`; of a target its foreign key. */
  readonly column: string;
  /** The child's key and order, for rows that refer to the record; null: it is a target. */
  readonly children: { readonly key: string; readonly sort: readonly SortKey[] } | null;
  /** Firewall of the target. All members below are the target's too. */
  readonly firewall: Firewall;
  readonly rule: RowRule | null;
  readonly projection: Projection;
}

export interface PageQuery {
  readonly firewall: Firewall;
  /** Row conditions of the access rule; null: every row behind the firewall. */
  readonly rule: RowRule | null;
  readonly projection: Projection;
  readonly filters: readonly Filter[];
  /** Null: none. */
  readonly where: RowFilter | null;
  /** Columns to search with a substring; null: no search. */
  readonly search: {
    readonly columns: readonly string[];
    readonly text: string;
    /** The index to search; none of its columns is masked for anybody. Absent: there is none. */
    readonly index?: FullTextModel;
  } | null;
  /** The best matches first; there is no sort then. */
  readonly byRank: boolean;
  /** Vector that the rows should be near to, in stored form; null: the rows are ordered by the sort only. */
  readonly near: { readonly vector: VectorColumn; readonly digits: string } | null;
  /** Without the closing primary key: the data layer appends it. */
  readonly sort: readonly SortKey[];
  readonly limit: number;
  readonly offset: number;
  /** Position after or before which the page lies; null: it starts at `offset`. */
  readonly from: { readonly direction: "after" | "before"; readonly values: Place } | null;
  readonly withTotal: boolean;
  readonly aggregations: readonly AggregationModel[];
  readonly embeddings: readonly Embedding[];
}

/** A page of a view's groups. */
export interface GroupQuery extends Omit<PageQuery, "projection" | "embeddings" | "near"> {
  readonly groupBy: readonly GroupKeyModel[];
}

/** A page with the positions of its first and last record; null: there is no page in that direction. */
export interface Page extends PageContent {
  readonly first: Place | null;
  readonly last: Place | null;
}

/** A stored row as JavaScript values by API column name, unmasked: for conditions and ownership, never for an answer. */
export type StoredRow = ReadonlyMap<string, SqlValue>;

/** Author and time of a write: the same for everything that one request changes. */
export interface Stamps {
  /** ISO date-time as stored: `YYYY-MM-DDTHH:mm:ss.sssZ`. */
  readonly now: string;
  /** Null for an anonymous caller. */
  readonly userId: string | null;
}

/** Stored values by API column name (see `stored`). */
export type ColumnValues = ReadonlyMap<string, SqlValue>;

/** A row with the existing rows that its rules' relations lead to, in the order of `relationsAt`. */
export interface RelatedRow {
  readonly row: StoredRow;
  readonly related: readonly (readonly RelatedRow[])[];
}

/** Rows for which a rule is evaluated, for the firewall's caller. */
export interface JudgedRows {
  readonly rule: RowRule;
  readonly rows: readonly StoredRow[];
  readonly firewall: Firewall;
}

/** Written rows with the rules to evaluate; null: there are none. */
export interface JudgedWrites extends RowKeys {
  readonly related: RowRule | null;
  readonly rule: RowRule | null;
}

export interface JudgedWrite {
  readonly isBehind: boolean;
  readonly isAllowed: boolean;
}

/** One row behind a firewall. */
export interface RowKey {
  readonly firewall: Firewall;
  readonly id: SqlValue;
}

export interface RecordQuery extends RowKey {
  readonly projection: Projection;
}

/** Several rows behind one firewall. */
export interface RowKeys {
  readonly firewall: Firewall;
  readonly ids: readonly SqlValue[];
}

export interface RecordsQuery extends RowKeys {
  readonly projection: Projection;
}

export interface Insertion {
  /** Firewall of the new row, which decides the row's scope. */
  readonly firewall: Firewall;
  /** Null: the database numbers it (`serial`). */
  readonly id: SqlValue;
  /** Values from the client; omitted columns take their default or null, system and scope columns are stamped. */
  readonly values: ColumnValues;
  readonly stamps: Stamps;
}

/** Rows that become the same caller's at the same time. */
export interface Insertions extends Pick<Insertion, "firewall" | "stamps"> {
  /** Either every row brings its id, or the database numbers them all. */
  readonly rows: readonly Pick<Insertion, "id" | "values">[];
}

export interface Update extends RowKey {
  readonly values: ColumnValues;
  readonly stamps: Stamps;
  /** Conditions that the row must still meet; null: none beyond the firewall. */
  readonly rule: RowRule | null;
}

export interface HeldUpdate extends Omit<Update, "rule"> {
  /** As it is now, read in the same transaction. */
  readonly row: StoredRow;
}

export interface Deletions extends RowKeys {
  readonly stamps: Stamps;
  readonly rule: RowRule | null;
  /** Takes how many rows go along, by their table; absent: nobody asks. */
  readonly cascaded?: Map<string, number> | undefined;
}

export interface Restoration extends RowKey {
  /** As it was read, with its deletion's stamp. */
  readonly row: StoredRow;
  readonly stamps: Stamps;
  readonly rule: RowRule | null;
  /** Of the row itself, written with its return; absent: none. */
  readonly values?: ColumnValues;
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
  /** The account that acted in the actor's place; absent: nobody did. */
  readonly impersonatorUserId?: string;
}

/** A change of a record as it is kept (definitions 4, `audit`). */
export interface KeptChange {
  readonly sequence: number;
  readonly id: string;
  readonly kind: ChangeKind;
  readonly at: string;
  readonly actorUserId: string | null;
  readonly impersonatorUserId: string | null;
  readonly operation: string | null;
  readonly requestId: string | null;
  /** Whole rows, with every column of today; null: there was none. */
  readonly before: StoredRow | null;
  readonly after: StoredRow | null;
}

export interface HistoryQuery {
  /** Of the record's table, for the caller. */
  readonly firewall: Firewall;
  readonly id: string;
  /** The record's own chain. */
  readonly chain: string;
  /** ISO 8601: older changes are over, whether they are there or not. */
  readonly since: string;
  readonly now: string;
  readonly limit: number;
  /** Beyond this sequence; null: from the newest one. */
  readonly from: { readonly direction: "after" | "before"; readonly sequence: number } | null;
}

export interface HistoryPage {
  /** Newest first. */
  readonly changes: readonly KeptChange[];
  /** True when there are further ones, in the direction of the walk. */
  readonly hasMore: boolean;
}

/** The only access to a project's rows. It is made once per app, and caches SQL texts. */
export interface DataLayer {
  /** The page of this query, any number of times. */
  preparePage(query: PageQuery): (reader: Reader) => Promise<Page>;
  /** The page of groups of this query, any number of times; their columns are all plain to the caller. */
  prepareGroups(query: GroupQuery): (reader: Reader) => Promise<Page>;
  /** Any record as JSON text, masked for the caller; null behind the firewall. */
  prepareRecord(
    query: Omit<RecordQuery, "id">,
  ): (reader: Reader, id: SqlValue) => Promise<string | null>;
  /** A record and the targets of its foreign keys, in one round trip. */
  selectWithIncluded(
    reader: Reader,
    query: RecordQuery & { readonly embeddings: readonly Embedding[] },
  ): Promise<RecordWithIncluded | null>;
  /** Selects the place of a record in an order; null when the caller cannot see it. */
  selectPlace(
    reader: Reader,
    query: RowKey & { readonly sort: readonly SortKey[] },
  ): Promise<Place | null>;
  /** Returns a record as JSON text of a row that this transaction wrote, even if the writer can no longer see it. */
  selectWritten(transaction: Transaction, query: RecordQuery): Promise<string | null>;
  selectStored(reader: Reader, key: RowKey): Promise<StoredRow | null>;
  /** Works as `selectStored` for a row that this transaction has judged, even if the caller can no longer see it. */
  selectHeld(transaction: Transaction, key: RowKey): Promise<StoredRow | null>;
  /** By id, in one query; those behind the firewall are absent. */
  selectStoredRows(reader: Reader, keys: RowKeys): Promise<ReadonlyMap<SqlValue, StoredRow>>;
  /** `selectWritten` for several rows, by id. */
  selectWrittenRows(
    transaction: Transaction,
    query: RecordsQuery,
  ): Promise<ReadonlyMap<SqlValue, string>>;
  /** True for a soft-deleted row that would be the caller's own otherwise. */
  probeDeleted(reader: Reader, key: RowKey): Promise<boolean>;
  /** The ids for which `probeDeleted` is true. */
  deletedIds(reader: Reader, keys: RowKeys): Promise<ReadonlySet<SqlValue>>;
  /** The ids that the caller may see: for foreign keys in a body. */
  readableIds(
    reader: Reader,
    query: { readonly firewall: Firewall; readonly ids: readonly SqlValue[] },
  ): Promise<ReadonlySet<SqlValue>>;
  /** The accounts among these that a row of the organization may name. */
  membersAmong(reader: Reader, query: MembersQuery): Promise<ReadonlySet<SqlValue>>;
  /** For each row, whose values are known, whether the rule holds on it; at once where the rule follows no relation. */
  judgeRows(reader: Reader, judged: JudgedRows): Soon<readonly boolean[]>;
  /** Tells for each row that this transaction wrote, by id, whether it satisfies the firewall's relations and a rule. */
  judgeWritten(
    transaction: Transaction,
    written: JudgedWrites,
  ): Promise<ReadonlyMap<SqlValue, JudgedWrite>>;
  /** True when a read of such a row would find it. */
  isVisible(
    reader: Reader,
    row: StoredRow,
    rule: RowRule | null,
    firewall: Firewall,
  ): Soon<boolean>;
  /** Columns of such a row that its rules show to the caller in place of their masks. */
  shownColumns(
    reader: Reader,
    row: StoredRow,
    resource: ResourceModel,
    firewall: Firewall,
  ): Soon<ReadonlySet<string>>;
  /** The row that an insertion would make, as it would be stored. */
  newRow(insertion: Insertion): StoredRow;
  /** The row that an update would leave, as it would be stored. */
  updatedRow(row: StoredRow, update: Pick<Update, "firewall" | "values" | "stamps">): StoredRow;
  /** Values that a replacement would write, with those that return to their default or null. */
  replacedValues(update: Pick<Update, "firewall" | "values" | "stamps">): ColumnValues;
  /** Refuses with `QUOTA_EXCEEDED` where the tenant may not have so many more rows; to be called before they are inserted. */
  requireRoom(transaction: Transaction, firewall: Firewall, rows: number): Promise<void>;
  /** Fills in the drawn values of new rows. Call it in the transaction of the insert; a rollback uses up no number. */
  completeRows<Row extends Pick<Insertion, "values">>(
    transaction: Transaction,
    insertions: { readonly firewall: Firewall; readonly rows: readonly Row[] },
  ): Promise<readonly Row[]>;
  /** Returns the new row's id. */
  insertRow(transaction: Transaction, insertion: Insertion): Promise<SqlValue>;
  /** All in one statement; returns their ids in order. */
  insertRows(transaction: Transaction, insertions: Insertions): Promise<readonly SqlValue[]>;
  /** False when no row was there to change. */
  updateRow(transaction: Transaction, update: Update): Promise<boolean>;
  /** `updateRow` for a whole record: what `values` leaves out returns to its default or null. */
  replaceRow(transaction: Transaction, update: Update): Promise<boolean>;
  /** `updateRow` for a row that this very transaction has judged, even if it has left its writer's sight since. */
  updateHeld(transaction: Transaction, update: HeldUpdate): Promise<void>;
  /** Others refer to its rows, and may go with them. */
  cascades(table: TableModel): boolean;
  /** Stamps the rows and, at every level, the rows that refer to them (contract 3.1). Returns the ids of those it reached. */
  softDeleteRows(transaction: Transaction, deletion: Deletions): Promise<ReadonlySet<SqlValue>>;
  hardDeleteRows(
    transaction: Transaction,
    deletion: Omit<Deletions, "stamps">,
  ): Promise<ReadonlySet<SqlValue>>;
  /** Takes the row's deletion back, with all that it stamped below (contract 3.1); `gone` when it was not there to restore. */
  restoreRow(
    transaction: Transaction,
    restoration: Restoration,
  ): Promise<"restored" | "gone" | "parentDeleted">;
  /** Kept changes of a record that was judged, newest first. */
  selectHistory(reader: Reader, query: HistoryQuery): Promise<HistoryPage>;
  insertAudit(transaction: Transaction, event: AuditEvent): Promise<void>;
}

/** A table with routes (definitions 4). An operation is null when it does not exist. */
import type { RateLimit, RateOperation } from "../contract/mod.ts";
import type { Access, GuardsModel, MaskRule } from "./access.ts";
import type { PUSH_SUBSCRIPTIONS, ResourceRealtime } from "./realtime.ts";
import type { JsonValue, Origin } from "./table.ts";

export interface BatchModel {
  readonly access: Access;
  readonly maxBatchSize: number;
  readonly allowFailFast: boolean;
}

export interface WriteModel {
  readonly access: Access;
  /** Null with `batch: false`. */
  readonly batch: BatchModel | null;
  /** The action that runs in place of this verb (contract 4.1 rule 9); null: none. */
  readonly action: string | null;
}

export interface DeleteModel extends WriteModel {
  readonly mode: "soft" | "hard";
  /** Living rows that refer to a row keep it. Absent: they are deleted along with it. */
  readonly children?: "refuse";
  /** Callers who may see soft-deleted rows and restore them. Absent: nobody may. */
  readonly restore?: { readonly access: Access };
}

/** The history of a resource's records (definitions 4, `audit`). */
export interface AuditModel {
  /**
   * Callers who may read the history: both the resource's read access and the history's own rule apply. Null: nobody may read the
   * resource.
   */
  readonly access: Access | null;
  readonly keepDays: number;
}

/** Rows of another table whose foreign key refers to this resource, under the name that `include` and `where` use. */
export interface ChildrenModel {
  readonly name: string;
  /** The table with the foreign key. */
  readonly table: string;
  /** The foreign key. */
  readonly column: string;
}

export interface ReadModel {
  readonly access: Access;
  /** Foreign-key columns that `include` may name. */
  readonly include: readonly string[];
  /** Absent: none. */
  readonly children?: readonly ChildrenModel[];
  /** The view that answers the plain list; null: none. */
  readonly defaultView: string | null;
  readonly views: readonly ViewModel[];
}

/** `<name>_label` beside the foreign key `<name>Id` (contract 2.4). */
export interface LabelModel {
  readonly field: string;
  readonly column: string;
  readonly table: string;
  readonly display: string;
}

/** Resources that the service itself defines. */
export type BuiltInName = typeof PUSH_SUBSCRIPTIONS;

export interface ResourceModel {
  /** Equal to its table's name. */
  readonly name: string;
  /** URL segment, kebab-case, unique in the project. */
  readonly segment: string;
  readonly feature: string;
  readonly table: string;
  readonly origin: Origin;
  /** Words about one of its records, for people and models. Absent: the author wrote none. */
  readonly description?: string;
  readonly firewallErrorMode: "reveal" | "hide";
  /** Null with `guards: false`: every client column is writable. */
  readonly guards: GuardsModel | null;
  /** Masks by column. */
  readonly masks: Readonly<Record<string, MaskRule>>;
  readonly read: ReadModel | null;
  readonly create: WriteModel | null;
  readonly update: WriteModel | null;
  readonly delete: DeleteModel | null;
  readonly upsert: WriteModel | null;
  readonly labels: readonly LabelModel[];
  readonly defaultSort: readonly SortKey[];
  /** Absent: `search` matches substrings. */
  readonly search?: FullTextModel;
  /** Resolved in the order of contract 8.1.3; null: there is no limit. */
  readonly rateLimits: Readonly<Record<RateOperation, RateLimit | null>>;
  /** Allowed transitions of the table: field → from → to. */
  readonly transitions: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  /** Absent: no history is kept. */
  readonly audit?: AuditModel;
  /** Null: changes make no frames. */
  readonly realtime: ResourceRealtime | null;
  /** Copied to the schema registry unchanged. */
  readonly inputHints: JsonValue;
  readonly layouts: JsonValue;
  /**
   * Set for a resource of the service itself, whose operations do more than its columns tell. Absent: the resource is an
   * author's.
   */
  readonly builtIn?: BuiltInName;
}

/** Full-text search over an index of these columns. Everybody in `read.access` sees them plain. */
export interface FullTextModel {
  readonly mode: "fullText";
  /** In the index's order. */
  readonly columns: readonly { readonly column: string; readonly weight: number }[];
  /** The scope column that the index's row numbers begin with. Absent: the index does not separate tenants. */
  readonly tenant?: string;
}

export interface SortKey {
  readonly column: string;
  readonly descending: boolean;
}

export const AGGREGATE_FUNCTIONS = ["count", "sum", "avg", "min", "max"] as const;

export interface AggregationModel {
  readonly name: string;
  readonly fn: typeof AGGREGATE_FUNCTIONS[number];
  /** The aggregated column; null only for `count`. */
  readonly column: string | null;
}

/** Periods by which a view groups days and instants, in UTC: `2026-02-28`, `2026-W09` (ISO 8601), `2026-02`. */
export const PERIODS = ["day", "week", "month"] as const;
export type Period = typeof PERIODS[number];

export interface GroupKeyModel {
  readonly column: string;
  /** Period to group by; null: the value itself. */
  readonly by: Period | null;
}

/** A named projection of a resource's list (contract 4.2, definitions 4.5). */
export interface ViewModel {
  readonly name: string;
  /** URL segment, kebab-case. */
  readonly segment: string;
  readonly fields: readonly string[];
  /** Of those who may read the resource: both rules apply. Of roles that have the view alone: its own. */
  readonly access: Access;
  readonly include: readonly string[];
  /** Absent: none. */
  readonly children?: readonly ChildrenModel[];
  /** Columns that filters may name; null: every column in `fields`. */
  readonly filterable: readonly string[] | null;
  readonly sortable: readonly string[] | null;
  readonly searchable: readonly string[] | null;
  readonly defaultSort: readonly SortKey[];
  readonly aggregations: readonly AggregationModel[];
  /**
   * The keys to group by. The rows are then groups with their aggregations, and `fields` are the columns of a group. Absent:
   * the rows are records.
   */
  readonly groupBy?: readonly GroupKeyModel[];
}

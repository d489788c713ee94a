/** A table with routes (definitions 4). An operation that is null does not exist. */
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
  /** Null: `batch: false`. */
  readonly batch: BatchModel | null;
  /** The action that this verb runs instead (contract 4.1 rule 9). */
  readonly action: string | null;
}

export interface DeleteModel extends WriteModel {
  readonly mode: "soft" | "hard";
  /** Callers who may see soft-deleted rows and bring them back; absent: nobody. */
  readonly restore?: { readonly access: Access };
}

/** The history of a resource's records (definitions 4, `audit`). */
export interface AuditModel {
  /** The resource's read access and the history's own, both binding; null: nobody reads the resource. */
  readonly access: Access | null;
  readonly keepDays: number;
}

/** Rows of another table whose foreign key refers to the resource, as `include` and `where` may name them. */
export interface ChildrenModel {
  readonly name: string;
  /** The table that holds the key. */
  readonly table: string;
  /** The key. */
  readonly column: string;
}

export interface ReadModel {
  readonly access: Access;
  /** Foreign-key columns that `include` may name. */
  readonly include: readonly string[];
  /** Absent: none. */
  readonly children?: readonly ChildrenModel[];
  /** The view that the bare collection resolves to. */
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
  /** Words about a record of it, for people and models; absent: its author does not say. */
  readonly description?: string;
  readonly firewallErrorMode: "reveal" | "hide";
  /** Null: `guards: false`, every client column is writable. */
  readonly guards: GuardsModel | null;
  /** By column. */
  readonly masks: Readonly<Record<string, MaskRule>>;
  readonly read: ReadModel | null;
  readonly create: WriteModel | null;
  readonly update: WriteModel | null;
  readonly delete: DeleteModel | null;
  readonly upsert: WriteModel | null;
  readonly labels: readonly LabelModel[];
  readonly defaultSort: readonly SortKey[];
  /** Absent: `search` looks for substrings. */
  readonly search?: FullTextModel;
  /** Resolved in the order of contract 8.1.3; null: no limit. */
  readonly rateLimits: Readonly<Record<RateOperation, RateLimit | null>>;
  /** Table-level transitions: field → from → to. */
  readonly transitions: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  /** Absent: no history of its records is kept. */
  readonly audit?: AuditModel;
  /** Null: its changes make no frames. */
  readonly realtime: ResourceRealtime | null;
  /** Passed to the schema registry unchanged. */
  readonly inputHints: JsonValue;
  readonly layouts: JsonValue;
  /** The service's own resource, whose operations do more than its columns say; absent: an author's. */
  readonly builtIn?: BuiltInName;
}

/** Full-text search over an index of its columns, none of which is masked for anybody. */
export interface FullTextModel {
  readonly mode: "fullText";
  /** In the order of the index. */
  readonly columns: readonly { readonly column: string; readonly weight: number }[];
  /** The column that says whose a row is, by which the index numbers it; absent: an index in which all rows are alike. */
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
  /** Null only for `count`. */
  readonly column: string | null;
}

/** Periods by which a view groups days and instants, in UTC: `2026-02-28`, `2026-W09` (ISO 8601), `2026-02`. */
export const PERIODS = ["day", "week", "month"] as const;
export type Period = typeof PERIODS[number];

export interface GroupKeyModel {
  readonly column: string;
  /** Null: by the value itself. */
  readonly by: Period | null;
}

/** A named projection of a resource's list (contract 4.2, definitions 4.5). */
export interface ViewModel {
  readonly name: string;
  /** URL segment, kebab-case. */
  readonly segment: string;
  readonly fields: readonly string[];
  /** The parent's read access and the view's own, both binding. */
  readonly access: Access;
  readonly include: readonly string[];
  /** Absent: none. */
  readonly children?: readonly ChildrenModel[];
  /** Null: every column in `fields`. */
  readonly filterable: readonly string[] | null;
  readonly sortable: readonly string[] | null;
  readonly searchable: readonly string[] | null;
  readonly defaultSort: readonly SortKey[];
  readonly aggregations: readonly AggregationModel[];
  /** Its rows are groups, each with its aggregations; `fields` are then their columns. Absent: its rows are records. */
  readonly groupBy?: readonly GroupKeyModel[];
}

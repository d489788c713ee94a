/** The configuration of a resource: operations, rules and views over one table (definitions 4). */
import type { RateOperation } from "../contract/rate_limits.ts";
import type { JsonValue } from "../model/column.ts";
import type { MaskType } from "../model/mask.ts";
import type { AGGREGATE_FUNCTIONS } from "../model/view.ts";
import type { AccessDefinition, FirewallDefinition } from "./access.ts";

export type SortDefinition<Name extends string> =
  | Name
  | `-${Name}`
  | { readonly field: Name; readonly order?: "asc" | "desc" };

export interface BatchDefinition<Name extends string> {
  readonly access?: AccessDefinition<Name>;
  readonly maxBatchSize?: number;
  readonly allowFailFast?: boolean;
}

/** An operation that is not written down does not exist. */
export interface WriteDefinition<Name extends string> {
  readonly access?: AccessDefinition<Name>;
  readonly batch?: BatchDefinition<Name> | false;
  /** The action that this verb runs instead. */
  readonly action?: string;
}

export interface DeleteDefinition<Name extends string> extends WriteDefinition<Name> {
  readonly mode?: "soft" | "hard";
}

export interface ViewDefinition<Name extends string> {
  readonly fields: readonly Name[];
  readonly access?: AccessDefinition<Name>;
  readonly include?: readonly Name[];
  readonly query?: {
    readonly filterable?: readonly Name[];
    readonly sortable?: readonly Name[];
    readonly searchable?: readonly Name[];
    readonly defaultSort?: SortDefinition<Name>;
  };
  readonly defaultSort?: SortDefinition<Name>;
  readonly aggregations?: {
    readonly [name: string]: {
      readonly fn: typeof AGGREGATE_FUNCTIONS[number];
      readonly field?: Name;
    };
  };
}

export interface ReadDefinition<Name extends string> {
  readonly access?: AccessDefinition<Name>;
  readonly views?: { readonly [name: string]: ViewDefinition<Name> };
  readonly include?: readonly Name[];
  readonly defaultView?: string;
  readonly pageSize?: number;
  readonly maxPageSize?: number;
}

export interface GuardsDefinition<Name extends string> {
  readonly createable?: readonly Name[];
  readonly updatable?: readonly Name[];
  readonly immutable?: readonly Name[];
  /** Field → the actions that may write it. */
  readonly protected?: { readonly [Column in Name]?: readonly string[] };
}

export interface MaskDefinition {
  readonly type: MaskType;
  /** Roles that see the column plain; without `show` nobody does. */
  readonly show?: { readonly roles?: readonly string[]; readonly or?: "owner" };
  /** Roles that may filter, sort or search by the column. */
  readonly query?: { readonly roles?: readonly string[] };
}

export interface RateLimitDefinition {
  readonly limit: number;
  /** Seconds. */
  readonly period: 10 | 60;
}

export type RateLimitsDefinition =
  | false
  | { readonly [Operation in RateOperation]?: RateLimitDefinition | false };

interface WriteOperations<Name extends string> {
  readonly create?: WriteDefinition<Name>;
  readonly update?: WriteDefinition<Name>;
  readonly delete?: DeleteDefinition<Name>;
  readonly upsert?: WriteDefinition<Name>;
  /** The same as `upsert`. */
  readonly put?: WriteDefinition<Name>;
}

interface IndexDefinition<Name extends string> {
  readonly columns: readonly Name[];
}

/** Everything about a resource but its columns; `Name` is a column of the table. */
export interface ResourceDefinition<Name extends string> extends WriteOperations<Name> {
  /** Left out, it follows from the scope columns. */
  readonly firewall?: FirewallDefinition<Name>;
  readonly firewallErrorMode?: "reveal" | "hide";
  /** A field in no list cannot be written; `false`: every column can. */
  readonly guards?: GuardsDefinition<Name> | false;
  readonly masking?: { readonly [Column in Name]?: MaskDefinition };
  readonly read?: ReadDefinition<Name>;
  /** The older place of the write operations. */
  readonly crud?: WriteOperations<Name>;
  /** Foreign-key column → table. */
  readonly references?: { readonly [Column in Name]?: string };
  readonly displayColumn?: Name;
  readonly defaultSort?: SortDefinition<Name>;
  readonly unique?: readonly IndexDefinition<Name>[];
  readonly indexes?: readonly IndexDefinition<Name>[];
  readonly rateLimit?: RateLimitsDefinition;
  /** Field → from → to. */
  readonly transitions?: {
    readonly [Column in Name]?: { readonly [from: string]: readonly string[] };
  };
  readonly realtime?: boolean | {
    readonly enabled?: boolean;
    readonly onInsert?: boolean;
    readonly onUpdate?: boolean;
    readonly onDelete?: boolean;
    readonly roles?: readonly string[];
    /** The older name of `roles`. */
    readonly requiredRoles?: readonly string[];
    readonly fields?: readonly Name[];
  };
  readonly allowClientIds?: boolean;
  /** Prefix of `prefixed` ids, without the underscore. */
  readonly idPrefix?: string;
  readonly inputHints?: JsonValue;
  readonly layouts?: JsonValue;
}

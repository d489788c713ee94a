/** The terms in which operations talk to the data layer. SQL is known only behind them (architecture, invariant 3). */
import type { FilterOperator } from "../../contract/operators.ts";
import type { ResourceModel } from "../../model/resource.ts";
import type { SortKey } from "../../model/view.ts";
import type { RowRule } from "../../surface/admission.ts";
import type { Firewall } from "../layers/3-firewall/firewall.ts";
import type { SqlValue } from "../ports.ts";

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

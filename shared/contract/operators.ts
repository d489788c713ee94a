/** Operators of query parameters (contract 4.3) and of record conditions (definitions 4.2). */

/** Suffix of a query parameter, `<field>.<operator>`; the bare name is `eq`. */
export const FILTER_OPERATORS = ["eq", "ne", "gt", "gte", "lt", "lte", "like", "in"] as const;

export type FilterOperator = typeof FILTER_OPERATORS[number];

/** Operators of `access.record`, transition guards and firewall predicates. */
export const CONDITION_OPERATORS = [
  "equals",
  "notEquals",
  "in",
  "notIn",
  "lessThan",
  "greaterThan",
  "lessThanOrEqual",
  "greaterThanOrEqual",
] as const;

export type ConditionOperator = typeof CONDITION_OPERATORS[number];

/** Query parameters of lists that are not filters. */
export const RESERVED_PARAMETERS = [
  "limit",
  "offset",
  "sort",
  "order",
  "fields",
  "total",
  "search",
  "starting_after",
  "ending_before",
  "include",
] as const;

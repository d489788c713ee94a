/** Operators of record conditions (definitions 4.2), and the parameters of lists that are no filters (contract 4.3). */

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

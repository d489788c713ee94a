/**
 * Methods of a drizzle database that a handler is offered as `db` (contract 2.11, 4.4 rule 3): for its types, and for the
 * guard in front of it.
 */

/** Builders of statements, and what runs them together. */
export const BUILDER_METHODS = [
  "select",
  "selectDistinct",
  "insert",
  "update",
  "delete",
  "with",
  "$with",
  "$count",
  "query",
  "transaction",
  "batch",
] as const;

/** SQL by hand, where the action declares `allowRawSql`. */
export const RAW_SQL_METHODS = ["run", "all", "get", "values"] as const;

export type HandlerMethod =
  | typeof BUILDER_METHODS[number]
  | typeof RAW_SQL_METHODS[number];

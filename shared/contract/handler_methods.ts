/**
 * Methods of a drizzle database that handlers get as `db` (contract 2.11, 4.4 rule 3). The handler's type and the guard in
 * front of it use this list.
 */

/** Methods that build statements or run several together. */
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

/** Methods for raw SQL, available where the action declares `allowRawSql`. */
export const RAW_SQL_METHODS = ["run", "all", "get", "values"] as const;

export type HandlerMethod =
  | typeof BUILDER_METHODS[number]
  | typeof RAW_SQL_METHODS[number];

/** Fields of every table, formats of ids and texts, and the operators of rules and lists (contract 2.2). */
/** Written by the service, and rejected in a write body. Only tables with soft deletion have `deletedAt` and `deletedBy`. */
export const SYSTEM_FIELDS = [
  "createdAt",
  "createdBy",
  "modifiedAt",
  "modifiedBy",
  "deletedAt",
  "deletedBy",
] as const;

export type SystemField = typeof SYSTEM_FIELDS[number];

export const SOFT_DELETE_FIELDS = ["deletedAt", "deletedBy"] as const;

/** The default column of each scope. `q.scope()` may use another name. */
export const SCOPE_COLUMNS = {
  organization: "organizationId",
  owner: "ownerId",
  team: "teamId",
} as const;

export type ScopeKind = keyof typeof SCOPE_COLUMNS;

/** Operators of record conditions (definitions 4.2): of `access.record`, transition guards and firewall predicates. */
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

/** Member of a record in the answer to `near`: its distance. */
export const DISTANCE_MEMBER = "_distance";

/** Query parameters of lists that are not filters (contract 4.3). */
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
  "where",
] as const;

/* Patterns of texts, for the description: what reads them checks the same. */

/** Pattern of every stored or compared text: it contains no NUL character. */
export const TEXT_PATTERN = "^[^\\x00]*$";

/** An http or https URL without credentials. */
export const HTTP_URL_PATTERN = "^[hH][tT][tT][pP][sS]?://[^/?#@\\x00]+(?:[/?#][^\\x00]*)?$";

/** An email address by the rule of HTML. */
export const EMAIL_PATTERN =
  "^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~\\-]+@[a-zA-Z0-9](?:[a-zA-Z0-9\\-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9\\-]{0,61}[a-zA-Z0-9])?)*$";

/** URLs that webhooks may go to. */
export const HTTPS_URL_PATTERN = HTTP_URL_PATTERN.replace("[sS]?", "[sS]");

/** A JSON value without parts. */
export type Scalar = string | number | boolean | null;

export type JsonValue = Scalar | readonly JsonValue[] | { readonly [key: string]: JsonValue };

export type JsonSchema = { readonly [keyword: string]: JsonValue };

/** Id strategies and the shape that a client id must have (contract 4.1 rule 5, definitions 7). */

export const ID_STRATEGIES = [
  "uuid",
  "cuid",
  "nanoid",
  "prefixed",
  "short",
  "serial",
  false,
] as const;

export type IdStrategy = typeof ID_STRATEGIES[number];

/** Path segment that takes the place of an id, and is never one (contract 4.1, 4.4). */
export const BATCH_SEGMENT = "batch";

/** Returns the anchored pattern of an id. `prefix` only matters for `prefixed`. Serial ids are integers. */
export function idPattern(strategy: Exclude<IdStrategy, "serial">, prefix: string): string {
  switch (strategy) {
    case "uuid":
      // Capital letters would name another record.
      return "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$";
    case "prefixed":
      return `^${prefix}_[0-9a-f]{32}$`;
    case "cuid":
      return "^[a-z][a-z0-9]{23}$";
    case "nanoid":
      return "^[A-Za-z0-9_-]{21}$";
    case "short":
      return "^[A-Za-z0-9]{6}$";
    case false:
      // Segments that cannot be a record's id in a path: `/batch`, `/views`, dot segments.
      return `^(?!(?:${BATCH_SEGMENT}|views|\\.{1,2})$)[A-Za-z0-9._~-]{1,128}$`;
  }
}

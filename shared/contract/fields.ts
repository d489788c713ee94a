/** Fields of every table, their ids and texts, and what rules and lists compare them with (contract 2.2). */
/** Stamped by the service, rejected in a write body. `deletedAt`/`deletedBy` exist on soft-delete tables only. */
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

/** The column that each scope stamps and is firewalled on, unless `q.scope()` stands on another name. */
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

/** Of a record that `near` answers: how far it is. */
export const DISTANCE_MEMBER = "_distance";

/** Query parameters of lists that are no filters (contract 4.3). */
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

/** No text that is stored or compared holds a NUL character. */
export const TEXT_PATTERN = "^[^\\x00]*$";

/** An http or https URL without credentials. */
export const HTTP_URL_PATTERN = "^[hH][tT][tT][pP][sS]?://[^/?#@\\x00]+(?:[/?#][^\\x00]*)?$";

/** An email address by the rule of HTML. */
export const EMAIL_PATTERN =
  "^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~\\-]+@[a-zA-Z0-9](?:[a-zA-Z0-9\\-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9\\-]{0,61}[a-zA-Z0-9])?)*$";

/** Addresses to which webhooks go. */
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

/** Stands in paths where ids do, and is none (contract 4.1, 4.4). */
export const BATCH_SEGMENT = "batch";

/** Anchored source of the pattern of an id; `prefix` only matters for `prefixed`. Serial ids are integers. */
export function idPattern(strategy: Exclude<IdStrategy, "serial">, prefix: string): string {
  switch (strategy) {
    case "uuid":
      // In another case it would be another record.
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
      // Words that could not stand in a path as a record's id: `/batch`, `/views`, dot segments.
      return `^(?!(?:${BATCH_SEGMENT}|views|\\.{1,2})$)[A-Za-z0-9._~-]{1,128}$`;
  }
}

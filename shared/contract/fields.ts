/** System and scope fields of every table (contract 2.2). */

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

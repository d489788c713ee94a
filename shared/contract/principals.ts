/** Pseudo-roles and platform roles of `access.roles` (contract 5.4). */

export const PSEUDO_ROLES = ["PUBLIC", "AUTHENTICATED", "SESSION", "SCOPED"] as const;

/** Roles in the token's `userRole` claim. They never come from a membership. */
export const PLATFORM_ROLES = ["sysadmin", "appmanager"] as const;
export type PlatformRole = typeof PLATFORM_ROLES[number];

/** Roles that every organization has. */
export const ORGANIZATION_ROLES = ["owner", "admin", "member"] as const;

/** Roles of every project, whatever its configuration. */
export const STANDING_ROLES: readonly string[] = [
  ...ORGANIZATION_ROLES,
  ...PSEUDO_ROLES,
  ...PLATFORM_ROLES,
];

/** Pattern of a role name. Several roles are stored in one text, so a name has no separator. */
export const ROLE_NAME = /^[A-Za-z][A-Za-z0-9_.:-]*$/;

/** Pattern of a scheme in the `Authorization` header: a token (RFC 9110, 11.1). */
export const SCHEME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/;

/** Schemes in lower case that a project cannot use: our own, and those that browsers send on their own for any page. */
export const FORBIDDEN_SCHEMES: readonly string[] = [
  "bearer",
  "basic",
  "digest",
  "negotiate",
  "ntlm",
];

/** Kinds of credentials. `SESSION` admits `session` and `token`; `AUTHENTICATED` also `apiKey`, `oauth` and `scope`. */
const CREDENTIALS = ["none", "session", "token", "apiKey", "oauth", "scope", "delegated"] as const;
export type Credential = typeof CREDENTIALS[number];

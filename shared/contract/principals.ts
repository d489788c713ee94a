/** Pseudo-roles and platform roles of `access.roles` (contract 5.4). */

export const PSEUDO_ROLES = ["PUBLIC", "AUTHENTICATED", "SESSION", "SCOPED"] as const;

/** Held through the token's `userRole` claim, never through an organization membership. */
export const PLATFORM_ROLES = ["sysadmin", "appmanager"] as const;
export type PlatformRole = typeof PLATFORM_ROLES[number];

/** Roles that every organization has. */
export const ORGANIZATION_ROLES = ["owner", "admin", "member"] as const;

/** Roles that every project has, whatever its configuration says. */
export const STANDING_ROLES: readonly string[] = [
  ...ORGANIZATION_ROLES,
  ...PSEUDO_ROLES,
  ...PLATFORM_ROLES,
];

/** Several roles of a member are stored in one field, so a name holds no separator. */
export const ROLE_NAME = /^[A-Za-z][A-Za-z0-9_.:-]*$/;

/** A scheme of the `Authorization` header: a token (RFC 9110, 11.1). */
export const SCHEME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/;

/** In lower case: ours, and those that browsers send by themselves, for whatever page asks. */
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

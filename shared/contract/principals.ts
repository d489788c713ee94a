/** Pseudo-roles and platform roles of `access.roles` (contract 5.4). */

export const PSEUDO_ROLES = ["PUBLIC", "AUTHENTICATED", "SESSION", "SCOPED"] as const;
export type PseudoRole = typeof PSEUDO_ROLES[number];

/** Held through the token's `userRole` claim, never through an organization membership. */
export const PLATFORM_ROLES = ["sysadmin", "appmanager"] as const;
export type PlatformRole = typeof PLATFORM_ROLES[number];

/** How a caller proved who they are. `SESSION` admits `session` and `token`; `AUTHENTICATED` also `apiKey` and `scope`. */
export const CREDENTIALS = ["none", "session", "token", "apiKey", "scope", "delegated"] as const;
export type Credential = typeof CREDENTIALS[number];

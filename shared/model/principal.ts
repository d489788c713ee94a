/** The caller, as every layer sees them (contract 5.1). */
import {
  type Credential,
  PLATFORM_ROLES,
  type PlatformRole,
  PSEUDO_ROLES,
} from "../contract/principals.ts";

export interface Principal {
  readonly credential: Credential;
  /** Null for an anonymous caller. */
  readonly userId: string | null;
  /** The active organization. */
  readonly organizationId: string | null;
  readonly teamId: string | null;
  /** Project roles held in the active organization. */
  readonly roles: readonly string[];
  readonly userRole: PlatformRole | null;
  /** What a scope token was minted for; nobody else has one (contract 5.4). */
  readonly scope?: string;
}

export const ANONYMOUS: Principal = Object.freeze({
  credential: "none",
  userId: null,
  organizationId: null,
  teamId: null,
  roles: Object.freeze([]) as readonly string[],
  userRole: null,
});

/** Pseudo- and platform roles are never held through a membership: naming one here gains nothing. */
export function projectRolesOf(roles: readonly string[]): readonly string[] {
  const reserved: readonly string[] = [...PSEUDO_ROLES, ...PLATFORM_ROLES];
  return [...new Set(roles)].filter((role) => !reserved.includes(role));
}

/** True for `sysadmin` and `appmanager`. */
export function isPlatformRole(value: unknown): value is PlatformRole {
  return typeof value === "string" && (PLATFORM_ROLES as readonly string[]).includes(value);
}

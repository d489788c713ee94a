/** The caller as every layer sees it (contract 5.1). */
import { PLATFORM_ROLES, PSEUDO_ROLES } from "../contract/mod.ts";
import type { Credential, PlatformRole } from "../contract/mod.ts";

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
  /** Scope of a scope token; absent for every other caller (contract 5.4). */
  readonly scope?: string;
  /** Identity from an authenticator of the project; absent for every other caller (contract 5.6). */
  readonly delegate?: Delegate;
  /** Id of the user who acts in this user's place; absent: nobody does. */
  readonly impersonatedBy?: string;
  /**
   * End of the impersonation in milliseconds since the epoch. Credentials made during it expire by then. Present together with
   * `impersonatedBy`.
   */
  readonly impersonatedUntil?: number;
  /** Rights that the credential is limited to; absent: it may do all that the caller may. */
  readonly grants?: Grants;
}

/** Verbs and names of actions by resource, `*` for every resource. They add nothing to what the caller's roles admit. */
export type Grants = Readonly<Record<string, readonly string[]>>;

interface Delegate {
  /** Name of the authenticator in `auth.principals`. */
  readonly name: string;
  readonly variant: string;
  /** Identifies the principal among those of its kind. It is no account. */
  readonly subject: string;
}

export const ANONYMOUS: Principal = Object.freeze({
  credential: "none",
  userId: null,
  organizationId: null,
  teamId: null,
  roles: Object.freeze([]) as readonly string[],
  userRole: null,
});

/** Returns who impersonates a caller, to be stored with what the caller makes; empty when nobody does. */
export function impersonationOf(
  { impersonatedBy, impersonatedUntil }: Principal,
): Pick<Principal, "impersonatedBy" | "impersonatedUntil"> {
  return {
    ...(impersonatedBy === undefined ? {} : { impersonatedBy }),
    ...(impersonatedUntil === undefined ? {} : { impersonatedUntil }),
  };
}

/**
 * Returns the project roles among these. A membership cannot confer pseudo-, platform or delegated roles, even if it names
 * them.
 */
export function projectRolesOf(roles: readonly string[]): readonly string[] {
  const reserved: readonly string[] = [...PSEUDO_ROLES, ...PLATFORM_ROLES];
  return [...new Set(roles)].filter((role) => !reserved.includes(role) && !isDelegatedRole(role));
}

/**
 * Returns the name by which rules refer to a variant of a delegated principal. It contains a slash, which no project role has.
 */
export function delegatedRole(principal: string, variant: string): string {
  return `${principal}/${variant}`;
}

/** True when a role has the form that `delegatedRole` makes. */
export function isDelegatedRole(role: string): boolean {
  return role.includes("/");
}

/** Returns the name of the actor: the user's id, or the delegated principal's name and subject. Null for nobody. */
export function actorOf({ userId, delegate }: Principal): string | null {
  return userId ?? (delegate ? `${delegate.name}/${delegate.subject}` : null);
}

/** True for `sysadmin` and `appmanager`. */
export function isPlatformRole(value: unknown): value is PlatformRole {
  return typeof value === "string" && (PLATFORM_ROLES as readonly string[]).includes(value);
}

/** Returns the platform role of an account with these roles, `sysadmin` before `appmanager`; null when it has none. */
export function platformRoleIn(roles: readonly string[]): PlatformRole | null {
  return roles.includes("sysadmin") ? "sysadmin" : roles.find(isPlatformRole) ?? null;
}

/** Returns the key in `auth_token_cutoff` of the tokens that are judged together. */
export function tokenSubject(kind: "user" | "organization", id: string): string {
  return `${kind}:${id}`;
}

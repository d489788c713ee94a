/** The caller, as every layer sees them (contract 5.1). */
import {
  type Credential,
  PLATFORM_ROLES,
  type PlatformRole,
  PSEUDO_ROLES,
} from "../contract/mod.ts";

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
  /** Scope of a scope token; nobody else has one (contract 5.4). */
  readonly scope?: string;
  /** Identity from an authenticator of the project; nobody else has one (contract 5.6). */
  readonly delegate?: Delegate;
  /** Id of the user who acts in this one's place; absent: nobody does. */
  readonly impersonatedBy?: string;
  /** End of that, in milliseconds since the epoch: nothing that is made in it lives longer. Together with `impersonatedBy`. */
  readonly impersonatedUntil?: number;
  /** Rights that the credential was narrowed to; absent: all that the caller may. */
  readonly grants?: Grants;
}

/** Verbs and names of actions by resource, `*` for every resource. They add nothing to what the caller's roles admit. */
export type Grants = Readonly<Record<string, readonly string[]>>;

interface Delegate {
  /** Of `auth.principals`. */
  readonly name: string;
  readonly variant: string;
  /** Name among the principals of this kind; no account. */
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

/** The account that acts in a caller's place, for what the caller makes; empty where nobody does. */
export function impersonationOf(
  { impersonatedBy, impersonatedUntil }: Principal,
): Pick<Principal, "impersonatedBy" | "impersonatedUntil"> {
  return {
    ...(impersonatedBy === undefined ? {} : { impersonatedBy }),
    ...(impersonatedUntil === undefined ? {} : { impersonatedUntil }),
  };
}

/** Pseudo-, platform and delegated roles are never held through a membership: naming one here gains nothing. */
export function projectRolesOf(roles: readonly string[]): readonly string[] {
  const reserved: readonly string[] = [...PSEUDO_ROLES, ...PLATFORM_ROLES];
  return [...new Set(roles)].filter((role) => !reserved.includes(role) && !isDelegatedRole(role));
}

/** The name of a delegated principal's variant in rules: no project role has a slash in its name. */
export function delegatedRole(principal: string, variant: string): string {
  return `${principal}/${variant}`;
}

/** True for whatever has the form of `delegatedRole`. */
export function isDelegatedRole(role: string): boolean {
  return role.includes("/");
}

/** Name of the actor, with or without an account: the user's id, or the delegated principal's name and subject. */
export function actorOf({ userId, delegate }: Principal): string | null {
  return userId ?? (delegate ? `${delegate.name}/${delegate.subject}` : null);
}

/** True for `sysadmin` and `appmanager`. */
export function isPlatformRole(value: unknown): value is PlatformRole {
  return typeof value === "string" && (PLATFORM_ROLES as readonly string[]).includes(value);
}

/** The platform role of an account with these roles: `sysadmin` where it has both; null: none. */
export function platformRoleIn(roles: readonly string[]): PlatformRole | null {
  return roles.includes("sysadmin") ? "sysadmin" : roles.find(isPlatformRole) ?? null;
}

/** Whose tokens are judged together: the key of their row in `auth_token_cutoff`. */
export function tokenSubject(kind: "user" | "organization", id: string): string {
  return `${kind}:${id}`;
}

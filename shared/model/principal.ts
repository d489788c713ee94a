/** The caller, as every layer sees them (contract 5.1). */
import type { Credential, PlatformRole } from "../contract/principals.ts";

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
}

export const ANONYMOUS: Principal = Object.freeze({
  credential: "none",
  userId: null,
  organizationId: null,
  teamId: null,
  roles: Object.freeze([]) as readonly string[],
  userRole: null,
});

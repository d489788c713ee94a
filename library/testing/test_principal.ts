/** Callers of an author's tests. */
import type { Principal } from "../../shared/model/mod.ts";

/** A caller in a test. It needs no account, as with a token. */
export interface TestPrincipal {
  readonly userId: string;
  /** Absent: there is no active organization. */
  readonly organizationId?: string | null;
  readonly teamId?: string | null;
  /** Roles in that organization. Absent: none. */
  readonly roles?: readonly string[];
  readonly userRole?: Principal["userRole"];
}

export function principalOf(
  { userId, organizationId = null, teamId = null, roles = [], userRole = null }: TestPrincipal,
): Principal {
  return { credential: "token", userId, organizationId, teamId, roles, userRole };
}

/** Callers of an author's tests. */
import type { Principal } from "../../shared/model/mod.ts";

/** A caller as tests name one: no account is needed, as with a token. */
export interface TestPrincipal {
  readonly userId: string;
  /** Absent: without an active organization. */
  readonly organizationId?: string | null;
  readonly teamId?: string | null;
  /** Roles in that organization; absent: none. */
  readonly roles?: readonly string[];
  readonly userRole?: Principal["userRole"];
}

export function principalOf(
  { userId, organizationId = null, teamId = null, roles = [], userRole = null }: TestPrincipal,
): Principal {
  return { credential: "token", userId, organizationId, teamId, roles, userRole };
}

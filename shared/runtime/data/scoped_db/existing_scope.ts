/** Refuses a scope that nobody founded (contract 4.4 rule 3): it would get rows that belong to nobody. */
import type { Reader } from "../../ports.ts";
import { refuse } from "../../refusal.ts";
import { fragment } from "../sql.ts";

/** Scopes that a handler names beyond its caller's own context. */
export interface UnprovenScope {
  readonly organizationId: string | null;
  readonly userId: string | null;
  readonly teamId: string | null;
  /** The organization whose team it must be; null: any. */
  readonly teamOf: string | null;
}

/** Refuses with `FIREWALL_ORG_ISOLATION` and `FIREWALL_USER_ISOLATION`. */
export async function requireExistingScope(
  reader: Reader,
  { organizationId, userId, teamId, teamOf }: UnprovenScope,
): Promise<void> {
  const { rows: [found] } = await reader.run(fragment(
    `SELECT EXISTS (SELECT 1 FROM auth_organization WHERE id = ?),
      EXISTS (SELECT 1 FROM auth_user WHERE id = ?),
      EXISTS (SELECT 1 FROM auth_team WHERE id = ? AND organization_id = coalesce(?, organization_id))`,
    organizationId,
    userId,
    teamId,
    teamOf,
  ));
  const isThere = (at: number, id: string | null) => id === null || found?.[at] === 1;
  if (!isThere(0, organizationId) || !isThere(2, teamId)) refuse("FIREWALL_ORG_ISOLATION");
  if (!isThere(1, userId)) refuse("FIREWALL_USER_ISOLATION");
}

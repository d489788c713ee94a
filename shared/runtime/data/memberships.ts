/** Members of an organization, read within a transaction (contract 5.1). */
import type { Reader } from "../ports.ts";
import { fragment, jsonList } from "./sql.ts";

export async function isMember(
  reader: Reader,
  { userId, organizationId }: { readonly userId: string; readonly organizationId: string },
): Promise<boolean> {
  const { rows } = await reader.run(fragment(
    `SELECT 1 FROM auth_member WHERE organization_id = ? AND user_id = ?`,
    organizationId,
    userId,
  ));
  return rows.length > 0;
}

/** The users among these who belong to the organization. */
export async function membersAmong(
  reader: Reader,
  { userIds, organizationId }: {
    readonly userIds: readonly string[];
    readonly organizationId: string;
  },
): Promise<ReadonlySet<string>> {
  const { rows } = await reader.run(fragment(
    `SELECT user_id FROM auth_member
      WHERE organization_id = ? AND user_id IN (SELECT value FROM json_each(?))`,
    organizationId,
    jsonList(userIds),
  ));
  return new Set(rows.map(([userId]) => String(userId)));
}

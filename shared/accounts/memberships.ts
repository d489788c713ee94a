/** Memberships of organizations, read anew for every request: a lost membership counts at once. */
import type { Reader } from "../runtime/ports.ts";

/** The roles of a member; null for somebody who is none. */
export async function rolesOfMember(
  reader: Reader,
  { userId, organizationId }: { readonly userId: string; readonly organizationId: string },
): Promise<readonly string[] | null> {
  const { rows } = await reader.run({
    sql: `SELECT "role" FROM "auth_member" WHERE "organization_id" = ? AND "user_id" = ?`,
    args: [organizationId, userId],
  });
  if (rows.length === 0) return null;
  return rows.flatMap(([roles]) => typeof roles === "string" ? rolesIn(roles) : []);
}

/** True when the user belongs to a team of this organization. */
export async function isTeamMember(
  reader: Reader,
  { userId, organizationId, teamId }: {
    readonly userId: string;
    readonly organizationId: string;
    readonly teamId: string;
  },
): Promise<boolean> {
  const { rows } = await reader.run({
    sql:
      `SELECT 1 FROM "auth_team_member" AS "m" JOIN "auth_team" AS "t" ON "t"."id" = "m"."team_id"
      WHERE "t"."id" = ? AND "t"."organization_id" = ? AND "m"."user_id" = ?`,
    args: [teamId, organizationId, userId],
  });
  return rows.length > 0;
}

/** The organization of somebody who belongs to exactly one. */
export async function onlyOrganizationOf(reader: Reader, userId: string): Promise<string | null> {
  const { rows } = await reader.run({
    sql: `SELECT DISTINCT "organization_id" FROM "auth_member" WHERE "user_id" = ? LIMIT 2`,
    args: [userId],
  });
  const organizationId = rows[0]?.[0];
  return rows.length === 1 && typeof organizationId === "string" ? organizationId : null;
}

/** The library keeps several roles of a member as one text with commas. */
export function rolesIn(text: string): readonly string[] {
  return text.split(",").map((role) => role.trim()).filter((role) => role !== "");
}

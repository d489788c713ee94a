/** Memberships that end with their account, or with a taking over of it (docs/decisions/accounts.md, "Proofs and credentials"). */
import type { SqlValue, Transaction } from "../../runtime/ports.ts";
import { rolesIn } from "../memberships.ts";
import { insertAudit } from "./audit.ts";
import type { EventScene } from "./credential.ts";
import type { EventProject } from "./event_project.ts";
import type { AccountSubject } from "./events.ts";

/** Ends every membership of an account. Returns their number. */
export async function leaveOrganizations(
  transaction: Transaction,
  userId: string,
): Promise<number> {
  const [, left] = await transaction.runAll([
    { sql: `DELETE FROM "auth_team_member" WHERE "user_id" = ?`, args: [userId] },
    { sql: `DELETE FROM "auth_member" WHERE "user_id" = ?`, args: [userId] },
  ]);
  return left?.changes ?? 0;
}

/**
 * Ends the memberships of organizations with other members. Returns their number. If the last owner leaves, the oldest member
 * of the highest remaining role becomes owner.
 */
export async function leaveSharedOrganizations(
  scene: EventScene,
  { userId }: AccountSubject,
): Promise<number> {
  const { transaction } = scene;
  const { rows } = await transaction.run({
    sql: `SELECT DISTINCT "organization_id" FROM "auth_member" AS "m" WHERE "user_id" = ?
      AND EXISTS (SELECT 1 FROM "auth_member" AS "o" WHERE "o"."user_id" <> "m"."user_id"
        AND "o"."organization_id" = "m"."organization_id")`,
    args: [userId],
  });
  for (const [organizationId = null] of rows) {
    await transaction.runAll([
      {
        sql: `DELETE FROM "auth_team_member" WHERE "user_id" = ? AND "team_id" IN
          (SELECT "id" FROM "auth_team" WHERE "organization_id" = ?)`,
        args: [userId, organizationId],
      },
      {
        sql: `DELETE FROM "auth_member" WHERE "user_id" = ? AND "organization_id" = ?`,
        args: [userId, organizationId],
      },
    ]);
    await keepOwner(scene, organizationId, userId);
  }
  return rows.length;
}

/** Makes a member owner if the organization has none. */
async function keepOwner(
  { project, transaction }: EventScene,
  organizationId: SqlValue,
  leaver: string,
): Promise<void> {
  const { rows } = await transaction.run({
    sql: `SELECT "id", "user_id", "role" FROM "auth_member" WHERE "organization_id" = ?
      ORDER BY "created_at", "id"`,
    args: [organizationId],
  });
  const members = rows.map(([id = null, userId, role]) => ({
    id,
    userId: String(userId),
    roles: rolesIn(typeof role === "string" ? role : ""),
  }));
  if (members.some(({ roles }) => roles.includes("owner"))) return;
  const rank = rankOf(project);
  // The sort is stable, so the oldest of equal members is first.
  const [heir] = members.toSorted((one, other) => rank(other.roles) - rank(one.roles));
  if (heir === undefined) return;
  await transaction.run({
    sql: `UPDATE "auth_member" SET "role" = ? WHERE "id" = ?`,
    args: [["owner", ...heir.roles].join(","), heir.id],
  });
  await insertAudit(transaction, {
    actionName: "becomeOwner",
    operation: "takeOver",
    actorUserId: leaver,
    targetOrgId: String(organizationId),
    targetRecordId: heir.userId,
  });
}

/** Returns a function that ranks roles by number. `admin` is above the hierarchy, unless the hierarchy contains it. */
function rankOf({ roleHierarchy }: Pick<EventProject, "roleHierarchy">) {
  const order = roleHierarchy.includes("admin") ? roleHierarchy : [...roleHierarchy, "admin"];
  return (roles: readonly string[]) => Math.max(...roles.map((role) => order.indexOf(role)), -1);
}

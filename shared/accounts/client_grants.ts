/** Grants of users to OAuth clients (contract 5.1), read anew for every request: a withdrawn grant, a ban, a lost role and a lost membership count at once. */
import { platformRoleIn, projectRolesOf } from "../model/mod.ts";
import type { ClientGrant, Reader, SqlValue } from "../runtime/ports.ts";
import { delegatedRoles, isBanned, type RoleOf, rolesIn, textOf } from "./memberships.ts";

/** Selects the grant, its user, and the user's roles in the grant's organization. */
const grantSql = (condition: string) => `
  SELECT "g"."client_id", "g"."scope", "g"."organization_id", "m"."role",
    "u"."id", "u"."role", "u"."banned", "u"."ban_expires",
    strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), "u"."email", "u"."email_verified",
    "g"."after_proof", "g"."platform_role", "g"."id"
  FROM "auth_oauth_grant" AS "g"
  JOIN "auth_user" AS "u" ON "u"."id" = "g"."user_id"
  LEFT JOIN "auth_member" AS "m" ON "m"."user_id" = "u"."id"
    AND "m"."organization_id" = "g"."organization_id"
  WHERE "g"."id" ${condition}`;

const GRANT_SQL = `${grantSql("= ?")} LIMIT 1`;

/** Selects the grants of all ids in a JSON list. The last cell of a row is its id. */
export const GRANTS_SQL = grantSql("IN (SELECT value FROM json_each(?))");

interface GrantRules {
  readonly reader: Reader;
  readonly multiTenant: boolean;
  readonly roleOf: RoleOf;
}

/** Returns a reader of grants. It gives null if the grant is missing, or its user is banned or has left the organization. */
export function clientGrantReader(
  rules: GrantRules,
): (grantId: string) => Promise<ClientGrant | null> {
  return async (grantId) => {
    const { rows: [row] } = await rules.reader.run({
      sql: GRANT_SQL,
      args: [grantId],
      isSingle: true,
    });
    return row ? grantOf(row, rules) : null;
  };
}

/** Returns the grant of a row; null if its user is banned or has left the organization. */
export function grantOf(
  row: readonly SqlValue[],
  { multiTenant, roleOf }: Omit<GrantRules, "reader">,
): ClientGrant | null {
  const [clientId, scope, organization, memberRoles, userId, role, banned, banExpires] = row;
  const [now, email, emailVerified, afterProof, platformRole] = row.slice(8);
  const organizationId = multiTenant ? textOf(organization) : null;
  if (isBanned(banned, banExpires, textOf(now) ?? "")) return null;
  if (organizationId !== null && typeof memberRoles !== "string") return null;
  const own = delegatedRoles(
    rolesIn(roleOf({ email, emailVerified, role, isAfterProof: afterProof === 1 }) ?? ""),
    platformRole === 1,
  );
  return {
    clientId: textOf(clientId) ?? "",
    scopes: (textOf(scope) ?? "").split(" "),
    principal: {
      credential: "oauth",
      userId: textOf(userId) ?? "",
      organizationId,
      teamId: null,
      roles: projectRolesOf(multiTenant ? rolesIn(textOf(memberRoles) ?? "") : own),
      userRole: platformRoleIn(own),
    },
  };
}

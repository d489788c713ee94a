/** Finds accounts that rows may name (definitions 3, `q.account()`): members of the row's organization who are not banned. */
import type { Reader, SqlValue } from "../ports.ts";
import type { MembersQuery } from "./types.ts";
import type { ColumnModel } from "../../model/mod.ts";
import { columnNamed } from "../../surface/mod.ts";
import type { Firewall } from "../layers/3-firewall/firewall.ts";
import { cellSql } from "./conditions.ts";
import { allOf, anyOf, EVERY_ROW, type Fragment, fragment, jsonList } from "./sql.ts";

/**
 * SQL expressions of an account's id and of an organization's id; `organization` is null if the project has no organizations.
 */
interface MemberAsked {
  readonly account: Fragment;
  readonly organization: Fragment | null;
  /** Time of the request as ISO 8601. */
  readonly now: string;
}

/**
 * Returns SQL that is true for an account that a row may name. Table names include their schema, so that no common table
 * expression can hide them.
 */
export function memberSql({ account, organization, now }: MemberAsked): Fragment {
  const isAccount = allOf([
    fragment(`u."id" = ${account.sql}`, ...account.args),
    anyOf([fragment(`coalesce(u."banned", 0) = 0`), fragment(`u."ban_expires" <= ?`, now)]),
  ]);
  if (organization === null) {
    return fragment(
      `EXISTS (SELECT 1 FROM main."auth_user" AS u WHERE ${isAccount.sql})`,
      ...isAccount.args,
    );
  }
  return fragment(
    `EXISTS (SELECT 1 FROM main."auth_user" AS u JOIN main."auth_member" AS m ` +
      `ON m."user_id" = u."id" AND m."organization_id" = ${organization.sql} ` +
      `WHERE ${isAccount.sql})`,
    ...organization.args,
    ...isAccount.args,
  );
}

/** Returns those of the accounts that a row of the organization may name. */
export async function membersAmong(
  reader: Reader,
  { organizationId, ids, now }: MembersQuery,
): Promise<ReadonlySet<SqlValue>> {
  if (ids.length === 0) return new Set();
  const member = memberSql({
    account: fragment("j.value"),
    organization: organizationId === null ? null : fragment("?", organizationId),
    now,
  });
  const { rows } = await reader.run({
    sql: `SELECT j.value FROM json_each(?) AS j WHERE ${member.sql}`,
    args: [jsonList(ids), ...member.args],
  });
  return new Set(rows.map(([id = null]) => id));
}

/** Returns all accounts that a row of the organization may name. */
export async function membersOf(
  reader: Reader,
  { organizationId, now }: Pick<MembersQuery, "now"> & { readonly organizationId: string },
): Promise<readonly SqlValue[]> {
  const organization = fragment("?", organizationId);
  const member = memberSql({ account: fragment(`a."user_id"`), organization, now });
  const { rows } = await reader.run({
    sql:
      `SELECT a."user_id" FROM main."auth_member" AS a WHERE a."organization_id" = ? AND ${member.sql}`,
    args: [organizationId, ...member.args],
  });
  return rows.map(([id = null]) => id);
}

/**
 * Returns SQL that is true for rows whose account in this column is shown to the caller, because it is currently a member of
 * the row's organization. `alias` names the rows. Null: the caller sees no accounts.
 */
export function shownAccountSql(
  column: ColumnModel,
  { table, principal: { credential } }: Pick<Firewall, "table" | "principal">,
  alias: string,
): Fragment | null {
  if (credential === "none" || credential === "scope") return null;
  const organization = table.scope.organization;
  if (organization === null) return EVERY_ROW;
  return fragment(
    `EXISTS (SELECT 1 FROM main."auth_member" AS m WHERE m."user_id" = ${
      cellSql(column, alias)
    } AND m."organization_id" = ${cellSql(columnNamed(organization, table), alias)})`,
  );
}

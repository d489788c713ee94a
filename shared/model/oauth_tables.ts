/**
 * The tables of a project's own authorization server (`agents.oauth`): registered clients, the grants of users, and their codes
 * and refresh tokens. Times are ISO texts.
 */
import { type SqlColumn, type SqlTable, textColumn } from "./sql_table.ts";

const required = (name: string): SqlColumn => ({ ...textColumn(name), notNull: true });
const id: SqlColumn = { ...required("id"), primaryKey: true };
const owned = (column: SqlColumn, table: string): SqlColumn => ({
  ...column,
  references: { table, column: "id", onDelete: "cascade" },
});

/** A yes-or-no column; null when the row is older than the column. */
const flag = (name: string): SqlColumn => ({ ...textColumn(name), type: "integer" });

/** Parents before children. */
export const OAUTH_TABLES: readonly SqlTable[] = [
  table("auth_oauth_client", [
    id,
    textColumn("name"),
    // A JSON list.
    required("redirect_uris"),
    // Address of the client that registered; null: unknown.
    textColumn("ip_address"),
    required("created_at"),
    // Time at which a user last allowed the client something; null: never.
    textColumn("used_at"),
  ], ["ip_address", "created_at"]),
  table("auth_oauth_grant", [
    id,
    owned(required("client_id"), "auth_oauth_client"),
    owned(required("user_id"), "auth_user"),
    // The organization that the client acts in; null: none.
    owned(textColumn("organization_id"), "auth_organization"),
    // Scopes, separated by spaces.
    required("scope"),
    // The resource that its tokens are for (RFC 8707).
    required("resource"),
    required("created_at"),
    textColumn("used_at"),
    required("expires_at"),
    // 1 when its session began after the account's present address was proved.
    flag("after_proof"),
    // 1 when it may carry the user's platform role.
    flag("platform_role"),
  ], ["client_id", "user_id", "organization_id", "expires_at"]),
  table("auth_oauth_token", [
    // A digest. Only the client has the code or token itself.
    id,
    // `code` or `refresh`.
    required("kind"),
    owned(required("grant_id"), "auth_oauth_grant"),
    // Columns of a code; null for a refresh token.
    textColumn("redirect_uri"),
    textColumn("code_challenge"),
    required("expires_at"),
    // The time of its single use; null: it is unused.
    textColumn("used_at"),
  ], ["grant_id", "expires_at"]),
];

function table(
  name: string,
  columns: readonly SqlColumn[],
  indexed: readonly string[],
): SqlTable {
  return {
    name,
    columns,
    indexes: indexed.map((column) => ({
      name: `${name}_${column}_idx`,
      columns: [column],
      unique: false,
      where: null,
    })),
  };
}

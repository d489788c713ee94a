/**
 * The tables of a project's own authorization server (`agents.oauth`): clients that registered, what users allowed them, and
 * the codes and refresh tokens of that. Times are ISO texts.
 */
import { type SqlColumn, type SqlTable, textColumn } from "./sql_table.ts";

const required = (name: string): SqlColumn => ({ ...textColumn(name), notNull: true });
const id: SqlColumn = { ...required("id"), primaryKey: true };
const owned = (column: SqlColumn, table: string): SqlColumn => ({
  ...column,
  references: { table, column: "id", onDelete: "cascade" },
});

/** Null: from before the service remembered it. */
const flag = (name: string): SqlColumn => ({ ...textColumn(name), type: "integer" });

/** Parents before children. */
export const OAUTH_TABLES: readonly SqlTable[] = [
  table("auth_oauth_client", [
    id,
    textColumn("name"),
    // A JSON list.
    required("redirect_uris"),
    // Of whoever registered it; null: nobody knows it.
    textColumn("ip_address"),
    required("created_at"),
    // When somebody last allowed it something; null: nobody did.
    textColumn("used_at"),
  ], ["ip_address", "created_at"]),
  table("auth_oauth_grant", [
    id,
    owned(required("client_id"), "auth_oauth_client"),
    owned(required("user_id"), "auth_user"),
    // The organization that the client acts in; null: in none.
    owned(textColumn("organization_id"), "auth_organization"),
    // Names with spaces between them.
    required("scope"),
    // The resource that its tokens are for (RFC 8707).
    required("resource"),
    required("created_at"),
    textColumn("used_at"),
    required("expires_at"),
    // 1: its session was begun after the account's present address was proved.
    flag("after_proof"),
    // 1: it was allowed to carry the platform role of its user.
    flag("platform_role"),
  ], ["client_id", "user_id", "organization_id", "expires_at"]),
  table("auth_oauth_token", [
    // A digest: the code or token itself is with its client alone.
    id,
    // `code` or `refresh`.
    required("kind"),
    owned(required("grant_id"), "auth_oauth_grant"),
    // Of a code.
    textColumn("redirect_uri"),
    textColumn("code_challenge"),
    required("expires_at"),
    // Each is good once; null: it is still good.
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

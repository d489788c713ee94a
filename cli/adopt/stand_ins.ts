/** Recognizes tables that quickback's own accounts replace: by their name, and only if their columns fit. */
import { snakeCase } from "../../shared/surface/names.ts";
import { tableKey } from "./draft_names.ts";
import type { ForeignTable } from "./foreign_schema.ts";

/** Required columns by a table's name in snake case and in the plural: the table must have one of each pattern. */
const FITTING: ReadonlyMap<string, readonly RegExp[]> = new Map([
  ["users", [/^(e_?mail|email_address|username|user_name|login|phone)$/]],
  ["sessions", [/^(session_)?token$|^sid$|^session_id$|^id_token$/, /^expir/]],
  ["accounts", [/^provider(_id)?$/, /^(provider_)?account_id$/]],
  ["verifications", [/^(identifier|value|token)$/, /^expir/]],
  ["verification_tokens", [/^token$/, /^expir/]],
  ["password_reset_tokens", [/^token(_hash)?$/]],
  ["authenticators", [/^credential_id$/, /public_key/]],
]);

/** True for the table with which people sign in. */
export function isAccountTable(table: ForeignTable): boolean {
  return tableKey(table.name) === "users" && isAccountPart(table);
}

/** True for a table of accounts, sessions or verifications that has the columns of one. */
export function isAccountPart({ name, columns }: ForeignTable): boolean {
  const names = columns.map((column) => snakeCase(column.name));
  const needed = FITTING.get(tableKey(name));
  return needed !== undefined &&
    needed.every((pattern) => names.some((one) => pattern.test(one)));
}

/** True for a table of invitations to an organization. */
export function isInvitation({ name, columns }: ForeignTable): boolean {
  return /invit/.test(tableKey(name)) &&
    columns.some((column) => /e_?mail/.test(snakeCase(column.name)));
}

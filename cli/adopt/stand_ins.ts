/** Tables that the product's own accounts stand for: by their name, and only where their columns fit. */
import { snakeCase } from "../../shared/surface/names.ts";
import { tableKey } from "./draft_names.ts";
import type { ForeignTable } from "./foreign_schema.ts";

/** By a table's name in snake case and in the plural: columns of which each needs one. */
const FITTING: ReadonlyMap<string, readonly RegExp[]> = new Map([
  ["users", [/^(e_?mail|email_address|username|user_name|login|phone)$/]],
  ["sessions", [/^(session_)?token$|^sid$|^session_id$|^id_token$/, /^expir/]],
  ["accounts", [/^provider(_id)?$/, /^(provider_)?account_id$/]],
  ["verifications", [/^(identifier|value|token)$/, /^expir/]],
  ["verification_tokens", [/^token$/, /^expir/]],
  ["password_reset_tokens", [/^token(_hash)?$/]],
  ["authenticators", [/^credential_id$/, /public_key/]],
]);

/** True for the table that people sign in by. */
export function isAccountTable(table: ForeignTable): boolean {
  return tableKey(table.name) === "users" && isAccountPart(table);
}

/** True for a table of accounts, sessions or proofs, with the columns of one. */
export function isAccountPart({ name, columns }: ForeignTable): boolean {
  const names = columns.map((column) => snakeCase(column.name));
  const needed = FITTING.get(tableKey(name));
  return needed !== undefined &&
    needed.every((pattern) => names.some((one) => pattern.test(one)));
}

/** True for people who are asked into an organization. */
export function isInvitation({ name, columns }: ForeignTable): boolean {
  return /invit/.test(tableKey(name)) &&
    columns.some((column) => /e_?mail/.test(snakeCase(column.name)));
}

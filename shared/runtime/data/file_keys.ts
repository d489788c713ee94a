/** Keys of files' bytes in their store: the tenant, the table, the id (contract 4.7). */
import type { TableModel } from "../../model/mod.ts";
import type { SqlValue } from "../ports.ts";
import type { StoredRow } from "./types.ts";

/** A tenant is the row's organization, else `_owner/<user>` of its owner, else `_public`. */
export async function fileKey(
  { name, scope: { organization, owner } }: Pick<TableModel, "name" | "scope">,
  row: StoredRow,
  id: string,
): Promise<string> {
  const tenant = organization !== null
    ? await keyPart(row.get(organization))
    : owner !== null
    ? `_owner/${await keyPart(row.get(owner))}`
    : "_public";
  return `${tenant}/${await keyPart(name)}/${id}`;
}

/** Beginning of the keys of all files of an organization. */
export async function organizationKeys(organizationId: string): Promise<string> {
  return `${await keyPart(organizationId)}/`;
}

/** Safe in a path of any system, and unlike the words that begin with an underscore. */
const PLAIN_PART = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

async function keyPart(value: SqlValue | undefined): Promise<string> {
  const text = String(value);
  if (PLAIN_PART.test(text)) return text;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `_${new Uint8Array(digest).toHex().slice(0, 48)}`;
}

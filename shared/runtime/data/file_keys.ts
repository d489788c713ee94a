/** Keys of files in the file store: tenant, table, id (contract 4.7). */
import { sha256Hex } from "../../lib/bytes.ts";
import type { TableModel } from "../../model/mod.ts";
import { PUBLIC_FILES, type Randomness, type SqlValue } from "../ports.ts";
import type { StoredRow } from "./types.ts";

/** The tenant of a table's files: the row's organization, else its owner, else nobody. */
export type FileHome = "organization" | "owner" | "public";

export function fileHomeOf(
  { scope: { organization, owner } }: Pick<TableModel, "scope">,
): FileHome {
  return organization !== null ? "organization" : owner !== null ? "owner" : "public";
}

/** Prefix of the ids of files that a request wrote into a row. */
const FILE_PREFIX = "file_";
/** Prefix of the ids of files that code stored before it named a row. */
export const PUT_PREFIX = "put_";
const UPLOADS = "_upload";

/** Prefixes of the ids of files in one column. They allow counting its files by key (`unreferred_pools.ts`). */
export interface FileIds {
  /** Prefix of the ids of its files. */
  readonly files: string;
  /** Prefix of the ids of uploads by presigned URL. */
  readonly uploads: string;
}

export async function fileIdsOf(table: string, column: string): Promise<FileIds> {
  const uploads = (await sha256Hex(`${table}.${column}`)).slice(0, 8);
  return { files: FILE_PREFIX + uploads, uploads };
}

/** Makes an id with this prefix that nobody can guess. */
export function newFileId(start: string, random: Randomness): string {
  return start + random.bytes(12).toHex();
}

export async function fileKey(
  table: Pick<TableModel, "name" | "scope">,
  row: StoredRow,
  id: string,
): Promise<string> {
  const tenant = fileTenantOf(table, row);
  if (id.startsWith(PUT_PREFIX)) return await putKey(fileHomeOf(table), tenant, id);
  return `${await tenantPart(fileHomeOf(table), tenant)}/${await keyPart(table.name)}/${id}`;
}

/**
 * Returns the key of an upload by presigned URL. Its bytes are copied when a row is to refer to them, because the URL stays
 * valid longer.
 */
export async function uploadKey(
  table: Pick<TableModel, "scope">,
  row: StoredRow,
  id: string,
): Promise<string> {
  return `${await tenantPart(fileHomeOf(table), fileTenantOf(table, row))}/${UPLOADS}/${id}`;
}

export function fileTenantOf({ scope }: Pick<TableModel, "scope">, row: StoredRow): SqlValue {
  return row.get(scope.organization ?? scope.owner ?? "") ?? null;
}

/** Returns the key of a file that code stored. `tenant` is the id of the organization or owner. */
export async function putKey(home: FileHome, tenant: SqlValue, id: string): Promise<string> {
  return `${await tenantPart(home, tenant)}/_put/${id}`;
}

/** Returns the prefix of all keys of an organization's files. */
export async function organizationKeys(organizationId: string): Promise<string> {
  return `${await keyPart(organizationId)}/`;
}

async function tenantPart(home: FileHome, tenant: SqlValue): Promise<string> {
  switch (home) {
    case "organization":
      return await keyPart(tenant);
    case "owner":
      return `_owner/${await keyPart(tenant)}`;
    case "public":
      return PUBLIC_FILES;
  }
}

/** Pattern of a part that is safe in any path and differs from reserved words with an underscore. */
const PLAIN_PART = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

async function keyPart(value: SqlValue): Promise<string> {
  const text = String(value);
  if (PLAIN_PART.test(text)) return text;
  return `_${(await sha256Hex(text)).slice(0, 48)}`;
}

/** Pattern of keys made here. It includes the complete keys of unfinished uploads. */
const OWN_KEY = new RegExp(
  `/(?:${FILE_PREFIX}|${PUT_PREFIX}|${UPLOADS}/)[0-9a-f]{32}$|^\\.uploads/[0-9a-f-]{36}$`,
);

/** True for a key made here. Other objects in the folder or bucket are foreign. */
export function isOwnKey(key: string): boolean {
  return OWN_KEY.test(key);
}

/** Keys of files' bytes in their store: the tenant, the table, the id (contract 4.7). */
import { sha256Hex } from "../../lib/bytes.ts";
import type { TableModel } from "../../model/mod.ts";
import { PUBLIC_FILES, type Randomness, type SqlValue } from "../ports.ts";
import type { StoredRow } from "./types.ts";

/** The tenant of a table's files is the row's organization, else its owner, else nobody. */
export type FileHome = "organization" | "owner" | "public";

export function fileHomeOf(
  { scope: { organization, owner } }: Pick<TableModel, "scope">,
): FileHome {
  return organization !== null ? "organization" : owner !== null ? "owner" : "public";
}

/** Begins the ids of files that come into a row. */
const FILE_PREFIX = "file_";
/** Begins the ids of files that code put, before any row or table was named. */
export const PUT_PREFIX = "put_";
const UPLOADS = "_upload";

/** Ids of files that come into one column begin alike: its files are counted by their keys (`unreferred_pools.ts`). */
export interface FileIds {
  /** Begins the ids of its files. */
  readonly files: string;
  /** The same of what comes by addresses. */
  readonly uploads: string;
}

export async function fileIdsOf(table: string, column: string): Promise<FileIds> {
  const uploads = (await sha256Hex(`${table}.${column}`)).slice(0, 8);
  return { files: FILE_PREFIX + uploads, uploads };
}

/** An id that begins so; nobody can guess it. */
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

/** The key of bytes that come by an address, until a row is to refer to them: then they are copied, as an address is good for longer. */
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

/** The key of a file that code put; `tenant` is the id of the organization or the owner. */
export async function putKey(home: FileHome, tenant: SqlValue, id: string): Promise<string> {
  return `${await tenantPart(home, tenant)}/_put/${id}`;
}

/** Beginning of the keys of all files of an organization. */
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

/** Safe in a path of any system, and unlike the words that begin with an underscore. */
const PLAIN_PART = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

async function keyPart(value: SqlValue): Promise<string> {
  const text = String(value);
  if (PLAIN_PART.test(text)) return text;
  return `_${(await sha256Hex(text)).slice(0, 48)}`;
}

/** Ends of the keys that are made here, and the whole keys of uploads that never ended. */
const OWN_KEY = new RegExp(
  `/(?:${FILE_PREFIX}|${PUT_PREFIX}|${UPLOADS}/)[0-9a-f]{32}$|^\\.uploads/[0-9a-f-]{36}$`,
);

/** False for whatever else stands in the folder or the bucket of a store. */
export function isOwnKey(key: string): boolean {
  return OWN_KEY.test(key);
}

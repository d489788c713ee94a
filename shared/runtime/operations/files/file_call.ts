/** Calls of file routes: what is known of one before any request, its value in a row, and the key of its bytes. */
import { type FileValue, isFileValue } from "../../../contract/files.ts";
import type { TableModel } from "../../../model/mod.ts";
import type { FileOperation } from "../../../surface/file_operations.ts";
import type { StoredRow } from "../../data/types.ts";
import type { Admitted } from "../../gate.ts";
import type { FilePorts, SqlValue } from "../../ports.ts";
import type { Call, OperationPlan } from "../call.ts";

export interface FilePlan extends OperationPlan {
  readonly operation: FileOperation;
}

export interface FileCall extends Call {
  readonly plan: FilePlan;
}

/** The ports that a project with files was started with. */
export function filePortsOf({ app: { ports: { files } } }: Pick<Admitted, "app">): FilePorts {
  if (!files) throw new Error("The API has files, and no store for them");
  return files;
}

/** Null: the row has no file there. */
export function fileIn(row: StoredRow, column: string): FileValue | null {
  const stored = row.get(column);
  if (stored === null || stored === undefined) return null;
  const value: unknown = JSON.parse(String(stored));
  if (!isFileValue(value)) throw new Error(`Column '${column}' holds no file`);
  return value;
}

/**
 * The key of a file's bytes: its tenant, its table, its id. A tenant is the row's organization, else `_owner/<user>` of its
 * owner, else `_public`.
 */
export async function fileKey(
  { name, scope }: TableModel,
  row: StoredRow,
  id: string,
): Promise<string> {
  const { organization, owner } = scope;
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

/** Declares calls of file routes: facts that hold before any request, and the value of a file column in a row. */
import { fileJson, filesInCell, type FileValue } from "../../../contract/mod.ts";
import type { FileColumn, FileOperation } from "../../../surface/mod.ts";
import type { StoredRow } from "../../data/types.ts";
import type { Admitted } from "../../gate.ts";
import type { FilePorts } from "../../ports.ts";
import { decodeSegment } from "../../request/read_request.ts";
import type { Call, OperationPlan } from "../call.ts";

export interface FilePlan extends OperationPlan {
  readonly operation: FileOperation;
}

export interface FileCall extends Call {
  readonly plan: FilePlan;
}

/** Returns the file ports with which the project was started. */
export function filePortsOf({ app: { ports: { files } } }: Pick<Admitted, "app">): FilePorts {
  if (!files) throw new Error("The API has files, and no store for them");
  return files;
}

/**
 * Returns the text that identifies who may confirm an upload: the caller who requested its address, for the same record and
 * field.
 */
export function uploadHolder({ request, plan: { operation }, id }: FileCall): string {
  const { userId, organizationId, delegate } = request.principal;
  const { resource, column } = operation;
  return JSON.stringify([
    ...[resource.name, column.name, id, organizationId],
    ...[userId, delegate ? [delegate.name, delegate.subject] : null],
  ]);
}

/** Returns the files of this field; a field for one file has one or none. */
export function filesIn(row: StoredRow, { name }: FileColumn): readonly FileValue[] {
  return filesInCell(row.get(name));
}

/** Returns the stored form of the files; a field for one file stores the last of them. */
export function cellOf(files: readonly FileValue[], { type }: FileColumn): string | null {
  if (type.maxItems !== undefined) return JSON.stringify(files.map(fileJson));
  const file = files.at(-1);
  return file === undefined ? null : JSON.stringify(fileJson(file));
}

/** Returns the file that a path names, in a field for one or several files; null: there is none. */
export function fileNamed(
  files: readonly FileValue[],
  { request: { path }, plan: { operation } }: FileCall,
): FileValue | null {
  if (operation.column.type.maxItems === undefined) return files[0] ?? null;
  const id = decodeSegment(path.slice(path.lastIndexOf("/") + 1));
  return files.find((file) => file.id === id) ?? null;
}

/** Calls of file routes: what is known of one before any request, and its value in a row. */
import { type FileValue, isFileValue } from "../../../contract/files.ts";
import type { FileOperation } from "../../../surface/file_operations.ts";
import type { StoredRow } from "../../data/types.ts";
import type { Admitted } from "../../gate.ts";
import type { FilePorts } from "../../ports.ts";
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

/** Whoever may confirm an upload: the caller who asked for its address, for the record and the field that it was for. */
export function uploadHolder({ request, plan: { operation }, id }: FileCall): string {
  const { userId, organizationId, delegate } = request.principal;
  const { resource, column } = operation;
  return JSON.stringify([
    ...[resource.name, column.name, id, organizationId],
    ...[userId, delegate ? [delegate.name, delegate.subject] : null],
  ]);
}

/** Null: the row has no file there. */
export function fileIn(row: StoredRow, column: string): FileValue | null {
  const stored = row.get(column);
  if (stored === null || stored === undefined) return null;
  const value: unknown = JSON.parse(String(stored));
  if (!isFileValue(value)) throw new Error(`Column '${column}' holds no file`);
  return value;
}

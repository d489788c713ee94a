/** Where a revision anchors a conditional write (contract 4.1 rule 8, definitions 7 "revision"): for the runtime and for OpenAPI. */
import type { TableModel } from "../model/table.ts";
import type { Operation } from "./operations.ts";

/** True for a write of one existing record that counts its revisions: the only place where `If-Match` means something. */
export function anchorsRevision(
  { path, method }: Pick<Operation, "path" | "method">,
  { revision }: Pick<TableModel, "revision">,
): boolean {
  return revision !== null && path.endsWith("/:id") && method !== "GET" && method !== "POST";
}

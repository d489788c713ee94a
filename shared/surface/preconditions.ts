/**
 * Meaning of the request headers `If-Match`, `If-None-Match` and `Idempotency-Key` for an operation (contract 4.1 rule 8,
 * definitions 7): for the runtime and for OpenAPI.
 */
import type { RuntimeCode } from "../contract/mod.ts";
import type { ProjectModel, TableModel } from "../model/mod.ts";
import type { Operation } from "./operations.ts";
import { tableOf } from "./tables.ts";

/** Facts of an operation, an author's action too. */
type Written = Pick<Operation, "path" | "method"> & { readonly kind: string };

/** True for a write of one existing record that counts its revisions: the only place where `If-Match` means something. */
export function anchorsRevision(
  { kind, path, method }: Written,
  { revision }: Pick<TableModel, "revision">,
): boolean {
  const isOfRecord = kind === "restore" ||
    path.endsWith("/:id") && method !== "GET" && method !== "POST";
  return revision !== null && isOfRecord;
}

/** True when answers carry an `ETag`: single records by their revision, every other read by its bytes. */
export function isTagged(operation: Operation, project: ProjectModel): boolean {
  const hasRevision = tableOf(operation.resource, project).revision !== null;
  switch (operation.kind) {
    case "get":
      return hasRevision || project.etag;
    case "list":
    case "view":
    case "history":
      return project.etag;
    case "create":
    case "update":
    case "upsert":
    case "restore":
      return hasRevision;
    default:
      return false;
  }
}

/** Codes with which a write is refused for its headers. */
export function preconditionCodes(
  operation: Written,
  table: Pick<TableModel, "revision">,
): readonly RuntimeCode[] {
  if (operation.method === "GET") return [];
  return [
    "PRECONDITION_UNSUPPORTED",
    "IDEMPOTENCY_KEY_IN_FLIGHT",
    "IDEMPOTENCY_KEY_REUSED",
    ...(anchorsRevision(operation, table) ? ["PRECONDITION_FAILED" as const] : []),
  ];
}

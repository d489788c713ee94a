/**
 * Decides which of the request headers `If-Match`, `If-None-Match` and `Idempotency-Key` apply to an operation (contract 4.1
 * rule 8, definitions 7), for the runtime and for OpenAPI.
 */
import type { RuntimeCode } from "../contract/mod.ts";
import type { ProjectModel, TableModel } from "../model/mod.ts";
import type { Operation } from "./operations.ts";
import { tableOf } from "./tables.ts";

/** Facts of an operation or of an author's action. */
type Written = Pick<Operation, "path" | "method"> & { readonly kind: string };

/** True for a write of one existing record that counts its revisions. Only such a write accepts `If-Match`. */
export function anchorsRevision(
  { kind, path, method }: Written,
  { revision }: Pick<TableModel, "revision">,
): boolean {
  const isOfRecord = kind === "restore" ||
    path.endsWith("/:id") && method !== "GET" && method !== "POST";
  return revision !== null && isOfRecord;
}

/**
 * True when responses contain an `ETag`: that of a single record is its revision, that of any other read a hash of its bytes.
 */
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

/** Returns codes with which a write is refused because of its headers. */
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

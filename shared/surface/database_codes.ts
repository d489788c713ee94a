/** Lists codes with which the database may refuse an operation on records (contract 7). */
import { when } from "./codes.ts";
import type { RuntimeCode } from "../contract/mod.ts";
import type { Subject } from "./layer_codes.ts";
import { clientIdRule } from "./ids.ts";
import { writableColumns } from "./writable.ts";

/**
 * True for a table whose rows count towards a tenant's limit. Rows without a tenant count towards none (definitions 8,
 * `ROWS_MAX_PER_TENANT`).
 */
function isQuoted({ table: { scope } }: Subject): boolean {
  return scope.organization !== null || scope.owner !== null;
}

export function databaseCodes(subject: Subject): readonly RuntimeCode[] {
  switch (subject.verb) {
    case "create":
      return [
        "DB_NOT_NULL_VIOLATION",
        "DB_INSERT_FAILED",
        ...when(isQuoted(subject), "QUOTA_EXCEEDED"),
        ...when(mayCollide("create", subject), "DB_UNIQUE_VIOLATION"),
      ];
    case "update":
      return [
        "DB_NOT_NULL_VIOLATION",
        "DB_UPDATE_FAILED",
        ...when(mayCollide("update", subject), "DB_UNIQUE_VIOLATION"),
        ...when(writesReference("update", subject), "DB_REFERENCE_VIOLATION"),
      ];
    case "upsert":
      return [
        "DB_NOT_NULL_VIOLATION",
        "DB_UPDATE_FAILED",
        "DB_UNIQUE_VIOLATION",
        ...when(isQuoted(subject), "QUOTA_EXCEEDED"),
        ...when(writesReference("upsert", subject), "DB_REFERENCE_VIOLATION"),
      ];
    case "restore":
      // Records that were deleted together with this one are restored with it.
      return [
        "DB_UPDATE_FAILED",
        ...when(
          subject.project.tables.some(({ indexes }) => indexes.some(({ unique }) => unique)),
          "DB_UNIQUE_VIOLATION",
        ),
      ];
    case "delete":
      return [
        ...when(subject.operation.batch === null, "VALIDATION_INVALID_INPUT"),
        "DB_UPDATE_FAILED",
        ...when(mayBeReferredTo(subject), "DB_REFERENCE_VIOLATION"),
      ];
    default:
      return [];
  }
}

/** True when a client's values may exist already: its id, or a column of a unique index. */
function mayCollide(
  verb: "create" | "update",
  { operation, table }: Subject,
): boolean {
  if (verb === "create" && clientIdRule(table) !== "refused") return true;
  const indexed = table.indexes.filter((index) => index.unique).flatMap((index) => index.columns);
  // A create fills every column of an index, by default or by stamp; an update changes only columns that it may write.
  if (verb === "create") return indexed.length > 0;
  return writableColumns(verb, operation.resource, table).some(({ name }) =>
    indexed.includes(name)
  );
}

/** True when the operation writes a foreign key, whose target may be deleted between its check and the write. */
function writesReference(
  verb: "update" | "upsert",
  { operation, table }: Subject,
): boolean {
  return writableColumns(verb, operation.resource, table)
    .some(({ references }) => references !== null);
}

/**
 * True when live records may refer to this one, so that it may have to stay. A permanent deletion must not leave references
 * that the database neither follows nor clears: to the record itself, or to records that are deleted with it.
 */
function mayBeReferredTo({ operation, table, project }: Subject): boolean {
  const { delete: removal } = operation.resource;
  if (removal?.mode !== "hard" && removal?.children !== "refuse") return false;
  const removed = new Set([table.name]);
  // Names that are added during the loop are visited, too.
  for (const name of removed) {
    for (const child of project.tables) {
      for (const { references } of child.columns) {
        if (references?.table !== name || references.onDelete === "set null") continue;
        if (removal.children === "refuse" || references.onDelete !== "cascade") return true;
        removed.add(child.name);
      }
    }
  }
  return false;
}

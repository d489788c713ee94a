/**
 * Refusal for a database error that a handler did not catch (contract 7.2, layer `database`): the same codes as for any
 * other write. Null for an error that says nothing of the request.
 */
import type { Principal } from "../../../model/principal.ts";
import type { ProjectModel } from "../../../model/project.ts";
import type { TableModel } from "../../../model/table.ts";
import { mayQueryBy } from "../../../surface/column_sight.ts";
import { ScopedReferenceError } from "../../data/scoped_db/scoped_db_error.ts";
import { ConstraintError, type ConstraintKind } from "../../ports.ts";
import { Refusal } from "../../refusal.ts";
import { columnNamed } from "../write_failure.ts";

interface HandlerWrites {
  readonly project: ProjectModel;
  readonly principal: Principal;
}

export function databaseRefusal(error: unknown, writes: HandlerWrites): Refusal | null {
  if (error instanceof ScopedReferenceError) return referenceRefusal(error);
  if (!(error instanceof ConstraintError)) return null;
  const code = CODES[error.kind];
  if (code === null) return null;
  const column = code === "DB_REFERENCE_VIOLATION" ? null : shownColumn(error, writes);
  return new Refusal(code, {
    cause: error,
    ...(column === null ? {} : { details: { column } }),
  });
}

/** A check is the author's own rule, or ours: nothing that a caller could know of. */
const CODES = {
  unique: "DB_UNIQUE_VIOLATION",
  primaryKey: "DB_UNIQUE_VIOLATION",
  notNull: "DB_NOT_NULL_VIOLATION",
  foreignKey: "DB_REFERENCE_VIOLATION",
  check: null,
} as const satisfies Readonly<Record<ConstraintKind, string | null>>;

/** The same words for a missing, a foreign and a deleted record. */
function referenceRefusal(error: ScopedReferenceError): Refusal {
  const { column } = error;
  const fields = { [column]: "Must be the id of an existing record" };
  return new Refusal("VALIDATION_ERROR", { details: { column, fields }, cause: error });
}

/** Null where the driver named none, or one by which the caller may not ask. */
function shownColumn(error: ConstraintError, { project, principal }: HandlerWrites) {
  const table = project.tables.find((one) => isNamed(one, error));
  const resource = project.resources.find((one) => one.table === table?.name);
  if (!table || !resource) return null;
  const column = columnNamed(error, table);
  return column !== null && mayQueryBy(column, resource, principal) ? column : null;
}

function isNamed({ sqlName, indexes }: TableModel, { subjects }: ConstraintError): boolean {
  return subjects.some((subject) =>
    subject.startsWith(`${sqlName}.`) || indexes.some(({ name }) => name === subject)
  );
}

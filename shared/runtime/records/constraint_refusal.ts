/** Maps a violated constraint to its code (contract 7.2, layer `database`). No text of the driver is passed on. */
import type { RuntimeCode } from "../../contract/mod.ts";
import { pointerTo } from "../../lib/json.ts";
import type { Principal, ResourceModel, TableModel } from "../../model/mod.ts";
import { mayQueryBy, ROLLUP_SUBJECT } from "../../surface/mod.ts";
import { LivingChildrenError } from "../data/living_children.ts";
import type { ConstraintError } from "../ports.ts";
import { Refusal } from "../refusal.ts";

/** Code of a failure that is not due to the request. */
export type WriteFailure = "DB_INSERT_FAILED" | "DB_UPDATE_FAILED";

/** Write that a constraint refused. */
interface RefusedWrite {
  readonly principal: Principal;
  /** Null: the table has no routes. */
  readonly resource: ResourceModel | null;
  readonly table: TableModel;
}

export function constraintRefusal(
  error: ConstraintError,
  { principal, resource, table }: RefusedWrite,
  failure: WriteFailure,
): Refusal {
  const total = overflownTotal(error);
  if (total !== null) return new Refusal("VALIDATION_ERROR", { detail: total });
  if (error instanceof LivingChildrenError) return childrenRefusal(error);
  const code = codeOf(error, failure);
  if (code !== "DB_UNIQUE_VIOLATION" && code !== "DB_NOT_NULL_VIOLATION") {
    return new Refusal(code, { cause: error });
  }
  const column = columnNamed(error, table);
  // A caller who may not filter by a column must not learn that it contains a value.
  if (column === null || resource === null || !mayQueryBy(column, resource, principal)) {
    return new Refusal(code);
  }
  return new Refusal(code, { details: { column }, pointer: pointerTo(column) });
}

/** Returns the refusal of a deletion of rows to which living rows refer. */
export function childrenRefusal(error: LivingChildrenError): Refusal {
  return new Refusal("DB_REFERENCE_VIOLATION", {
    detail: "Living records refer to it",
    details: { children: error.children },
    cause: error,
  });
}

/** Returns the total over the written rows that has more digits than are exact; null: another constraint was violated. */
export function overflownTotal({ kind, subjects }: ConstraintError): string | null {
  const [subject = ""] = subjects;
  return kind === "check" && subject.startsWith(ROLLUP_SUBJECT)
    ? "A total over these rows would be out of range"
    : null;
}

function codeOf({ kind }: ConstraintError, failure: WriteFailure): RuntimeCode {
  switch (kind) {
    case "unique":
    case "primaryKey":
      return "DB_UNIQUE_VIOLATION";
    case "notNull":
      return "DB_NOT_NULL_VIOLATION";
    case "foreignKey":
      return failure === "DB_UPDATE_FAILED" ? "DB_REFERENCE_VIOLATION" : failure;
    case "check":
      return failure;
  }
}

/** Returns the column that the driver identified, besides the scope with which every unique index of a tenant begins. */
export function columnNamed({ kind, subjects }: ConstraintError, table: TableModel): string | null {
  if (kind === "primaryKey") return null;
  const named = subjects.flatMap((subject) => {
    // A subject is the name of an index, or `table.column` in SQL names.
    const index = table.indexes.find(({ name }) => name === subject);
    if (index) return index.columns;
    const [sqlTable, sqlColumn] = subject.split(".");
    if (sqlTable !== table.sqlName) return [];
    return table.columns.filter(({ sqlName }) => sqlName === sqlColumn).map(({ name }) => name);
  });
  const scopes = Object.values(table.scope);
  const own = named.filter((name) => !scopes.includes(name) && name !== table.primaryKey);
  return own.length === 1 ? own[0] ?? null : null;
}

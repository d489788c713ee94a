/** Refusal of a value that a handler's own `db` was given (contract 4.4 rule 3). */
import { RefusedSqlError } from "../../../lib/sql_tokens.ts";

/** A foreign key that names no record in scope: the fault of a value, not of the handler. */
export class ScopedReferenceError extends RefusedSqlError {
  override readonly name = "ScopedReferenceError";
  constructor(
    /** API name. */
    readonly column: string,
    options?: ErrorOptions,
  ) {
    super(`"${column}"`, "must be the id of an existing record in scope", options);
  }
}

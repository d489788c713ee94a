/** Refusal of a value given to a handler's `db` (contract 4.4 rule 3). */
import { RefusedSqlError } from "../../../lib/sql_tokens.ts";

/** A foreign key that names no record in scope, or an account that is no member: the fault of a value, not of the handler. */
export class ScopedReferenceError extends RefusedSqlError {
  override readonly name = "ScopedReferenceError";
  constructor(
    /** API name. */
    readonly column: string,
    /** What it must be. */
    readonly wanted: string,
    options?: ErrorOptions,
  ) {
    super(`"${column}"`, `must be ${wanted} in scope`, options);
  }
}

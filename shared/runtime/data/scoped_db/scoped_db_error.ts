/** Refusals of a handler's own `db` (contract 4.4 rule 3): they name the construct, and nothing of other rows. */

class ScopedDbError extends Error {
  override readonly name: string = "ScopedDbError";
  constructor(
    /** The construct as the handler wrote it. */
    readonly construct: string,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(`${construct} ${reason}`, options);
  }
}

/** A foreign key that names no record in scope: the fault of a value, not of the handler. */
export class ScopedReferenceError extends ScopedDbError {
  override readonly name = "ScopedReferenceError";
  constructor(
    /** API name. */
    readonly column: string,
    options?: ErrorOptions,
  ) {
    super(`"${column}"`, "must be the id of an existing record in scope", options);
  }
}

export function refuseConstruct(construct: string, reason: string): never {
  throw new ScopedDbError(construct, reason);
}

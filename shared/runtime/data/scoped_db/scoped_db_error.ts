/** What a handler's own `db` refuses (contract 4.4 rule 3): the construct is named, nothing of other rows is. */

class ScopedDbError extends Error {
  override readonly name: string = "ScopedDbError";
  constructor(
    /** What the handler wrote. */
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

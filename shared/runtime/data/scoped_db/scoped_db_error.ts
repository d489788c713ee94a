/** What a handler's own `db` refuses (contract 4.4 rule 3): the construct is named, nothing of other rows is. */

export class ScopedDbError extends Error {
  override readonly name = "ScopedDbError";
  constructor(
    /** What the handler wrote. */
    readonly construct: string,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(`${construct} ${reason}`, options);
  }
}

export function refuseConstruct(construct: string, reason: string): never {
  throw new ScopedDbError(construct, reason);
}

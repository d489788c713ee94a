/**
 * Reason why a statement of the data layer reads beyond its caller's rows. The statement carries it, so that an audit allows
 * exactly that read (docs/proof.md, audit-sql).
 */
export type BeyondScope =
  /** Sums the sizes of the tenant's files. */
  | "fileBytes"
  /** Reads the numbers of a sequence that rows of the organization have. */
  | "takenNumbers"
  /** Reads rows of the tenant, to judge a frame for each subscriber. */
  | "framedRows"
  /** Checks whether living rows of the tenant refer to a row that will be deleted. */
  | "livingChildren"
  /** Reads the organization of the row that the input of an action names by a random text. */
  | "namedTenant";

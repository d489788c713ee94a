/**
 * What a statement of the data layer reads beyond its caller's rows. The mark travels with the statement, so that an audit holds it
 * to just that (docs/proof.md, audit-sql).
 */
export type BeyondScope =
  /** The sum of the sizes of the tenant's files. */
  | "fileBytes"
  /** The numbers of a sequence that rows of the organization have. */
  | "takenNumbers"
  /** Rows of the tenant by which a frame is judged for each subscriber. */
  | "framedRows"
  /** Whether living rows of the tenant refer to a row that is to be deleted. */
  | "livingChildren"
  /** The organization of the row that the input of an action names by a random text. */
  | "namedTenant";

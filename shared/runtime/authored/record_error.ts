/** Errors of `db.records`, as an author may catch them. An uncaught one is answered with its code (definitions 6). */
import { RUNTIME_CODES } from "../../contract/mod.ts";
import { RECORD_ERROR } from "../../model/mod.ts";
import { ConstraintError, DatabaseUnavailableError, StatementTimeoutError } from "../ports.ts";
import { Refusal } from "../refusal.ts";
import { AuthoredRefusal, authoredRefusal } from "./authored_refusal.ts";

/** Error for a refusal of the service. */
class RecordRefusal extends Refusal {
  override readonly name = "RecordError";
  readonly [RECORD_ERROR] = true;
  readonly status: number;
  readonly details: unknown;

  constructor({ code, options }: Refusal) {
    super(code, options);
    this.message = options.detail ?? RUNTIME_CODES[code].title;
    this.status = RUNTIME_CODES[code].status;
    this.details = options.details;
  }
}

/** Error for a refusal of a hook. */
class RecordHookRefusal extends AuthoredRefusal {
  override readonly name = "RecordError";
  readonly [RECORD_ERROR] = true;
}

/** Returns the error for the code's caller; `refusalOf` maps a constraint error of the database. */
export function recordErrorOf(
  error: unknown,
  refusalOf: (error: ConstraintError) => Refusal,
): unknown {
  if (error instanceof Error && RECORD_ERROR in error) return error;
  // The transaction is lost as a whole.
  if (error instanceof DatabaseUnavailableError || error instanceof StatementTimeoutError) {
    return error;
  }
  if (error instanceof Refusal) return new RecordRefusal(error);
  if (error instanceof ConstraintError) return new RecordRefusal(refusalOf(error));
  const authored = authoredRefusal(error);
  if (authored === null) return error;
  const { message, code, status, details } = authored;
  return new RecordHookRefusal(message, code, status, details);
}

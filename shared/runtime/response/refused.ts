/**
 * Answers a request that ended in an error (contract 7): refusals as they are, anything else as a 500 that tells nothing.
 */
import { RUNTIME_CODES } from "../../contract/codes.ts";
import { HEADERS } from "../../contract/headers.ts";
import type { RequestContext } from "../context.ts";
import { DatabaseUnavailableError } from "../ports.ts";
import { Refusal } from "../refusal.ts";
import { problemResponse } from "./problem.ts";
import { rateLimitedResponse } from "./rate_limited.ts";

/** `operation` is what ran, for the log and `details.operation`. */
export function refusedResponse(
  error: unknown,
  request: RequestContext,
  operation: string,
): Response {
  const refusal = outageOf(error) ??
    (error instanceof Refusal
      ? error
      : new Refusal("INTERNAL_ERROR", { details: { operation }, cause: error }));
  if (refusal.code === "RATE_LIMITED") return rateLimitedResponse();
  if (RUNTIME_CODES[refusal.code].status >= 500) logFailure(refusal, request, operation);
  return problemResponse(refusal, request, request.app);
}

/** Errors that others wrapped around one another. */
const CAUSES_MAX = 10;

/**
 * The outage behind an error. Every route answers it with the same code, whatever the operation calls its failure and
 * whoever wrapped the driver's error on its way (extensions 1 "busy or full database"). Null: the failure is no outage.
 */
function outageOf(error: unknown): Refusal | null {
  if (error instanceof Refusal && RUNTIME_CODES[error.code].status < 500) return null;
  let cause = error;
  for (let depth = 0; cause instanceof Error && depth < CAUSES_MAX; depth++) {
    if (cause instanceof DatabaseUnavailableError) {
      const headers = { [HEADERS.retryAfter]: String(cause.retryAfter) };
      return new Refusal("DATABASE_UNAVAILABLE", { headers, cause: error });
    }
    cause = cause.cause;
  }
  return null;
}

function logFailure(refusal: Refusal, request: RequestContext, operation: string): void {
  request.app.ports.logger.log({
    level: "error",
    message: `${refusal.code} in ${operation}`,
    requestId: request.requestId,
    error: refusal.options.cause ?? refusal,
    fields: { operation, method: request.method, path: request.path },
  });
}

/** Whatever ended a request, as its answer (contract 7): refusals as they are, anything else as a 500 that tells nothing. */
import { RUNTIME_CODES } from "../../contract/codes.ts";
import type { RequestContext } from "../context.ts";
import { Refusal } from "../refusal.ts";
import { problemResponse } from "./problem.ts";
import { rateLimitedResponse } from "./rate_limited.ts";

/** `operation` is what ran, for the log and `details.operation`. */
export function refusedResponse(
  error: unknown,
  request: RequestContext,
  operation: string,
): Response {
  const refusal = error instanceof Refusal
    ? error
    : new Refusal("INTERNAL_ERROR", { details: { operation }, cause: error });
  if (refusal.code === "RATE_LIMITED") return rateLimitedResponse();
  if (RUNTIME_CODES[refusal.code].status >= 500) logFailure(refusal, request, operation);
  return problemResponse(refusal, request, request.app);
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

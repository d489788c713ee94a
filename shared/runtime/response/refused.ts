/**
 * Answers a request that ended in an error (contract 7): refusals as they are, anything else as a 500 that tells nothing.
 */
import { RUNTIME_CODES, type RuntimeCode } from "../../contract/codes.ts";
import { HEADERS, PROBLEM_MEDIA_TYPE } from "../../contract/headers.ts";
import { PROBLEM_BODY_MAX_BYTES, RETRY_AFTER_SECONDS } from "../../contract/limits.ts";
import { problemType } from "../../contract/problem_types.ts";
import { redactedSearch } from "../../contract/masks.ts";
import type { JsonValue } from "../../model/table.ts";
import { DISCOVERY_PATHS } from "../../surface/discovery_operations.ts";
import { MCP_PATH } from "../../surface/mcp_operation.ts";
import type { RequestContext } from "../context.ts";
import { DatabaseUnavailableError } from "../ports.ts";
import { Refusal } from "../refusal.ts";
import { cappedEcho, redacted } from "./redact.ts";

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
  if (refusal.code === "RATE_LIMITED") {
    // The flat 429, one of the three bodies that are no problem document (contract 8.1.6).
    const { status, title } = RUNTIME_CODES.RATE_LIMITED;
    const body = { error: title, code: "RATE_LIMITED", retryAfter: RETRY_AFTER_SECONDS };
    return new Response(JSON.stringify(body), {
      status,
      headers: {
        "content-type": "application/json",
        [HEADERS.retryAfter]: String(RETRY_AFTER_SECONDS),
      },
    });
  }
  if (RUNTIME_CODES[refusal.code].status >= 500) {
    request.app.ports.logger.log({
      level: "error",
      message: `${refusal.code} in ${operation}`,
      requestId: request.requestId,
      error: refusal.options.cause ?? refusal,
      fields: { operation, method: request.method, path: request.path },
    });
  }
  return problemResponse(refusal, request);
}

/** Errors that others wrapped around one another. */
const CAUSES_MAX = 10;

/**
 * The outage behind an error. Every route answers it with the same code, whatever the operation calls its failure and
 * whoever wrapped the driver's error on its way (definitions 7 "busy or full database"). Null: the failure is no outage.
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

/** Characters of a path or a query that a problem repeats. */
const URL_MAX_LENGTH = 2048;

/** The problem document: RFC 9457 with the contract's members (contract 2.7). */
function problemResponse({ code, options }: Refusal, request: RequestContext): Response {
  const { settings } = request.app;
  const { layer, status, title } = RUNTIME_CODES[code];
  const thrown = settings.exposeErrorStack && status === 500 && options.cause !== undefined
    ? thrownDetails(options.cause)
    : null;
  const detail = thrown?.message ?? options.detail;
  const details = thrown ? { ...options.details, ...thrown.details } : options.details;
  const hint = options.hint ?? RUNTIME_CODES[code].hint;
  const body = request.body.parsed();
  const url = request.path + redactedSearch(request.search);
  const problem: Readonly<Record<string, JsonValue>> = {
    type: problemType(code, settings.baseUrl),
    title,
    status,
    ...(detail === undefined ? {} : { detail }),
    instance: request.path.slice(0, URL_MAX_LENGTH),
    layer,
    code,
    ...(details === undefined ? {} : { details }),
    ...(options.pointer === undefined ? {} : { pointer: options.pointer }),
    ...(hint === undefined ? {} : { hint }),
    request: {
      method: request.method,
      url: settings.baseUrl + url.slice(0, URL_MAX_LENGTH),
      ...(body === undefined ? {} : { body: cappedEcho(redacted(body, PROBLEM_BODY_MAX_BYTES)) }),
      requestId: request.requestId,
    },
  };
  return new Response(JSON.stringify(problem), {
    status,
    headers: {
      ...(status === 401 ? { "www-authenticate": challengeOf(code, request) } : {}),
      ...options.headers,
      "content-type": PROBLEM_MEDIA_TYPE,
    },
  });
}

/** Errors of a refused bearer token; a refusal that is no token's fault has none (RFC 6750, 3.1). */
const TOKEN_ERRORS: ReadonlyMap<RuntimeCode, string> = new Map([
  ["AUTH_INVALID_TOKEN", "The credentials are invalid"],
  ["AUTH_EXPIRED", "The credentials expired"],
  ["AUTH_RATE_LIMITED", "Too many invalid credentials"],
]);

/** `WWW-Authenticate` of a 401 (RFC 9110, 11.6.1; RFC 6750, 3; RFC 9728, 5.1). */
function challengeOf(code: RuntimeCode, { app, path }: RequestContext): string {
  const { project, settings } = app;
  if (project.auth.jwt === null) return `ApiKey realm="${project.name}"`;
  // A resource with a description of its own is named by it (RFC 9728, 5.1).
  const metadataPath = path === MCP_PATH
    ? DISCOVERY_PATHS.mcpResource
    : DISCOVERY_PATHS.protectedResource;
  const description = TOKEN_ERRORS.get(code);
  return "Bearer " + [
    ...(description === undefined
      ? []
      : ['error="invalid_token"', `error_description="${description}"`]),
    `resource_metadata="${settings.baseUrl}${metadataPath}"`,
  ].join(", ");
}

const FRAMES_SHOWN = 3;

/** Details of a 500 under `EXPOSE_ERROR_STACK=1` (contract 7.2). Never called otherwise. */
function thrownDetails(error: unknown) {
  if (!(error instanceof Error)) return { message: String(error), details: {} };
  const stack = error.stack ?? "";
  // Base name and line of the innermost calls.
  const frames = [...stack.matchAll(/([^/\\\s()]+):(\d+):\d+\)?$/gm)].slice(0, FRAMES_SHOWN);
  return {
    message: error.message,
    details: {
      cause: error.cause instanceof Error ? error.cause.message : null,
      frames: frames.map(([, file, line]) => `${file}:${line}`),
      stack,
    },
  };
}

/** The refusal of one record of a batch: flat, one of the three bodies that are no problem document (contract 2.6). */
export function batchError({ code, options }: Refusal) {
  const { title, layer } = RUNTIME_CODES[code];
  return {
    error: options.detail ?? title,
    layer,
    code,
    details: options.details ?? {},
    hint: options.hint ?? RUNTIME_CODES[code].hint,
  };
}

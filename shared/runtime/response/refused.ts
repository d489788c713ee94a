/**
 * Answers a request that ended in an error (contract 7): refusals as they are, any other error as a 500 that reveals nothing.
 */
import { HEADERS, isSensitiveKey, PROBLEM_BODY_MAX_BYTES } from "../../contract/mod.ts";
import { PROBLEM_MEDIA_TYPE, problemType, REDACTED, redactedSearch } from "../../contract/mod.ts";
import { RETRY_AFTER_SECONDS, RUNTIME_CODES, type RuntimeCode } from "../../contract/mod.ts";
import { JSON_DEPTH_MAX } from "../../lib/json.ts";
import { hasPassed } from "../../lib/times.ts";
import type { JsonValue } from "../../model/mod.ts";
import { DISCOVERY_PATHS, MCP_PATH } from "../../surface/mod.ts";
import type { RequestContext } from "../context.ts";
import {
  DatabaseUnavailableError,
  StatementTimeoutError,
  StorageFullError,
  StorageUnavailableError,
  StoredMisfitError,
} from "../ports.ts";
import { Refusal } from "../refusal.ts";

/** Builds the answer. `operation` names the operation that ran, for the log and `details.operation`. */
export function refusedResponse(
  error: unknown,
  request: RequestContext,
  operation: string,
): Response {
  const refusal = outageOf(error) ??
    (error instanceof Refusal
      ? error
      : new Refusal("INTERNAL_ERROR", { details: { operation }, cause: error }));
  const response = responseTo(refusal, request, operation);
  request.app.refusals?.set(response, refusal.code);
  return response;
}

function responseTo(refusal: Refusal, request: RequestContext, operation: string): Response {
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
  if (RUNTIME_CODES[refusal.code].status >= 500 && isWorthALine(refusal, request)) {
    const { cause } = refusal.options;
    request.app.ports.logger.log({
      level: "error",
      message: `${refusal.code} in ${operation}`,
      requestId: request.requestId,
      // A refusal without a cause is the service's own decision: its stack would help nobody.
      ...(cause === undefined ? {} : { error: cause }),
      fields: { operation, method: request.method, path: request.path },
    });
  }
  return problemResponse(refusal, request);
}

const MINUTE = 60_000;

/**
 * True once a minute for a column with a value that does not fit its type: repeated requests get the same answer, and the log
 * need not repeat it.
 */
function isWorthALine(refusal: Refusal, { app: { misfitsTold }, now }: RequestContext): boolean {
  const misfit = misfitOf(refusal);
  if (misfit === null) return true;
  const { table, column } = misfit.subject;
  const name = `${table}.${column}`;
  const time = Date.parse(now);
  const told = misfitsTold.get(name);
  if (told !== undefined && !hasPassed(MINUTE, told, time)) return false;
  misfitsTold.set(name, time);
  return true;
}

/** Returns the misfit at the end of a chain of causes. */
function misfitOf(refusal: Refusal): StoredMisfitError | null {
  let cause = refusal.options.cause;
  for (let depth = 0; cause instanceof Error && depth < CAUSES_MAX; depth++) {
    if (cause instanceof StoredMisfitError) return cause;
    cause = cause.cause;
  }
  return null;
}

/** Hint for a write whose commit was sent and not confirmed. */
const MAY_BE_DONE =
  "It may have taken effect: repeat it under the 'Idempotency-Key' that it had, or look before you send it again";

/** Seconds for `Retry-After` when the store of files is unreachable. */
const STORE_RETRY_AFTER_SECONDS = 5;

/** Maximum length of a chain of causes. */
const CAUSES_MAX = 10;

/**
 * Returns the refusal for an outage behind an error: of a database, or of a store of files that is unreachable or full. Every
 * route answers it with the same code, whatever the operation calls its failure, and however deep the driver's error is wrapped
 * (definitions 7 "busy or full database"). Null: the failure is no outage.
 */
function outageOf(error: unknown): Refusal | null {
  if (error instanceof Refusal && RUNTIME_CODES[error.code].status < 500) return null;
  let cause = error;
  for (let depth = 0; cause instanceof Error && depth < CAUSES_MAX; depth++) {
    if (cause instanceof DatabaseUnavailableError) {
      const headers = { [HEADERS.retryAfter]: String(cause.retryAfter) };
      const hint = cause.outcome === "unknown" ? { hint: MAY_BE_DONE } : {};
      return new Refusal("DATABASE_UNAVAILABLE", { headers, cause: error, ...hint });
    }
    if (cause instanceof StatementTimeoutError) {
      return new Refusal("STATEMENT_TIMEOUT", { cause: error });
    }
    if (cause instanceof StorageFullError) return fullRefusal(cause, error);
    if (cause instanceof StorageUnavailableError) {
      const headers = { [HEADERS.retryAfter]: String(STORE_RETRY_AFTER_SECONDS) };
      return new Refusal("STORAGE_UNAVAILABLE", { headers, cause: error });
    }
    cause = cause.cause;
  }
  return null;
}

/** Returns the refusal of a full store. A tenant learns its own limit; the common limit is the operator's alone. */
function fullRefusal({ bound }: StorageFullError, cause: unknown): Refusal {
  const { scope, limit = null, isUnreferred = false } = bound ?? {};
  if (scope === undefined) return new Refusal("STORAGE_FULL", { cause });
  const said = isUnreferred ? { detail: UNREFERRED, hint: LATER } : {};
  return new Refusal("STORAGE_FULL", { ...said, details: { scope, limit }, cause });
}

const UNREFERRED =
  "Files that were replaced or removed, and uploads that nobody has confirmed, fill what they may have";
const LATER = "Confirm what was uploaded, or try again later: such files are removed after a while";

/** Maximum characters of a path or a query that a problem repeats. */
const URL_MAX_LENGTH = 2048;

/** Builds the problem document: RFC 9457 with the contract's members (contract 2.7). */
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

/** Errors for a refused bearer token; a refusal for another reason has none (RFC 6750, 3.1). */
const TOKEN_ERRORS: ReadonlyMap<RuntimeCode, string> = new Map([
  ["AUTH_INVALID_TOKEN", "The credentials are invalid"],
  ["AUTH_EXPIRED", "The credentials expired"],
  ["AUTH_RATE_LIMITED", "Too many invalid credentials"],
]);

/** Returns `WWW-Authenticate` of a 401 (RFC 9110, 11.6.1; RFC 6750, 3; RFC 9728, 5.1). */
function challengeOf(code: RuntimeCode, { app, path }: RequestContext): string {
  const { project, settings } = app;
  if (project.auth.jwt === null) return `ApiKey realm="${project.name}"`;
  // A resource with metadata of its own is named by it (RFC 9728, 5.1).
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

/** Returns the details of a 500 under `EXPOSE_ERROR_STACK=1` (contract 7.2). It is never called otherwise. */
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

/**
 * Describes the refusal of one record of a batch: flat, one of the three bodies that are no problem document (contract 2.6).
 */
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

/**
 * Maximum depth of a copy. A body that is refused for its depth is echoed all the same, but no copy is deeper than any body may
 * be.
 */
const LEVELS_COPIED = JSON_DEPTH_MAX;
const ELLIPSIS = "…";

/**
 * Removes secrets from the values that a problem document echoes (contract 2.7, definitions 7), at any depth and in any case.
 * The copy has no values of sensitive keys, and nothing deeper than the copied levels. It ends where its JSON has more than
 * `charactersMax` characters: the rest is not read.
 */
export function redacted(value: unknown, charactersMax = Infinity): JsonValue {
  return copyOf(value, LEVELS_COPIED, { left: charactersMax });
}

/** Characters of JSON that may still be copied; never fewer than the copy really has. */
interface Budget {
  left: number;
}

function copyOf(value: unknown, levels: number, budget: Budget): JsonValue {
  if (typeof value === "string") {
    budget.left -= value.length + QUOTES;
    return value;
  }
  if (typeof value !== "object" || value === null) {
    budget.left -= 1;
    return typeof value === "number" || typeof value === "boolean" ? value : null;
  }
  if (levels === 0) return ELLIPSIS;
  return Array.isArray(value)
    ? copyOfItems(value, levels - 1, budget)
    : copyOfMembers(value, levels - 1, budget);
}

const QUOTES = 2;

function copyOfItems(items: readonly unknown[], levels: number, budget: Budget): JsonValue {
  const copy: JsonValue[] = [];
  for (const item of items) {
    if (budget.left < 0) break;
    copy.push(copyOf(item, levels, budget));
  }
  return copy;
}

function copyOfMembers(members: object, levels: number, budget: Budget): JsonValue {
  const copy: [string, JsonValue][] = [];
  for (const key of Object.keys(members)) {
    if (budget.left < 0) break;
    budget.left -= key.length + QUOTES;
    const member: unknown = Reflect.get(members, key);
    copy.push([key, copyOf(isSensitiveKey(key) ? REDACTED : member, levels, budget)]);
  }
  return Object.fromEntries(copy);
}

/**
 * Limits the copy of a request's body in a problem document (contract 2.7, 8). Returns the value as it is, or, when its JSON is
 * longer than 4 KB, the beginning of that JSON as a text.
 */
export function cappedEcho(value: JsonValue): JsonValue {
  const json = JSON.stringify(value);
  if (byteLength(json) <= PROBLEM_BODY_MAX_BYTES) return value;
  let kept = json.slice(0, PROBLEM_BODY_MAX_BYTES);
  // Quotes and escapes grow when the text becomes a JSON string itself: it is shortened until it fits.
  while (byteLength(JSON.stringify(shortened(kept))) > PROBLEM_BODY_MAX_BYTES) {
    kept = kept.slice(0, Math.floor(kept.length * 0.9));
  }
  return shortened(kept);
}

/** Shortens a text; the cut may be inside a surrogate pair. */
function shortened(text: string): string {
  return text.toWellFormed().replace(/\uFFFD$/, "") + ELLIPSIS;
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

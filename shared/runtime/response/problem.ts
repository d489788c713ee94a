/** The problem document: RFC 9457 with the contract's members (contract 2.7). */
import { PROBLEM_MEDIA_TYPE } from "../../contract/headers.ts";
import { RUNTIME_CODES } from "../../contract/codes.ts";
import { problemType } from "../../contract/problem_types.ts";
import { PROBLEM_BODY_MAX_BYTES } from "../../contract/limits.ts";
import { redactedSearch } from "../../contract/sensitive_keys.ts";
import type { JsonValue } from "../../model/column.ts";
import type { AppContext, RequestContext } from "../context.ts";
import type { Refusal } from "../refusal.ts";
import { challengeOf } from "./challenge.ts";
import { cappedEcho } from "./capped_echo.ts";
import { redacted } from "./redact.ts";
import { thrownDetails } from "./thrown_details.ts";

/** Characters of a path or a query that a problem repeats. */
const URL_MAX_LENGTH = 2048;

/** Parts of a request that a problem document names; fewer are known of one that was refused before it was read. */
type ProblemRequest = Pick<
  RequestContext,
  "requestId" | "method" | "path" | "search" | "body"
>;

/** Parts of the app that a problem document depends on. */
type ProblemHome = Pick<AppContext, "project" | "settings">;

/** The answer to a refused request. */
export function problemResponse(
  refusal: Refusal,
  request: ProblemRequest,
  { project, settings }: ProblemHome,
): Response {
  const { status } = RUNTIME_CODES[refusal.code];
  return new Response(JSON.stringify(problemOf(refusal, request, settings)), {
    status,
    headers: {
      ...(status === 401
        ? {
          "www-authenticate": challengeOf(refusal.code, {
            project,
            ...settings,
            path: request.path,
          }),
        }
        : {}),
      ...refusal.options.headers,
      "content-type": PROBLEM_MEDIA_TYPE,
    },
  });
}

function problemOf(
  { code, options }: Refusal,
  request: ProblemRequest,
  settings: { readonly baseUrl: string; readonly exposeErrorStack: boolean },
): Readonly<Record<string, JsonValue>> {
  const { layer, status, title } = RUNTIME_CODES[code];
  const thrown = settings.exposeErrorStack && status === 500 && options.cause !== undefined
    ? thrownDetails(options.cause)
    : null;
  const detail = thrown?.message ?? options.detail;
  const details = thrown ? { ...options.details, ...thrown.details } : options.details;
  const hint = options.hint ?? RUNTIME_CODES[code].hint;
  return {
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
    request: echoOf(request, settings.baseUrl),
  };
}

function echoOf(request: ProblemRequest, baseUrl: string): JsonValue {
  const body = request.body.parsed();
  const url = request.path + redactedSearch(request.search);
  return {
    method: request.method,
    url: baseUrl + url.slice(0, URL_MAX_LENGTH),
    ...(body === undefined ? {} : { body: cappedEcho(redacted(body, PROBLEM_BODY_MAX_BYTES)) }),
    requestId: request.requestId,
  };
}

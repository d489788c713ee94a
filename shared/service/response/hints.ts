/** Every code that the build service answers with, and the way out; a refusal may carry a better one (contract 2.7). */
import type { RuntimeCode, ServiceCode } from "../../contract/codes.ts";

export const HINTS = {
  AUTH_MISSING: "Send the key of the service in 'x-api-key'",
  AUTH_INVALID_TOKEN: "Send one of the keys in the service's SERVICE_API_KEY",
  AUTH_EXPIRED: "Sign in again: quickback login --service <url>",
  VALIDATION_INVALID_INPUT: "Send each parameter once; GET /openapi.json lists them",
  INVALID_JSON: "Send a JSON object in UTF-8",
  PAYLOAD_TOO_LARGE: "Compile fewer or smaller files at once",
  UNSUPPORTED_MEDIA_TYPE: "Send JSON, plain or with 'Content-Encoding: gzip'",
  HOST_INVALID: "Send the host name of this service in the 'Host' header",
  ROUTE_NOT_FOUND: "GET /openapi.json lists the routes",
  METHOD_NOT_ALLOWED: "Use one of the methods in the 'Allow' header",
  INTERNAL_ERROR: "Try again; tell the operator the 'requestId' when it keeps failing",
  COMPILE_FAILED: "Correct what 'errors' lists; each has its file, line and way out",
  COMPILE_INPUT_INVALID: 'Send {"rawFiles": {"<path>": "<text>"}}',
  COMPLETE_REQUIRES_CONTAINER:
    "Send the request to the container's POST /compile, or add '?complete=false'",
  COMPILE_TIMEOUT: "Compile fewer or smaller files at once",
  COMPILE_BUSY: "Try again after the time in 'Retry-After'",
  COMPILE_UNAVAILABLE: "Try again after the time in 'Retry-After'",
} as const satisfies
  & Readonly<Partial<Record<RuntimeCode, string>>>
  & Readonly<Record<ServiceCode, string>>;

export type AnswerCode = keyof typeof HINTS;

export const ANSWER_CODES: readonly AnswerCode[] = Object.keys(HINTS).filter(isAnswerCode).sort();

function isAnswerCode(code: string): code is AnswerCode {
  return Object.hasOwn(HINTS, code);
}

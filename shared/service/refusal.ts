/** The error that refuses a request to the build service. It is answered in one place, as a problem document (contract 2.7). */
import type { CodeRow, JsonValue, RuntimeCode, ServiceCode } from "../contract/mod.ts";
import { RUNTIME_CODES, SERVICE_CODES } from "../contract/mod.ts";

interface ServiceRefusalOptions {
  readonly detail?: string;
  /** A JSON pointer into the body. */
  readonly pointer?: string;
  /** A more specific hint than the code's. */
  readonly hint?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Further members of the document, such as the `errors` of a failed compile. */
  readonly members?: Readonly<Record<string, JsonValue>>;
}

export class ServiceRefusal extends Error {
  override readonly name = "ServiceRefusal";
  readonly code: AnswerCode;
  readonly options: ServiceRefusalOptions;

  constructor(code: AnswerCode, options: ServiceRefusalOptions = {}) {
    super(code);
    this.code = code;
    this.options = options;
  }
}

/** Hints for codes that generated APIs have too. */
const OWN_HINTS = {
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
} as const satisfies Readonly<Partial<Record<RuntimeCode, string>>>;

const ROWS = { ...RUNTIME_CODES, ...SERVICE_CODES };

type AnswerCode = keyof typeof OWN_HINTS | ServiceCode;

export const ANSWER_CODES: readonly AnswerCode[] = Object.keys(ROWS).filter(isAnswerCode).sort();

export function rowOf(code: AnswerCode): CodeRow {
  return isShared(code) ? { ...ROWS[code], hint: OWN_HINTS[code] } : ROWS[code];
}

function isAnswerCode(code: string): code is AnswerCode {
  return isShared(code) || Object.hasOwn(SERVICE_CODES, code);
}

function isShared(code: string): code is keyof typeof OWN_HINTS {
  return Object.hasOwn(OWN_HINTS, code);
}
